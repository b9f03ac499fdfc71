// One day of a lead and three teammates in the newest client, with a model that answers by script.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scripts, Step, ToolCall } from "../../test/client/support/script.ts";
import { agent, bash } from "../../test/client/support/tools.ts";
import { makeWorld, PLUGIN, TEAMS, type World } from "../../test/client/support/world.ts";
import { until } from "../../test/support/until.ts";

export const VARIANTS = ["no hooks", "empty scripts", "Swarm"] as const;
export type Variant = (typeof VARIANTS)[number];

interface Plan {
  calls: number;
  prompts: number;
}

export interface Day {
  calls: number;
  /** Between each answer with a tool call and the request that follows it, together. */
  waitedMs: number;
  /** Of the client and all it has started. */
  cpuSeconds: number;
  inotify: Inotify;
}

/** Of the client and all it has started, at the end of the day. */
interface Inotify {
  instances: number;
  watches: number;
}

const TEAMMATES = ["ada", "bob", "carl"];
const CALLS_OF_A_TEAMMATE = 5;
/** The first runs after an install leave the bytecode from which later ones start: they belong to the day before. */
const WARM_CALLS = 16;
const PROMPT_MS = 180_000;
const TICKS_A_SECOND = 100;

export async function liveADay(variant: Variant, plan: Plan): Promise<Day> {
  const asked: number[] = [];
  const scratch = mkdtempSync(join(tmpdir(), "swarm-day-"));
  const world = await makeWorld({
    client: "latest",
    plugins: pluginsOf(variant, scratch),
    env: TEAMS,
    files: { "notes.md": "a note\n" },
    scripts: scriptsOf(plan, asked),
  });
  try {
    await world.print("go [[warm]]");
    const screen = await world.tui("--teammate-mode", "in-process");
    let calls = 0;
    let waitedMs = 0;
    for (let prompt = 0; prompt < plan.prompts; prompt++) {
      asked.length = 0;
      await screen.type(`go [[prompt-${prompt}]]`);
      const steps = stepsOf(plan, prompt).length;
      await until(() => asked.length > steps, {
        what: `the end of prompt ${prompt}`,
        ms: PROMPT_MS,
        onTimeout: screen.screen,
      });
      waitedMs += (asked.at(steps) ?? 0) - (asked[0] ?? 0);
      calls += steps;
    }
    await until(() => teammatesAreDone(world), { what: "the teammates", ms: PROMPT_MS });
    calls += TEAMMATES.length * CALLS_OF_A_TEAMMATE;
    await until(() => !isHookRunning(world), { what: "the last hooks", ms: PROMPT_MS });
    const cpuSeconds = cpuOf(world);
    const inotify = inotifyOf(world);
    await screen.exit();
    return { calls, waitedMs: Math.round(waitedMs), cpuSeconds, inotify };
  } finally {
    await world.dispose();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function pluginsOf(variant: Variant, scratch: string): string[] {
  if (variant === "no hooks") return [];
  if (variant === "Swarm") return [PLUGIN];
  cpSync(join(PLUGIN, ".claude-plugin"), join(scratch, ".claude-plugin"), { recursive: true });
  writeFileSync(join(scratch, "empty.cjs"), "");
  const hooks = JSON.parse(readFileSync(join(PLUGIN, "hooks.json"), "utf8"), (key, value) =>
    key === "args" ? ["${CLAUDE_PLUGIN_ROOT}/empty.cjs"] : value,
  );
  writeFileSync(join(scratch, "hooks.json"), JSON.stringify(hooks));
  return [scratch];
}

/** The tool calls of one prompt, evenly of all kinds; the first prompt starts the teammates as well. */
function stepsOf({ calls, prompts }: Plan, prompt: number): ToolCall[] {
  const own = calls - TEAMMATES.length * (CALLS_OF_A_TEAMMATE + 1);
  const count = Math.floor((own * (prompt + 1)) / prompts) - Math.floor((own * prompt) / prompts);
  const starts = prompt === 0 ? TEAMMATES.map((name) => agent({ name, prompt: `please [[${name}]]` })) : [];
  return [...starts, ...Array.from({ length: count }, (_, n) => work(prompt * 100 + n))];
}

function work(n: number): ToolCall {
  const kinds: ToolCall[] = [
    { name: "Read", input: { file_path: "notes.md" } },
    bash("ls && git status --short"),
    { name: "Write", input: { file_path: `made-${n}.md`, content: `${n}\n` } },
    bash("echo done | tail -1"),
  ];
  return kinds[n % kinds.length] as ToolCall;
}

function scriptsOf(plan: Plan, asked: number[]): Scripts {
  const noted = (step: Step) => () => {
    asked.push(performance.now());
    return step;
  };
  const prompts = Array.from({ length: plan.prompts }, (_, prompt) => [
    `prompt-${prompt}`,
    [
      ...stepsOf(plan, prompt).map((tool) => noted({ tools: [tool] })),
      noted({ text: `prompt ${prompt} is done` }),
    ],
  ]);
  const teammates = TEAMMATES.map((name, at) => [
    name,
    [
      ...Array.from({ length: CALLS_OF_A_TEAMMATE }, (_, n) => ({ tools: [work(10_000 * (at + 1) + n)] })),
      { text: `${name} is done` },
    ],
  ]);
  const warm = Array.from({ length: WARM_CALLS }, (_, n) => ({ tools: [work(n)] }));
  return Object.fromEntries([...prompts, ...teammates, ["warm", [...warm, { text: "warm" }]]]);
}

const teammatesAreDone = ({ model }: World): boolean =>
  TEAMMATES.every((name) =>
    model.requests.some(({ script, step }) => script === name && step === CALLS_OF_A_TEAMMATE),
  );

/** Nothing of a process that is gone by now. */
function ifThere<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

const textOf = (path: string) => ifThere(() => readFileSync(path, "utf8"), "");
const namesIn = (directory: string) => ifThere(() => readdirSync(directory), []);

const isHookRunning = (world: World): boolean =>
  world.processes().some((pid) => textOf(`/proc/${pid}/cmdline`).includes(".cjs"));

/** With the children that have ended. The terminal is no part of it. */
function cpuOf(world: World): number {
  const ticks = world.processes().map((pid) => {
    const stat = textOf(`/proc/${pid}/stat`);
    if (stat === "" || stat.includes("(tmux")) return 0;
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    return fields.slice(11, 15).reduce((sum, one) => sum + one, 0);
  });
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_A_SECOND;
}

function inotifyOf(world: World): Inotify {
  const found = world
    .processes()
    .flatMap((pid) => namesIn(`/proc/${pid}/fdinfo`).map((fd) => `/proc/${pid}/fdinfo/${fd}`))
    .map((path) => textOf(path).match(/^inotify wd:/gm)?.length ?? 0)
    .filter((watches) => watches > 0);
  return { instances: found.length, watches: found.reduce((sum, one) => sum + one, 0) };
}
