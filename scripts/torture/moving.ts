// What vanishes under a running session: its state directory, and the plugin itself.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ROOT } from "../../test/support/run-built.ts";
import { aFilledHome, fill, removeTree } from "./fixture.ts";
import { damaged } from "./inspect.ts";
import { HOOKS, VERBS } from "./operations.ts";
import { inLanes, type Start } from "./processes.ts";
import { type Ask, isOver, type Result, type Scenario } from "./scenario.ts";
import { described, isMeant, neverStarted } from "./verdict.ts";

type Lane = Awaited<ReturnType<typeof aFilledHome>>;

export const deletedState: Scenario = {
  name: "state directory deleted in mid-run",
  weight: 1,
  atLeast: { points: 10 },
  run: async (ask) => {
    const lane = await aFilledHome();
    let times = 0;
    const result = await withDisturbance(ask, lane, {}, async () => {
      await pause(ask.random.next() * 60);
      spawnSync("rm", ["-rf", lane.home.path(".claude")]); // others write into it meanwhile: what it cannot take stays
      times++;
      if (times % 4 === 0) await fill(lane.home);
    });
    return { ...result, figures: `${result.figures}; deleted ${times} times` };
  },
};

export const replacedPlugin: Scenario = {
  name: "plugin directory replaced in mid-run",
  weight: 1,
  atLeast: { points: 10 },
  run: async (ask) => {
    const lane = await aFilledHome();
    const plugin = mkdtempSync(join(tmpdir(), "swarm-torture-plugin-"));
    const copy = (to: string) => {
      for (const name of ["dist", "bin"])
        cpSync(join(ROOT, "plugin", name), join(to, name), { recursive: true });
    };
    let times = 0;
    try {
      copy(plugin);
      const result = await withDisturbance(ask, lane, { plugin }, async () => {
        copy(`${plugin}.new`);
        renameSync(plugin, `${plugin}.old`);
        renameSync(`${plugin}.new`, plugin);
        removeTree(`${plugin}.old`);
        times++;
        await pause(ask.random.next() * 60);
      });
      return { ...result, figures: `${result.figures}; replaced ${times} times` };
    } finally {
      for (const path of [plugin, `${plugin}.new`, `${plugin}.old`]) removeTree(path);
    }
  },
};

const ROUNDS = 4;

async function withDisturbance(
  ask: Ask,
  lane: Lane,
  start: Start,
  disturb: () => Promise<void>,
): Promise<Result> {
  const failures: string[] = [];
  const all = Array.from({ length: ROUNDS }, () => [...HOOKS, ...VERBS]).flat();
  let working = true;
  let missed = 0;
  const disturbing = (async () => {
    while (working) await disturb();
  })();
  try {
    const done = await inLanes(
      3,
      ask.random.shuffled(all),
      async (operation) => {
        const ran = await operation.start(lane.home, start);
        ask.count.points++;
        if (neverStarted(ran)) missed++;
        else if (!isMeant(operation, ran)) failures.push(`${operation.name}: ${described(ran)}`);
      },
      () => !isOver(ask),
    );
    working = false;
    await disturbing;
    failures.push(...damaged(lane.home));
    const figures = missed > 0 ? `${missed} found no script to start` : "every call answered";
    return { done: `${done} calls of hooks and verbs`, figures, failures };
  } finally {
    working = false;
    await disturbing.catch(() => {});
    lane.remove();
  }
}
