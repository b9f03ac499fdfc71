// Nothing may grow with history: the same calls in a home with a history, and in homes that have ten times as much of one thing.
import { mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inboxesOf, repositoryHome, type Sizes, startSessions, teamHome } from "./homes.ts";
import { call, hook, NODE, ROOT } from "./hooks.ts";
import { type Case, hasValgrind, instructions, median, ROUNDS_TO_WARM, time } from "./measure.ts";

const HISTORY = {
  members: 20,
  open: 500,
  completed: 500,
  unread: 20,
  archived: 1_000,
  journal: 0.7,
  transcript: 10,
  ledger: 10_000,
} satisfies Sizes;

interface Row {
  what: string;
  size: keyof typeof HISTORY;
  unit?: string;
  /** Where it is not ten times as much. */
  to?: number;
  limit: number;
  /** A task was changed right before. */
  isChanged?: boolean;
}

const ROWS: Row[] = [
  { what: "open tasks", size: "open", limit: 1.3 },
  { what: "completed tasks", size: "completed", limit: 1.3 },
  { what: "open tasks, one changed just now", size: "open", limit: 1.3, isChanged: true },
  { what: "completed tasks, one changed just now", size: "completed", limit: 1.3, isChanged: true },
  { what: "members", size: "members", limit: 1.2 },
  { what: "archived messages", size: "archived", limit: 1.05 },
  { what: "journal of the day", size: "journal", unit: " MB", limit: 1.05 },
  { what: "transcript", size: "transcript", unit: " MB", limit: 1.05 },
  { what: "ledger of the repository", size: "ledger", limit: 1.05 },
  { what: "unread messages, to the bound", size: "unread", to: 2_000, limit: 1.5 },
];

const MEMBER = { CLAUDE_CODE_TEAM_NAME: "bench", CLAUDE_CODE_AGENT_NAME: "m0" };
type Make = (home: string) => Case;

/** One bytecode for all homes. */
const dataOf = (home: string) => ({ CLAUDE_PLUGIN_DATA: join(dirname(home), "data") });

const event =
  (name: string, payload: (home: string) => object): Make =>
  (home) => {
    const one = hook(home, name, name, 0, { session_id: "s-m0", ...payload(home) });
    return { ...one, env: { ...one.env, ...MEMBER, ...dataOf(home) } };
  };

/** By a person at a terminal. */
const verb =
  (...words: string[]): Make =>
  (home) => ({
    name: `swarm ${words.join(" ")}`,
    argv: [NODE, join(ROOT, "plugin/bin/swarm"), ...words, "--team", "bench"],
    input: "",
    env: { HOME: home, TMPDIR: home, ...dataOf(home) },
  });

const COLUMNS: Record<string, Make> = {
  SessionStart: event("SessionStart", () => ({ source: "startup" })),
  UserPromptSubmit: event("UserPromptSubmit", () => ({ prompt: "go on" })),
  "PreToolUse, Edit": event("PreToolUse", (home) =>
    call("Edit", { file_path: join(home, "project", "src", "part-1", "file-1.ts") }),
  ),
  Stop: event("Stop", (home) => ({ transcript_path: join(home, "transcript.jsonl") })),
  "swarm status": verb("status"),
  "swarm task list": verb("task", "list"),
  "swarm inbox": verb("inbox", "--agent", "m0", "--peek"),
  "swarm broadcast": verb("broadcast", "hello"),
};

/** What each run finds: the same mail, an index of the tasks as beside a turn, and no helper to start that would outlive the bench. */
function prepared(one: Case, home: string, sizes: Sizes, isChanged: boolean): Case {
  const base = join(home, ".claude");
  const lock = join(base, "tasks", "bench", "1.json.lock");
  const prepare = () => {
    for (const [name, messages] of Object.entries(inboxesOf(sizes)))
      writeFileSync(join(base, "teams", "bench", "inboxes", `${name}.json`), JSON.stringify(messages));
    rmSync(join(base, "swarm", "mail"), { recursive: true, force: true });
    if (isChanged) {
      mkdirSync(lock);
      rmdirSync(lock);
    }
    const asked = join(base, "swarm", "task-index", "bench.json.asked");
    mkdirSync(dirname(asked), { recursive: true });
    writeFileSync(asked, "");
  };
  return { ...one, prepare };
}

/** Under valgrind a process takes sixty times as long; its deadlines have to do so too, or it leaves things out. */
function slowClock(root: string): (one: Case) => Case {
  const file = join(root, "slow-clock.cjs");
  writeFileSync(file, "const { uptime } = process;\nprocess.uptime = () => uptime.call(process) / 60;\n");
  return ({ argv: [node = "", ...args], ...one }) => ({ ...one, argv: [node, "--require", file, ...args] });
}

const RUNS = 2;

/** The least of two: a run that refreshes its bytecode pays for the others. */
function costOf(one: Case, runsToWarm: number): number {
  for (let run = 0; run < runsToWarm; run++) time(one);
  if (hasValgrind()) return Math.min(...Array.from({ length: RUNS }, () => instructions(one)));
  return median(Array.from({ length: 10 * RUNS }, () => time(one)));
}

export interface Growth {
  what: string;
  change: string;
  limit: number;
  /** By column. */
  ratios: number[];
}

export const growthColumns = Object.keys(COLUMNS);

export function measureGrowth(root: string, only = ""): Growth[] {
  const costs = (name: string, sizes: Sizes, isChanged: boolean, runsToWarm = 2): number[] => {
    const home = teamHome(join(root, name), sizes);
    repositoryHome(home, 1, sizes.ledger ?? 0);
    startSessions(home, sizes);
    time(verb("task", "index", "--beside")(home));
    const clock = slowClock(root);
    return Object.values(COLUMNS).map((make) =>
      costOf(prepared(clock(make(home)), home, sizes, isChanged), runsToWarm),
    );
  };
  const rows = ROWS.filter(({ what }) => what.includes(only));
  const base = new Map<boolean, number[]>();
  for (const isChanged of new Set(rows.map((row) => row.isChanged === true)))
    base.set(isChanged, costs(`history-${isChanged}`, HISTORY, isChanged, ROUNDS_TO_WARM));
  return rows.map(({ what, size, unit = "", limit, to, isChanged = false }, n) => {
    const many = to ?? 10 * HISTORY[size];
    const large = costs(`${n}-${size}`, { ...HISTORY, [size]: many }, isChanged);
    const small = base.get(isChanged) ?? [];
    const shown = (amount: number) => `${amount.toLocaleString("en")}${unit}`;
    const costsOf = (all: number[]) => all.map((cost) => cost.toFixed(0)).join(" ");
    console.error(`${what}: ${costsOf(large)} of ${costsOf(small)}`);
    return {
      what,
      change: `${shown(HISTORY[size])} → ${shown(many)}`,
      limit,
      ratios: large.map((cost, column) => cost / (small[column] ?? Number.NaN)),
    };
  });
}
