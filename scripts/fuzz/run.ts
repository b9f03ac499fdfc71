// Spoiled payloads through every event's handlers, over spoiled files, with every answer and every write looked at.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { elapsedMs, takeProblems } from "../../lib/core/process.ts";
import { makeContext } from "../../lib/hook/context.ts";
import { readEnvironment } from "../../lib/hook/environment.ts";
import type { NamedOutcome } from "../../lib/hook/outcome.ts";
import { encode, type Reply } from "../../lib/hook/outcome.ts";
import { as } from "../../test/support/a-team.ts";
import type { Home } from "../../test/support/home-at.ts";
import { type Random, randomness } from "../../test/support/random.ts";
import { ROOT } from "../../test/support/run-built.ts";
import { filesIn } from "../torture/inspect.ts";
import { wrongIn } from "./check.ts";
import { type Fence, fenceAround } from "./fence.ts";
import { type Entry, loadEntries } from "./handlers.ts";
import { hostileText, spoiled, spoiledText } from "./hostile.ts";

export interface Found {
  payloads: number;
  answers: number;
  /** Payloads of a wrong type, turned away before any feature saw them. */
  refused: number;
  /** Errors with a reason of our own: written to the error log, and the feature falls open. */
  reported: Map<string, number>;
  files: number;
  failures: string[];
}

export interface Lane {
  home: Home;
  renew: () => void;
}

/** A programming error; everything else a store or a shape throws has a sentence of ours. */
const isCrash = (error: unknown) =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ReferenceError ||
  error instanceof SyntaxError ||
  /^Internal/.test((error as Error).message);

const RENEW_EVERY = 200;
const SPOIL_FILES_EVERY = 5;
/** Of processor time: a hook that computes for so long holds up a turn. */
const SLOW_MS = 1_000;
const PEOPLE: (() => Record<string, string>)[] = [
  () => as("bob"),
  () => as("team-lead"),
  () => ({}),
  () => ({ CLAUDE_SESSION_MODE: "mission" }),
];

export async function fuzz(
  { home, renew }: Lane,
  count: number,
  seed: number,
  each: (payload: unknown, entry: Entry) => void = () => {},
): Promise<Found> {
  const random = randomness(seed);
  const entries = await loadEntries();
  const payloads = realPayloads(entries);
  const found: Found = { payloads: 0, answers: 0, refused: 0, reported: new Map(), files: 0, failures: [] };
  const fence = fenceAround(home);
  try {
    for (let run = 0; run < count; run++) {
      if (run % RENEW_EVERY === 0) outside(fence, renew);
      if (run % SPOIL_FILES_EVERY === 0) found.files += outside(fence, () => spoilAFile(home, random));
      const { entry, payload } = random.pick(payloads);
      const input = { ...(spoiled(payload, random) as object), ...placed(home, random) };
      found.payloads++;
      one(home, entry, input, random, found, fence);
      each(input, entry);
    }
  } finally {
    fence.remove();
  }
  return found;
}

/** Our own doing, not the handlers'. */
function outside<T>(fence: Fence, work: () => T): T {
  const result = work();
  fence.take();
  return result;
}

function realPayloads(entries: Entry[]): { entry: Entry; payload: object }[] {
  const byName = new Map(entries.map((entry) => [entry.event.name, entry]));
  return readdirSync(join(ROOT, "test", "payloads")).flatMap((name) => {
    const payload = JSON.parse(readFileSync(join(ROOT, "test", "payloads", name), "utf8"));
    const entry = byName.get(payload.hook_event_name);
    return entry ? [{ entry, payload }] : [];
  });
}

/** Mostly a place and a session we know; sometimes whatever the spoiled payload says. */
function placed(home: Home, random: Random): object {
  if (random.below(8) === 0) return {};
  const cwd = random.below(10) === 0 ? home.path("neighbour") : home.project;
  const session = random.below(4) === 0 ? {} : { session_id: random.pick(["s-bob", "lead-session", "s-1"]) };
  return { cwd, transcript_path: home.path("project/transcript.jsonl"), ...session };
}

