// The fields of a team's `config.json`. A value of another type counts as missing: one odd value must not cost the team its mail.
// Checked by hand: zod schemas for each field, run for each member, cost a large team half a node start.
import { isTable, isText, valueAt } from "../../core/json.ts";

const isNumber = Number.isFinite as (value: unknown) => value is number;
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const isProcess = (value: unknown): value is { pid: number; procStart?: string } =>
  isTable(value) && isNumber(value["pid"]) && isText(value["procStart"] ?? "");
/** The client writes times as numbers, we write text. */
const isTime = (value: unknown): value is string | number => isText(value) || typeof value === "number";

const TEAM = {
  name: isText,
  description: isText,
  createdAt: isTime,
  leadAgentId: isText,
  leadSessionId: isText,
  leadProcess: isProcess,
  /** `active`, `suspended`, `archived`. */
  status: isText,
  suspendedAt: isText,
  resumedAt: isText,
};

/** What else a member may have. */
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

type Checked<C> = {
  [K in keyof C]?: C[K] extends (value: unknown) => value is infer T ? T : never;
} & Record<string, unknown>;
export type Member = { name: string } & Checked<typeof MEMBER>;
export type Team = { members: Member[] } & Checked<typeof TEAM>;

const isNamed = (one: unknown): one is { name: string } =>
  isTable(one) && isText(one["name"]) && one["name"] !== "";

function checked<T extends object>(
  given: T,
  checks: Readonly<Record<string, (value: unknown) => boolean>>,
): T {
  const isFine = ([key, value]: [string, unknown]) => valueAt(checks, key)?.(value) ?? true;
  const entries = Object.entries(given);
  return entries.every(isFine) ? given : (Object.fromEntries(entries.filter(isFine)) as T);
}

/** Throws where it is no object. */
export function parseConfig(value: unknown): Team {
  if (!isTable(value)) throw new Error("it must be an object");
  const members = value["members"] ?? [];
  if (!Array.isArray(members)) throw new Error("members must be a list");
  return { ...checked(value, TEAM), members: members.filter(isNamed).map((one) => checked(one, MEMBER)) };
}
