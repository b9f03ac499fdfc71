// Many sessions at once in one team and one repository, each a stand-in for a client. Whatever `swarm send` accepted must be shown
// to its reader, every session that ended must be ended on record, every edit noted, and every file whole.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { readSession } from "../../lib/sessions/store/sessions.ts";
import { entriesOf } from "../../lib/worktrees/store/ledger.ts";
import { treeOf } from "../../lib/worktrees/store/repository.ts";
import { aTeam, TEAM } from "../../test/support/a-team.ts";
import type { Home } from "../../test/support/home-at.ts";
import { cleanEnv, ROOT } from "../../test/support/run-built.ts";
import { holdsTable, readTrace, traced } from "../locks/holds.ts";
import { aTorturedHome, removeHome } from "../torture/fixture.ts";
import { damaged, filesIn, shownIn } from "../torture/inspect.ts";
import { inLanes, startHook } from "../torture/processes.ts";

const PLUGIN = join(ROOT, "plugin");
const STAND_IN = join(import.meta.dirname, "session.cjs");
/** Longer than the lease of a claim that was cut. */
const DRAIN_MS = 60_000;
/** Bytecode grows with the first runs after an install. */
const WARM_SECONDS = 4;
const LEAD = "team-lead";

/** One process that ended, as the stand-in reports it. */
export interface Ran {
  name: string;
  agent: string;
  session: string;
  /** Of a tool's hook. */
  tool?: string;
  /** Of a verb. */
  words?: string[];
  began: number;
  ended: number;
  ms: number;
  code: number | null;
  /** Ended by the client's limit. */
  isCut: boolean;
  stdout: string;
  stderr: string;
}

interface SessionJob {
  agent: string;
  phase: string;
  others: string[];
  plugin: string;
  hooks: string;
  project: string;
  transcript: string;
  empty: string;
  env: Record<string, string>;
  waitMs: number;
  ms: number;
}

interface CrowdOptions {
  sessions: number;
  seconds: number;
  /** All first starts lie within this. */
  startsWithinSeconds: number;
  /** Also says which locks were held; the times are then a little longer. */
  trace?: boolean;
}

export interface CrowdResult {
  runs: Ran[];
  accepted: number;
  refused: number;
  twice: number;
  /** For each message the hooks of its reader that could have shown it before the one that did. */
  passedBy: number[];
  /** Messages that came only after the crowd had gone, with the reader's next session. */
  afterwards: number;
  sessions: number;
  /** Hooks that the client's limit ended. */
  cut: number;
  /** What hooks wrote into the error log, by text. */
  errors: Map<string, number>;
  /** A table, where they were traced. */
  holds: string;
  failures: string[];
}

export async function crowd(options: CrowdOptions): Promise<CrowdResult> {
  const home = aTorturedHome();
  const agents = [LEAD, ...Array.from({ length: options.sessions - 1 }, (_, n) => `agent-${n + 1}`)];
  try {
    prepare(home, agents);
    const warm = { ...options, seconds: WARM_SECONDS, startsWithinSeconds: 0 };
    const before = await runSessions(home, agents.slice(0, 2), warm, "warm");
    const runs = await runSessions(home, agents, options, "crowd");
    const all = [...before, ...runs];
    const afterwards = await drain(home, all);
    return judge(home, { runs, all, afterwards });
  } finally {
    removeHome(home);
  }
}

function prepare(home: Home, agents: string[]): void {
  aTeam(home, agents);
  home.write("project/.atm.toml", `[core]\ndefault_team = "${TEAM}"\n`);
  home.write("project/src/shared.ts", "export {};\n");
  home.write("transcript.jsonl", `${JSON.stringify({ type: "user" })}\n`);
  home.write("empty.cjs", "");
  mkdirSync(home.path("jobs"));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: home.project, stdio: "ignore" });
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=crowd", "-c", "user.email=crowd@localhost", "commit", "--quiet", "-m", "first");
}

