// The homes in which hooks are measured: a quiet one, and one with a team; each as large as asked.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startOf } from "../../lib/system/processes.ts";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { noteFiles } from "../../lib/worktrees/store/ledger.ts";
import { treeOf } from "../../lib/worktrees/store/repository.ts";

export interface Sizes {
  members?: number;
  unread?: number;
  archived?: number;
  open?: number;
  completed?: number;
  /** Entries in the ledger of the project's repository. */
  ledger?: number;
  /** Megabytes. */
  transcript?: number;
  journal?: number;
}

const LEAD = "team-lead";
const MEGABYTE = 1024 * 1024;

function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

export function quietHome(root: string): string {
  mkdirSync(join(root, "project"), { recursive: true });
  return root;
}

export function teamHome(root: string, sizes: Sizes = {}): string {
  const { members = 8, archived = 0, open = 0, completed = 0, transcript = 0, journal = 0 } = sizes;
  const base = join(root, ".claude");
  const team = join(base, "teams", "bench");
  write(join(root, "project", ".atm.toml"), `[core]\ndefault_team = "bench"\nidentity = "${LEAD}"\n`);
  write(
    join(base, "swarm", "settings.toml"),
    '[mail]\nkeep_read = 50\n\n[guard]\nallow_paths = ["/srv/scratch"]\n',
  );
  write(join(team, "config.json"), {
    name: "bench",
    leadSessionId: "bench-1",
    members: many(members, (n) => ({
      name: `m${n}`,
      agentId: `m${n}@bench`,
      sessionId: `s-m${n}`,
      model: "m",
      status: "active",
    })),
  });
  for (const [name, messages] of Object.entries(inboxesOf(sizes)))
    write(join(team, "inboxes", `${name}.json`), messages);
  for (const name of [LEAD, "m0"]) write(join(team, "archive", `${name}.jsonl`), lines(archived, message));
  for (let id = 1; id <= open + completed; id++)
    write(join(base, "tasks", "bench", `${id}.json`), task(id, members, id - completed));
  write(join(root, "transcript.jsonl"), upTo(transcript * MEGABYTE, turn));
  const today = new Date().toISOString().slice(0, 10);
  write(join(base, "swarm", "journal", `${today}.jsonl`), upTo(journal * MEGABYTE, decision));
  return root;
}

/** The same team on a relay, with a member on another machine; a courier would be at work. */
export function relayedHome(root: string): string {
  teamHome(root);
  const relay = (folder: string) => join(root, ".claude", "swarm", "relay", folder, "bench.json");
  const [at, url] = [new Date().toISOString(), "nats://127.0.0.1:1"];
  write(relay("teams"), { url, team: "bench", machine: "laptop", secret: "s", replicas: 1, joinedAt: at });
  const machines = { laptop: at, cloud: at };
  write(relay("status"), {
    pid: process.pid,
    at,
    synced: 0,
    connectedSince: at,
    lastPull: {},
    machines,
    refused: 0,
  });
  return root;
}

/** By the member's name: every member has one, and of the lead and m0 they are as full as asked. */
export const inboxesOf = ({ members = 8, unread = 0 }: Sizes): Record<string, unknown[]> => {
  const full = [LEAD, "m0"].map((name) => [name, many(unread, message)]);
  return Object.fromEntries([...many(members, (n) => [`m${n}`, []]), ...full]);
};

/** Every member's session, in the middle of its work. */
export function startSessions(root: string, { members = 8 }: Sizes): void {
  const at = new Date().toISOString();
  for (const name of many(members, (n) => `m${n}`)) {
    const session = `s-${name}`;
    const context = join(root, ".claude", "swarm", "context", session);
    write(join(context, "status-line.json"), { window: 200_000, tokens: 50_000, at });
    writeSession(root, session, { team: "bench", agent: name });
  }
}

function writeSession(root: string, session: string, who: { team?: string; agent: string }): void {
  const now = new Date().toISOString();
  write(join(root, ".claude", "swarm", "sessions", session, "session.json"), {
    session,
    ...who,
    pid: process.pid,
    pidStartedAt: startOf(process.pid),
    state: "active",
    status: "working",
    startedAt: now,
    lastSeen: now,
  });
}

/** A repository in which this many other agents work, with a ledger of this size. */
export function repositoryHome(root: string, others: number, entries: number): string {
  const project = join(root, "project");
  write(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
  write(join(project, "src/part-1/file-1.ts"), "x\n");
  const tree = treeOf(project);
  if (!tree) throw new Error("no repository");
  const paths = { home: root, base: join(root, ".claude"), atmHome: root, tmp: root };
  const now = new Date();
  for (const n of many(others, (at) => at)) {
    const session = `other-${n}`;
    writeSession(root, session, { agent: `m${n}` });
    writePresence(paths, tree, { session }, now);
  }
  const files = many(entries, (n) => ({ tree, file: `src/part-${n % 1000}/file-${n % 20_000}.ts` }));
  noteFiles(paths, files, { by: "other-0", how: "edit", call: "toolu_01", now });
  return root;
}

/** The lead of the team in this home, where there is one. */
export const identityIn = (home: string): Record<string, string> =>
  existsSync(join(home, ".claude", "teams"))
    ? { CLAUDE_CODE_TEAM_NAME: "bench", CLAUDE_CODE_AGENT_NAME: LEAD }
    : {};

const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const lines = (count: number, make: (n: number) => unknown) =>
  many(count, (n) => `${JSON.stringify(make(n))}\n`).join("");

function upTo(bytes: number, make: (n: number) => unknown): string {
  const line = JSON.stringify(make(1)).length + 1;
  return lines(Math.floor(bytes / line), make);
}

const message = (n: number) => ({
  id: `m-${n}`,
  from: `m${n % 8}`,
  text: `message ${n} says what was done and what is next`,
  timestamp: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
  read: false,
});
/** Everybody has two in progress; the completed ones come first. */
const task = (id: number, members: number, position: number) => ({
  id: `${id}`,
  subject: `task ${id}`,
  description: "what is to be done",
  status: position <= 0 ? "completed" : position <= 2 * members ? "in_progress" : "pending",
  owner: `m${id % members}`,
  blocks: [],
  blockedBy: [],
});
const turn = (n: number) => ({
  type: "assistant",
  uuid: `u-${n}`,
  message: { id: `a-${n}`, role: "assistant", content: "x".repeat(400), usage: { input_tokens: 50_000 } },
});
const decision = (n: number) => ({
  id: `j-${n}`,
  at: new Date().toISOString(),
  event: "PreToolUse",
  session: "other",
  agent: "main",
  feature: "command-guard",
  what: "deny",
  reason: "x".repeat(200),
});
