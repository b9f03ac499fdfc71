// Nothing may grow with history: the same calls in a home with a history, and in homes that have ten times as much of one thing.
import { mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inboxesOf, repositoryHome, type Sizes, startSessions, teamHome } from "./homes.ts";
import { call, FIXED_SEED, hook, NODE, ROOT } from "./hooks.ts";
import { type Case, cpuMs, instructions, ROUNDS_TO_WARM, time } from "./measure.ts";

const HISTORY = {
  members: 20,
  open: 500,
  completed: 500,
  unread: 199, // a full inbox takes no more
  archived: 1_000,
  journal: 0.7,
  transcript: 10,
  ledger: 10_000,
} satisfies Sizes;

interface Row {
  what: string;
  size: keyof typeof HISTORY;
  unit?: string;
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
  { what: "unread messages, to the bound", size: "unread", limit: 1.5 },
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
    argv: [NODE, FIXED_SEED, join(ROOT, "plugin/bin/swarm"), ...words, "--team", "bench"],
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

/** What each run finds: the same mail, agents at work, an index of the tasks as beside a turn, and no helper to start that would outlive the bench. */
function prepared(one: Case, home: string, sizes: Sizes, isChanged: boolean): Case {
  const base = join(home, ".claude");
  const lock = join(base, "tasks", "bench", "1.json.lock");
  const prepare = () => {
    for (const [name, messages] of Object.entries(inboxesOf(sizes)))
      writeFileSync(join(base, "teams", "bench", "inboxes", `${name}.json`), JSON.stringify(messages));
    rmSync(join(base, "swarm", "mail"), { recursive: true, force: true });
    startSessions(home, sizes); // after some minutes they would count as silent
    if (isChanged) {
      mkdirSync(lock);
      rmdirSync(lock);
    }
    const asked = join(base, "swarm", "task-index", "bench.json.asked");
    mkdirSync(dirname(asked), { recursive: true });
    writeFileSync(asked, "");
    // One hook a minute looks after the whole team: how many runs fit into a minute must not decide what is counted.
    for (const who of ["m0", "+watch"]) writeFileSync(join(home, `swarm-heartbeat-bench-${who}`), "");
  };
  return { ...one, prepare };
}

/** Under valgrind a process takes sixty times as long; its deadlines have to do so too, or it leaves things out. */
function slowClock(root: string): (one: Case) => Case {
  const file = join(root, "slow-clock.cjs");
  writeFileSync(file, "const { uptime } = process;\nprocess.uptime = () => uptime.call(process) / 60;\n");
  return ({ argv: [node = "", ...args], ...one }) => ({ ...one, argv: [node, "--require", file, ...args] });
}

export interface Growth {
  what: string;
  change: string;
  limit: number;
  /** By column. */
  ratios: number[];
}

export const growthColumns = (only: string): string[] =>
  Object.keys(COLUMNS).filter((name) => name.includes(only));

/** By instructions, or by processor time, which a loaded machine disturbs less than the clock on the wall. */
export function measureGrowth(root: string, only: string, column: string, byTime: boolean): Growth[] {
  const clock = slowClock(root);
  const homes = new Map<string, string>();
  /** A home whose tasks are changed before each run is another one. */
  const homeFor = (sizes: Sizes, isChanged: boolean): string => {
    const name = `${Object.values(sizes).join("-")}${isChanged ? "-changed" : ""}`;
    const home = homes.get(name) ?? historyHome(join(root, name), sizes);
    homes.set(name, home);
    return home;
  };
  const rows = ROWS.filter(({ what }) => what.includes(only)).map((row) => ({
    ...row,
    large: { ...HISTORY, [row.size]: 10 * HISTORY[row.size] },
  }));
  const columns = growthColumns(column).map((name) => {
    const make = COLUMNS[name] as Make;
    const caseFor = (sizes: Sizes, isChanged = false) => {
      const home = homeFor(sizes, isChanged);
      return { ...prepared(clock(make(home)), home, sizes, isChanged), name: `${name} ${home}` };
    };
    const cases = rows.flatMap(({ large, isChanged }) => [
      caseFor(HISTORY, isChanged),
      caseFor(large, isChanged),
    ]);
    const costs = leastOf([...new Map(cases.map((one) => [one.name, one])).values()], byTime);
    const costAt = (n: number) => costs.get(cases[n]?.name ?? "") ?? Number.NaN;
    const ratios = rows.map((_, n) => costAt(2 * n + 1) / costAt(2 * n));
    const shown = ratios.map(
      (ratio, n) => `${ratio.toFixed(2)} (${costAt(2 * n).toFixed(0)} → ${costAt(2 * n + 1).toFixed(0)})`,
    );
    console.error(`${name}: ${shown.join(", ")}`);
    return ratios;
  });
  return rows.map(({ what, size, unit = "", limit, large }, n) => {
    const shown = (amount: number) => `${amount.toLocaleString("en")}${unit}`;
    const change = `${shown(HISTORY[size])} → ${shown(large[size])}`;
    return { what, change, limit, ratios: columns.map((ratios) => ratios[n] ?? Number.NaN) };
  });
}

function historyHome(home: string, sizes: Sizes): string {
  teamHome(home, sizes);
  repositoryHome(home, 1, sizes.ledger ?? 0);
  startSessions(home, sizes);
  time(verb("task", "index", "--beside")(home));
  return home;
}

const RUNS = 2;
const RUNS_BY_TIME = 5;

/** The least of several, the cases in turn: a run that refreshes its bytecode pays for the others. */
function leastOf(cases: readonly Case[], byTime: boolean): Map<string, number> {
  const [first] = cases;
  for (let run = 0; first && run < ROUNDS_TO_WARM; run++) time(first); // the bytecode is that of all
  const [measure, runs] = byTime ? [cpuMs, RUNS_BY_TIME] : [instructions, RUNS];
  const least = new Map<string, number>();
  for (const one of cases) time(one);
  for (let run = 0; run < runs; run++)
    for (const one of cases)
      least.set(one.name, Math.min(measure(one), least.get(one.name) ?? Number.POSITIVE_INFINITY));
  return least;
}