/** Starts all stand-ins first, then lets them go: their own start is no part of it. */
async function runSessions(
  home: Home,
  agents: string[],
  options: CrowdOptions,
  phase: string,
): Promise<Ran[]> {
  const runs: Ran[] = [];
  const clients = agents.map((agent, n) => {
    const job: SessionJob = {
      agent,
      phase,
      others: agents.filter((other) => other !== agent),
      plugin: PLUGIN,
      hooks: join(ROOT, "hooks.json"),
      project: home.project,
      transcript: home.path("transcript.jsonl"),
      empty: home.path("empty.cjs"),
      env: environmentOf(home, agent, options.trace ? traced(traceOf(home)) : {}),
      waitMs: (n * options.startsWithinSeconds * 1000) / agents.length,
      ms: options.seconds * 1000,
    };
    const file = home.write(`jobs/${phase}-${agent}.json`, job);
    return spawn(process.execPath, [STAND_IN, file], { stdio: ["pipe", "pipe", "inherit"] });
  });
  const ended = clients.map((client) => reading(client, (ran) => runs.push(ran)));
  await pause(clients.length * 30); // until each of them waits for its line
  for (const client of clients) client.stdin?.end("go\n");
  await Promise.all(ended);
  return runs;
}

const traceOf = (home: Home) => home.path("locks.jsonl");

const environmentOf = (home: Home, agent: string, more: Record<string, string> = {}) => ({
  ...cleanEnv(home),
  CLAUDE_PLUGIN_ROOT: PLUGIN,
  CLAUDE_PLUGIN_DATA: home.path("data"),
  CLAUDECODE: "1",
  CLAUDE_CODE_ENTRYPOINT: "cli",
  CLAUDE_CODE_TEAM_NAME: TEAM,
  CLAUDE_CODE_AGENT_NAME: agent,
  ...more,
});

function reading(client: ChildProcess, take: (ran: Ran) => void): Promise<void> {
  if (!client.stdout) throw new Error("no output");
  createInterface(client.stdout).on("line", (line) => take(JSON.parse(line)));
  return new Promise((resolve, reject) => {
    client.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`a stand-in ended with ${code}`)),
    );
  });
}

interface Message {
  to: string;
  text: string;
  acceptedAt: number;
}

/** What `swarm send` accepted, and the last reports that Stop hooks put into the lead's inbox. */
function acceptedIn(home: Home, runs: readonly Ran[]): Message[] {
  const sent = runs.flatMap(({ name, code, words = [], ended }) =>
    name === "swarm send" && code === 0
      ? { to: words[1] ?? "", text: words[2] ?? "", acceptedAt: ended }
      : [],
  );
  const reports = journalOf(home).flatMap(({ what, session, to, at }) =>
    what === "report" ? { to: to ?? "", text: `[report] done ${session}`, acceptedAt: Date.parse(at) } : [],
  );
  return [...sent, ...reports];
}

interface JournalLine {
  at: string;
  what: string;
  session: string;
  to?: string;
}

const journalOf = (home: Home): JournalLine[] =>
  filesIn(home.path(".claude/swarm/journal")).flatMap((path) => parsedLines(path));

const parsedLines = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const keyOf = (to: string, text: string) => `${to}: ${text}`;

/** How often each message was shown to its reader. */
function showings(runs: readonly Ran[]): Map<string, number> {
  const shown = new Map<string, number>();
  for (const { agent, stdout } of runs)
    for (const text of shownIn(stdout)) {
      const key = keyOf(agent, text);
      shown.set(key, (shown.get(key) ?? 0) + 1);
    }
  return shown;
}

const unseen = (home: Home, runs: readonly Ran[]): Message[] => {
  const shown = showings(runs);
  return acceptedIn(home, runs).filter(({ to, text }) => !shown.has(keyOf(to, text)));
};

/** The next session of every reader that still has mail: a prompt of it is the next hook. */
async function drain(home: Home, runs: readonly Ran[]): Promise<Ran[]> {
  const later: Ran[] = [];
  const until = Date.now() + DRAIN_MS;
  for (;;) {
    const readers = new Set(unseen(home, [...runs, ...later]).map(({ to }) => to));
    if (readers.size === 0 || Date.now() > until) return later;
    await inLanes(4, [...readers], async (agent) => {
      const began = Date.now();
      const payload = { session_id: `${agent}-later`, prompt: "go on" };
      const ran = await startHook(home, "user-prompt-submit", payload, { env: environmentOf(home, agent) });
      later.push({
        ...ran,
        code: ran.exitCode,
        name: "later prompt",
        agent,
        session: payload.session_id,
        began,
        ended: Date.now(),
        isCut: false,
      });
    });
  }
}

