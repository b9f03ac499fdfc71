// Every kind of file Swarm leaves on a machine: gc, the doctor, docs/reference/files.md and the tests work from this list. Each kind
// is declared in the store that writes it; the first that matches a path counts.
import type { FileKind } from "../core/file-kind.ts";
import { LIMITS } from "../core/jsonl.ts";

export const DAMAGED: FileKind = { name: "damaged files", path: "**.corrupt-<time>", ends: "age" };
export const HALF_WRITTEN: FileKind = { name: "half-written files", path: "**.tmp.<hex>-<hex>", ends: "age" };
export const LOCK: FileKind = {
  name: "locks",
  path: "**.lock",
  ends: "kept",
  because: "the next process that needs the file takes it over",
};
export const JOURNAL: FileKind = {
  name: "journal",
  path: "swarm/journal/<day>.jsonl",
  ends: "age",
  maxBytes: LIMITS.journal,
};

const CORE: readonly FileKind[] = [
  DAMAGED,
  HALF_WRITTEN,
  LOCK,
  JOURNAL,
  {
    name: "error log",
    path: "swarm/errors.jsonl",
    ends: "kept",
    because: "two of a size",
    maxBytes: LIMITS.errors,
  },
  {
    name: "run times of events",
    path: "swarm/fired/<event>",
    ends: "kept",
    because: "two an event",
    maxBytes: LIMITS.fired,
  },
  {
    name: "settings",
    path: "swarm/{settings.toml,refused-settings.json}",
    ends: "kept",
    because: "one of each",
  },
];

const HOOK: readonly FileKind[] = [
  {
    name: "marks of guarded calls",
    path: "swarm/guarded",
    ends: "kept",
    because: "two of a size",
    maxBytes: LIMITS.guarded,
  },
  { name: "blocks already used", path: "swarm/gates/<session>/", ends: "session" },
  {
    name: "bytecode",
    path: "swarm/cache/bytecode/",
    ends: "kept",
    because: "removed at a session's start once unused for a month",
  },
];

const SESSIONS: readonly FileKind[] = [
  { name: "session records", path: "swarm/sessions/<session>.json", ends: "session" },
  { name: "agents inside sessions", path: "swarm/agents/<session>/", ends: "session" },
  { name: "processes", path: "swarm/processes/<pid>.json", ends: "process" },
  {
    name: "lifecycle log",
    path: "daemon/hooks/events.jsonl",
    ends: "kept",
    because: "two of a size",
    maxBytes: LIMITS.lifecycle,
  },
];

const TEAMS: readonly FileKind[] = [
  {
    name: "teams",
    path: "teams/<team>/config.json",
    ends: "kept",
    because: "one a team; swarm cleanup ends it",
  },
  {
    name: "changes to a team",
    path: "teams/<team>/config-spool/<change>.json",
    ends: "kept",
    because: "merged by the next process that holds the lock",
  },
  { name: "notices to the lead", path: "swarm/notices/<team>.json", ends: "age" },
  { name: "heartbeat marks", path: "tmp/swarm-heartbeat-<member>", ends: "age" },
  { name: "archived teams", path: "archives/<team>", ends: "person" },
];

const MAIL: readonly FileKind[] = [
  {
    name: "inboxes",
    path: "teams/<team>/inboxes/<agent>.json",
    ends: "kept",
    because:
      "read mail moves to the archive (mail.keep_read); senders are refused past mail.max_unread and mail.max_bytes",
  },
  {
    name: "changes to an inbox",
    path: "teams/<team>/spool/<agent>/<change>.json",
    ends: "kept",
    because: "merged by the next process that holds the lock",
  },
  {
    name: "late marks of 0.1.0",
    path: "teams/<team>/inboxes/<agent>.json.{shown,shown.taken}",
    ends: "kept",
    because: "merged by the next process that holds the lock",
  },
  {
    name: "inboxes that were too large",
    path: "teams/<team>/archive/<agent>.overflow-<time>.json",
    ends: "person",
  },
  {
    name: "inboxes of removed members",
    path: "teams/<team>/archive/<agent>.removed-<time>.json",
    ends: "person",
  },
  {
    name: "mail archives",
    path: "teams/<team>/archive/<agent>.jsonl",
    ends: "kept",
    because: "two of a size",
    maxBytes: LIMITS.mailArchive,
  },
  {
    name: "wake triggers",
    path: "teams/<team>/bells/<agent>",
    ends: "kept",
    because: "two a member, a character each",
  },
  { name: "mail marks", path: "swarm/mail/<session>.json", ends: "session" },
  { name: "session watches", path: "swarm/seats/<session>/", ends: "session" },
];

const TEAMMATES: readonly FileKind[] = [
  { name: "spawn ledgers", path: "swarm/spawns/<session>.jsonl", ends: "session", maxBytes: LIMITS.spawns },
  {
    name: "traces of the spawn gate",
    path: "tmp/gate-agent-spawns-debug.jsonl",
    ends: "kept",
    because: "two of a size",
    maxBytes: LIMITS.spawnDebug,
  },
  { name: "session id for shells", path: "tmp/atm-session-id", ends: "kept", because: "one" },
  { name: "output of headless teammates", path: "teams/<team>/logs/<agent>.jsonl", ends: "person" },
  { name: "first prompts", path: "teams/<team>/prompts/<agent>/", ends: "kept", because: "one a member" },
];

const CONTEXT: readonly FileKind[] = [
  { name: "context levels", path: "swarm/context/<session>/", ends: "session" },
  {
    name: "status line",
    path: "swarm/{statusline.json,statusline.cjs}",
    ends: "kept",
    because: "one of each",
  },
];

const EFFORTS: readonly FileKind[] = [
  {
    name: "effort windows",
    path: "swarm/efforts/windows/<session>/",
    ends: "session",
    maxBytes: LIMITS.loaded,
  },
  {
    name: "efforts",
    path: "swarm/efforts/",
    ends: "kept",
    because: "work that survives its sessions",
    maxBytes: LIMITS.effortMessages,
  },
];

const OPS: readonly FileKind[] = [
  { name: "mark of the daily upkeep", path: "swarm/upkeep", ends: "kept", because: "one" },
];

export const FILE_KINDS = [
  ...CORE,
  ...HOOK,
  ...SESSIONS,
  ...TEAMS,
  ...MAIL,
  ...TEAMMATES,
  ...CONTEXT,
  ...EFFORTS,
  ...OPS,
];

const PATTERNS = new Map(FILE_KINDS.map((kind) => [kind, patternOf(kind)]));

/** `path` is below the client's directory, with `/` between its parts. */
export const kindOf = (path: string): FileKind | undefined =>
  FILE_KINDS.find((kind) => PATTERNS.get(kind)?.test(path));

/** The session or the process number in a path of this kind. */
export const ownerOf = (kind: FileKind, path: string): string =>
  PATTERNS.get(kind)?.exec(path)?.groups?.["owner"] ?? "";

function patternOf({ path, maxBytes }: FileKind): RegExp {
  const source = path
    .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(",", "|")})`)
    .replace("<session>", "(?<owner>[^/]+)")
    .replaceAll("<hex>", "[0-9a-f]+")
    .replace("<pid>", "(?<owner>\\d+)")
    .replace(/<(?!owner)\w+>/g, "[^/]+")
    .replace(/^\\\*\\\*/, ".*");
  const end = path.endsWith("/") ? "" : path.endsWith(".lock") ? "(?:/|$)" : maxBytes ? "(?:\\.1)?$" : "$";
  return new RegExp(`^${source}${end}`);
}
