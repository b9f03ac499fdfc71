// Every kind of file Swarm leaves on a machine, and what keeps it from growing without end. A file that fits no kind is a mistake
// here: a test looks for it.
import { LIMITS } from "./state-limits.ts";

/**
 * What ends it: its age; its age once its session is over; the end of its process; a person who asks for it, since somebody may want
 * it back; or nothing, because it is somebody's work or there is one of it.
 */
export type End = "age" | "session" | "process" | "person" | "kept";

export interface Kind {
  name: string;
  /** Below the client's directory, with `/` between the parts. */
  where: RegExp;
  end: End;
  /** At this size it becomes `.1` and a new one begins. */
  bytes?: number;
  /** Why it may stay for ever. */
  because?: string;
}

const SESSION = "([^/]+)";
const session = (name: string, path: string, bytes?: number): Kind => ({
  name,
  where: new RegExp(`^swarm/${path.replace("<session>", SESSION)}`),
  end: "session",
  bytes,
});
const kept = (name: string, where: RegExp, because: string, bytes?: number): Kind => ({
  name,
  where,
  end: "kept",
  because,
  bytes,
});

export const KINDS: readonly Kind[] = [
  { name: "damaged files", where: /\.corrupt-[^/]*$/, end: "age" },
  { name: "half-written files", where: /\.tmp\.[0-9a-f]+-[0-9a-f]+$/, end: "age" },
  kept("locks", /\.lock(\/|$)/, "whoever needs the file next takes it over"),
  { name: "journal", where: /^swarm\/journal\/[^/]+\.jsonl(\.1)?$/, end: "age", bytes: LIMITS.journal },
  kept("error log", /^swarm\/errors\.jsonl(\.1)?$/, "two of a size", LIMITS.errors),
  kept("stamps of events", /^swarm\/fired\/[^/]+$/, "two an event", LIMITS.fired),
  session("session records", "sessions/<session>\\.json$"),
  session("voices inside sessions", "agents/<session>/"),
  session("what gates let pass", "gates/<session>/"),
  session("spawn ledgers", "spawns/<session>\\.jsonl(\\.1)?$", LIMITS.spawns),
  session("context levels", "context/<session>/"),
  session("mail marks", "mail/<session>\\.json$"),
  session("seats", "seats/<session>/"),
  session("effort windows", "efforts/windows/<session>/", LIMITS.loaded),
  { name: "notices to the lead", where: /^swarm\/notices\/[^/]+\.json$/, end: "age" },
  { name: "processes", where: /^swarm\/processes\/(\d+)\.json$/, end: "process" },
  kept("efforts", /^swarm\/efforts\//, "work that survives its sessions", LIMITS.effortMessages),
  kept("settings", /^swarm\/(settings\.toml|statusline\.(json|cjs)|upkeep)$/, "one of each"),
  kept(
    "relays",
    /^swarm\/relay\/(teams|status|lifecycle)\/[^/]+\.json$/,
    "one of each a team; swarm relay leave ends it",
  ),
  kept("receipts", /^swarm\/relay\/receipts\/[^/]+\.jsonl(\.1)?$/, "two of a size", LIMITS.receipts),
  kept("the courier's marks", /^swarm\/relay\/(courier|poke)$/, "one of each"),
  kept("a relay's server", /^swarm\/relay\/server\//, "made by swarm relay config; the server's own store"),
  kept("teams", /^teams\/[^/]+\/config\.json$/, "one a team; swarm cleanup ends it"),
  kept(
    "inboxes",
    /^teams\/[^/]+\/inboxes\/[^/]+\.json$/,
    "read mail moves to the archive (mail.keep_read); full at 12 MB",
  ),
  kept("bells", /^teams\/[^/]+\/bells\/[^/]+$/, "two a member, a character each"),
  kept("mail archives", /^teams\/[^/]+\/archive\/[^/]+\.jsonl(\.1)?$/, "two of a size", LIMITS.mailArchive),
  {
    name: "inboxes of removed members",
    where: /^teams\/[^/]+\/archive\/[^/]+\.removed-[^/]+\.json$/,
    end: "person",
  },
  { name: "output of headless teammates", where: /^teams\/[^/]+\/logs\/[^/]+\.jsonl$/, end: "person" },
  kept("first prompts", /^teams\/[^/]+\/prompts\/[^/]+\//, "one a member"),
  { name: "archived teams", where: /^archives\/[^/]+$/, end: "person" },
  kept("the lifecycle log", /^daemon\/hooks\/events\.jsonl(\.1)?$/, "two of a size", LIMITS.lifecycle),
  { name: "heartbeat marks", where: /^tmp\/swarm-heartbeat-/, end: "age" },
  kept(
    "traces of the spawn gate",
    /^tmp\/(gate-agent-spawns-debug\.jsonl(\.1)?|atm-session-id)$/,
    "one of each",
    LIMITS.spawnDebug,
  ),
];

export const kindOf = (path: string): Kind | undefined => KINDS.find(({ where }) => where.test(path));
