// The schema of a team's `config.json`. A lazy part: zod's classes for it would cost every tool call 0.05 of a node start, and few
// calls read a config.
import {
  after,
  anything,
  ignoreInvalid,
  ignoreUnless,
  isText,
  listOf,
  loose,
  maybeNumber,
  maybeText,
  type Output,
  parserOf,
  type Schema,
  someNumber,
  someText,
} from "../../core/schema.ts";

const isNumber = Number.isFinite as (value: unknown) => value is number;
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
/** The client writes times as numbers, we write text. */
const isTime = (value: unknown): value is string | number => isText(value) || typeof value === "number";

/** What else a member may have. Checked by hand: a schema for each of these, run for each member, costs a large team half a node start. */
const MEMBER = {
  agentId: isText,
  agentType: isText,
  model: isText,
  color: isText,
  joinedAt: isTime,
  cwd: isText,
  sessionId: isText,
  pid: isNumber,
  pidStartedAt: isText,
  paneId: isText,
  /** `tmux`, `kitty`, `headless`: started by us; `joined`: a session that joined by itself and is not ours to end. */
  backend: isText,
  /** Where tmux or kitty answers. */
  socket: isText,
  /** What a headless teammate prints. */
  log: isText,
  permissionMode: isText,
  /** `starting`, `active`, `idle`, `offline`. */
  status: isText,
  lastSeen: isText,
  prompt: isText,
  // The client's own names, in native teams.
  tmuxPaneId: isText,
  backendType: isText,
  isActive: isFlag,
  // Of a member on another machine: which, its name there, what that machine last said of it, and when that machine gave a sign.
  machine: isText,
  agent: isText,
  state: isText,
  proof: isText,
  task: isText,
  context: isNumber,
  machineSeen: isText,
  /** Its clock minus ours. */
  clockAheadMs: isNumber,
};
const MEMBER_KEYS = new Map<string, (value: unknown) => boolean>(Object.entries(MEMBER));

type Checked<C> = { [K in keyof C]?: C[K] extends (value: unknown) => value is infer T ? T : never };
export type Member = { name: string } & Checked<typeof MEMBER> & Record<string, unknown>;

const isNamed = (one: { name?: unknown } | null): one is { name: string } =>
  isText(one?.name) && one.name !== "";

/** A value of another type counts as missing: one odd value must not cost the team its mail. */
function checkedMember(given: { name: string }): Member {
  const isFine = ([key, value]: [string, unknown]) => MEMBER_KEYS.get(key)?.(value) ?? true;
  const entries = Object.entries(given);
  return entries.every(isFine) ? given : (Object.fromEntries(entries.filter(isFine)) as Member);
}

function configSchema() {
  const text = ignoreUnless(isText);
  const members = after(
    (list) => (Array.isArray(list) ? list.filter(isNamed).map(checkedMember) : (list ?? [])),
    listOf(anything as unknown as Schema<Member>),
  );
  return loose({
    name: text,
    description: text,
    createdAt: ignoreUnless(isTime),
    leadAgentId: text,
    leadSessionId: text,
    leadProcess: ignoreInvalid(loose({ pid: someNumber, procStart: maybeText })),
    /** `active`, `suspended`, `archived`. */
    status: text,
    suspendedAt: text,
    resumedAt: text,
    members,
  });
}

export type Team = Output<ReturnType<typeof configSchema>>;

/** Throws where it is no object. */
export const parseConfig = parserOf(configSchema);

export const parseEndMark = parserOf(() =>
  loose({ ended: someText, at: someText, pid: maybeNumber, session: maybeText }),
);
/** `ended` is the member's name; `pid` and `session` are those it had then. */
export type EndMark = Pick<ReturnType<typeof parseEndMark>, "ended" | "at" | "pid" | "session">;
