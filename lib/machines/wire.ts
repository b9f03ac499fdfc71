// What travels over the relay. Everything that arrives is checked against these schemas, and only what they name is passed on:
// another machine of the team may belong to another person.

import * as z from "zod/mini";
import { whyNotSegment } from "../core/paths.ts";
import { DAY_MS } from "../core/time.ts";
import { type Task, parseTask as taskFrom } from "../tasks/store.ts";
import { isPlain } from "./names.ts";

const LONGEST_TEXT = 100_000;
const LONGEST_TASK = 200_000;
export const LONGEST_DESCRIPTION = 2_000;

const line = (most: number) => z.string().check(z.maxLength(most), z.regex(/^[^\u0000-\u001f\u007f]*$/));
const id = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/));
const time = z.string().check(
  z.maxLength(40),
  z.refine((text) => !Number.isNaN(Date.parse(text))),
);
export const LONGEST_MS = 400 * DAY_MS;
const ageMs = z.number().check(z.minimum(0), z.maximum(LONGEST_MS));

export const mail = z.object({
  v: z.literal(1),
  id,
  text: z.string().check(z.maxLength(LONGEST_TEXT)),
  summary: z.optional(z.string().check(z.maxLength(500))),
  color: z.optional(line(40)),
  kind: z.optional(z.enum(["report", "system"])),
  replyTo: z.optional(id),
  /** Wakes nobody. */
  routine: z.optional(z.boolean()),
  /** How old it was when it went out: clocks of two machines cannot be compared. */
  ageMs,
});
export type Mail = z.infer<typeof mail>;

const RECEIPT_STATES = ["shown", "answered", "dead", "refused"] as const;
export const receipts = z.object({
  v: z.literal(1),
  receipts: z
    .array(
      z.object({
        id,
        /** Whose inbox it is in. */
        agent: line(100),
        state: z.enum(RECEIPT_STATES),
        reason: z.optional(z.string().check(z.maxLength(500))),
      }),
    )
    .check(z.maxLength(1_000)),
});
export type Receipt = z.infer<typeof receipts>["receipts"][number];

export const lifecycle = z.object({
  v: z.literal(1),
  lines: z
    .array(
      z.object({
        type: line(64),
        agent: line(100),
        session_id: line(200),
        received_at: time,
        source: z.object({ kind: line(40) }),
        process_id: z.optional(z.number()),
      }),
    )
    .check(z.maxLength(1_000)),
});
export type LifecycleLine = z.infer<typeof lifecycle>["lines"][number];

export const member = z.object({
  v: z.literal(1),
  agentId: z.optional(line(200)),
  agentType: z.optional(line(100)),
  model: z.optional(line(100)),
  color: z.optional(line(40)),
  /** As in a team's config: `starting`, `active`, `idle`, `offline`. */
  status: z.optional(line(40)),
  /** What its own machine sees of it; `gone` only with proof. */
  state: z.optional(line(40)),
  proof: z.optional(line(300)),
  task: z.optional(line(300)),
  context: z.optional(z.number()),
  /** Since its last sign of life, when this was published. */
  ageMs: z.optional(ageMs),
  /** The server's clock minus its machine's: the time of a claim is by the claimer's clock. */
  clockMs: z.optional(z.number().check(z.minimum(-LONGEST_MS), z.maximum(LONGEST_MS))),
  /** It left the team on that machine. */
  left: z.optional(z.boolean()),
});
export type MemberNews = z.infer<typeof member>;

export const machine = z.object({ v: z.literal(1), left: z.optional(z.boolean()) });
/** A machine's sign of life: the server's stamp on it is what counts. */
export const SIGN = JSON.stringify({ v: 1 });
/** A machine or a member that is no longer in the team. */
export const LEFT = JSON.stringify({ v: 1, left: true });

/** An agent's name from the wire becomes part of a path here. */
export const isName = (name: string): boolean => whyNotSegment(name) === undefined && name.length <= 100;

/** Both are quoted in a message that is Swarm's own. */
export const lead = z.object({
  v: z.literal(1),
  machine: z.string().check(z.refine(isPlain)),
  agent: z.string().check(z.refine(isName)),
  at: time,
});
export type Lead = z.infer<typeof lead>;

export const config = z.object({
  v: z.literal(1),
  name: line(100),
  description: z.optional(z.string().check(z.maxLength(LONGEST_DESCRIPTION))),
  createdAt: z.optional(time),
  leadAgentId: z.optional(line(200)),
});
export type TeamConfig = z.infer<typeof config>;

export const counter = z.object({ v: z.literal(1), last: z.int().check(z.minimum(0)) });

const taskValue = z.union([
  z.object({ v: z.literal(1), deleted: z.literal(true) }),
  z.object({ v: z.literal(1), task: z.looseObject({ subject: z.string(), status: z.string() }) }),
]);

/** `null` for a deleted task. Its number is the key's, whatever the value says. */
export function parseTask(text: string, number: string): Task | null {
  if (text.length > LONGEST_TASK) throw new Error("the task is too long");
  const value = taskValue.parse(JSON.parse(text));
  return "deleted" in value ? null : taskFrom(number, JSON.stringify(value.task));
}

/** What no machine would read back is not written. */
export function taskText(task: Task | null): string {
  const text = JSON.stringify(task === null ? { v: 1, deleted: true } : { v: 1, task });
  if (text.length <= LONGEST_TASK) return text;
  throw new Error(
    `task #${task?.id} is too long for a relay: ${text.length} characters with its comments, at most ${LONGEST_TASK}`,
  );
}

/** Throws where it is not what it should be. */
export const parseAs = <T>(schema: { parse: (value: unknown) => T }, text: string): T =>
  schema.parse(JSON.parse(text));

/** Without the fields that the other machines would not take. */
export function withoutUnfit<T extends object>(schema: z.ZodMiniType, value: T): T {
  const unfit = schema.safeParse(value).error?.issues.map(({ path }) => path[0]);
  return Object.fromEntries(Object.entries(value).filter(([name]) => !unfit?.includes(name))) as T;
}

/** JSON whose text does not depend on the order of keys, for comparing. */
export const canonical = (value: unknown, without: readonly string[] = []): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner)
            .filter(([key]) => !without.includes(key))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : inner,
  );