const DELIVERS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop"];

/** For each message the hooks of its reader that began after it was accepted and ended before it was shown. */
function passedBy(accepted: readonly Message[], runs: readonly Ran[]): number[] {
  const delivering = runs.filter(({ name }) => DELIVERS.includes(name)).sort((a, b) => a.began - b.began);
  return accepted.map(({ to, text, acceptedAt }) => {
    const chances = delivering.filter(({ agent, began }) => agent === to && began > acceptedAt);
    const at = chances.findIndex(({ stdout }) => shownIn(stdout).includes(text));
    return at < 0 ? chances.length : at;
  });
}

interface Seen {
  /** Of the crowd itself, which is what is measured. */
  runs: Ran[];
  all: Ran[];
  afterwards: Ran[];
}

function judge(home: Home, { runs, all, afterwards }: Seen): CrowdResult {
  const accepted = acceptedIn(home, all);
  const shown = showings([...all, ...afterwards]);
  const lost = unseen(home, [...all, ...afterwards]).map(
    ({ to, text }) => `${keyOf(to, text)} was accepted and never shown`,
  );
  const traces = readTrace(traceOf(home));
  const ends = all.filter(({ name }) => name === "SessionEnd");
  return {
    runs,
    accepted: accepted.length,
    refused: all.filter(({ name, code }) => name === "swarm send" && code !== 0).length,
    twice: accepted.filter(({ to, text }) => (shown.get(keyOf(to, text)) ?? 0) > 1).length,
    passedBy: passedBy(accepted, all),
    afterwards: unseen(home, all).length,
    sessions: ends.length,
    cut: all.filter(({ isCut }) => isCut).length,
    errors: errorsIn(home),
    holds: holdsTable(traces, home.paths.base),
    failures: [
      ...traces.flatMap(({ slow }) => slow.map(({ what, path }) => `${what} while ${path} was held`)),
      ...lost,
      ...all
        .filter(isBroken)
        .map(({ name, code, stderr }) => `${name}: exit ${code} ${stderr.slice(0, 300)}`),
      ...ends.filter(({ isCut }) => !isCut).flatMap(({ session }) => notEnded(home, session)),
      ...all
        .filter(({ name, tool }) => name === "PreToolUse" && tool === "Edit")
        .flatMap(({ session, agent }) => notNoted(home, session, agent)),
      ...damaged(home),
    ],
  };
}

/** A verb may refuse; a hook ends with 0, unless the client ended it. */
const isBroken = ({ name, code, isCut, stderr }: Ran) =>
  !isCut && (name.startsWith("swarm ") ? code !== 0 && code !== 1 : code !== 0 || stderr !== "");

const notEnded = (home: Home, session: string): string[] =>
  readSession(home.paths, { session })?.endedAt ? [] : [`${session} is not ended on record`];

function notNoted(home: Home, session: string, agent: string): string[] {
  const tree = treeOf(home.project);
  const entries = tree ? entriesOf(home.paths, tree, `src/${agent}.ts`) : [];
  return entries.some(({ by }) => by === session) ? [] : [`the edit of ${session} is not in the ledger`];
}

/** What hooks wrote into the error log: names and numbers taken out, so that the same trouble is one line. */
function errorsIn(home: Home): Map<string, number> {
  const errors = new Map<string, number>();
  for (const path of ["errors.jsonl.1", "errors.jsonl"].map((name) => home.path(".claude/swarm", name))) {
    for (const { event, feature = "", error } of existsSync(path) ? parsedLines(path) : []) {
      const text = `${event} ${feature}: ${error.replaceAll(home.root, "~").replace(/(team-lead|agent)-?\d*(-\w+)*/g, "<agent>")}`;
      errors.set(text, (errors.get(text) ?? 0) + 1);
    }
  }
  return errors;
}