function one(home: Home, entry: Entry, input: object, random: Random, found: Found, fence: Fence): void {
  const { event, steps } = entry;
  const at = () => `${event.name} ${JSON.stringify(input).slice(0, 600)}`;
  const blame = (what: string) => found.failures.push(`${what} | ${at()}`);
  const environment = {
    ...readEnvironment({
      HOME: home.root,
      TMPDIR: home.path("tmp"),
      CLAUDE_PROJECT_DIR: home.project,
      PATH: "",
      CLAUDE_CODE_ENTRYPOINT: "cli",
      ...random.pick(PEOPLE)(),
    }),
  };
  const tried = <T>(feature: string, work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (isCrash(error)) blame(`${feature}: ${(error as Error).stack?.split("\n").slice(0, 4).join(" ")}`);
      else if (feature === "parse") found.refused++;
      else note(found, `${feature}: ${(error as Error).message}`);
      return undefined;
    }
  };
  const payload = tried("parse", () => event.parse(JSON.parse(JSON.stringify(input))));
  if (!payload) return;
  const ctx = makeContext(event.name, payload, environment, elapsedMs() + event.deadlineMs);
  const outcomes: NamedOutcome[] = [];
  for (const [feature, step] of Object.entries(steps)) {
    const handle = typeof step === "function" ? step : step.handle;
    // A lead's end starts processes of its own; they are the torture's business.
    if (feature === "teammates" && event.name === "SessionEnd") continue;
    const began = process.cpuUsage();
    const outcome = tried(feature, () => handle(ctx));
    const ms = process.cpuUsage(began).user / 1000;
    if (ms > SLOW_MS) blame(`${feature} took ${Math.round(ms)} ms`);
    if (outcome) outcomes.push({ ...outcome, feature });
    if (outcome?.deny !== undefined) break;
  }
  const reply = tried("wire", () => encode(event.name, outcomes));
  if (reply && (reply.stdout || reply.stderr)) {
    found.answers++;
    for (const text of textsOf(reply)) for (const wrong of wrongIn(text)) blame(wrong);
  }
  for (const { feature, after } of outcomes) tried(feature, () => after?.());
  takeProblems();
  for (const touched of fence.take()) blame(`outside our directories: ${touched}`);
}

function note(found: Found, message: string): void {
  const short = message.replace(/"(?:[^"\\]|\\.)*"|\/\S+|\d+/g, "…").slice(0, 120);
  found.reported.set(short, (found.reported.get(short) ?? 0) + 1);
}

/** What the client would hand to the model. */
export function textsOf({ stdout, stderr }: Pick<Reply, "stdout" | "stderr">): string[] {
  const body = stdout ? JSON.parse(stdout) : {};
  const { additionalContext, permissionDecisionReason, decision } = body.hookSpecificOutput ?? {};
  return [
    stderr,
    body.reason,
    body.systemMessage,
    additionalContext,
    permissionDecisionReason,
    decision?.message,
  ].filter((text): text is string => typeof text === "string" && text !== "");
}

const SPOILT = /\.(json|jsonl|toml|md)$|fired|heartbeat/;

function spoilAFile(home: Home, random: Random): number {
  const files = [
    ...filesIn(home.path(".claude")),
    home.path("project/.atm.toml"),
    home.path("project/transcript.jsonl"),
  ].filter((path) => SPOILT.test(path) && existsSync(path));
  const path = files.length > 0 ? random.pick(files) : undefined;
  if (!path) return 0;
  try {
    const text = readFileSync(path, "utf8");
    if (text.length > 200_000) rmSync(path);
    else
      writeFileSync(
        path,
        path.endsWith(".json") && random.below(3) > 0 ? spoiledJson(text, random) : spoiledText(text, random),
      );
  } catch {
    return 0; // a directory of that name
  }
  return 1;
}

/** Still JSON, so that it gets past the parser to code that trusts its content. */
function spoiledJson(text: string, random: Random): string {
  try {
    return JSON.stringify(spoiled(JSON.parse(text), random), null, 2);
  } catch {
    return hostileText(random);
  }
}
