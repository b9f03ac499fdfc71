// Real disks that refuse: one without room, directories nobody may write, and a process without descriptors to spare.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasCode } from "../../lib/core/files.ts";
import { type Home, homeAt } from "../../test/support/home-at.ts";
import { ROOT } from "../../test/support/run-built.ts";
import { aFilledHome, fill, missing } from "./fixture.ts";
import { damaged, filesIn, mailIn } from "./inspect.ts";
import { HOOKS, VERBS } from "./operations.ts";
import { inLanes, type Start } from "./processes.ts";
import { type Ask, isOver, type Result, type Scenario } from "./scenario.ts";
import { described, isMeant, neverStarted } from "./verdict.ts";

const DISK_KB = 1_024;

export const fullDisk: Scenario = {
  name: "a full disk",
  weight: 1,
  atLeast: { points: 10 },
  run: async (ask) => {
    const root = mkdtempSync(join(tmpdir(), "swarm-torture-disk-"));
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_KB}k`, "tmpfs", root]);
    if (mounted.status !== 0) {
      rmSync(root, { recursive: true });
      return {
        done: "no small disk can be made here without root",
        figures: "only the injected one",
        failures: [],
        isSkipped: true,
      };
    }
    try {
      const home = homeAt(root);
      await fill(home);
      const filler = join(root, "filler");
      const result = await everything(
        ask,
        home,
        1,
        {},
        {
          before: (round) => fillUp(root, filler, round),
          after: () => rmSync(filler, { force: true }),
        },
      );
      return { ...result, done: `${result.done} on a disk of ${DISK_KB} KB with 0 to 8 KB left` };
    } finally {
      execFileSync("umount", ["--lazy", root]); // a helper of the last hook may still run there
      rmSync(root, { recursive: true, force: true });
    }
  },
};

/** Leaves nothing, or a page or two: enough to begin a file and not to finish it. */
function fillUp(root: string, filler: string, round: number): void {
  const { bavail, bsize } = statfsSync(root);
  const size = (bavail - (round % 3)) * bsize;
  if (size <= 0) return;
  try {
    writeFileSync(filler, Buffer.alloc(size));
  } catch (error) {
    // A helper that the last hook left behind wrote meanwhile: the disk is full all the same.
    if (!hasCode(error, "ENOSPC")) throw error;
  }
}

export const readOnly: Scenario = {
  name: "directories nobody may write",
  weight: 1,
  atLeast: { points: 10 },
  run: async (ask) => {
    const { home, remove } = await aFilledHome();
    const isRoot = process.getuid?.() === 0;
    // Root may write everywhere: then the scripts run as nobody, from a copy that nobody may read.
    const plugin = isRoot ? home.path("plugin") : join(ROOT, "plugin");
    if (isRoot)
      for (const name of ["dist", "bin"])
        cpSync(join(ROOT, "plugin", name), join(plugin, name), { recursive: true });
    const options = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    try {
      return await everything(
        ask,
        home,
        1,
        { plugin, options },
        {
          before: () => setModes(home, 0o555, 0o444),
          after: () => setModes(home, 0o755, 0o644),
        },
      );
    } finally {
      remove();
    }
  },
};

function setModes(home: Home, directory: number, file: number): void {
  chmodSync(home.root, 0o755);
  for (const path of [home.path(".claude"), ...filesIn(home.path(".claude"))])
    if (existsSync(path)) chmodSync(path, /\.(json|jsonl|toml|md)$/.test(path) ? file : directory);
}

/** Node itself needs about twenty; what is beyond is what a script has to spare. */
const DESCRIPTORS = [18, 19, 20, 21, 22];

export const noDescriptors: Scenario = {
  name: "no descriptors to spare",
  weight: 1,
  atLeast: { points: 10 },
  run: async (ask) => {
    const { home, remove } = await aFilledHome();
    try {
      const results: Result[] = [];
      for (const limit of DESCRIPTORS) {
        const environment = ["sh", "-c", `ulimit -n ${limit}; exec "$@"`, "sh"];
        results.push(await everything(ask, home, 2, { environment }, {}));
      }
      return {
        done: `${results[0]?.done} with ulimit -n ${DESCRIPTORS[0]} to ${DESCRIPTORS.at(-1)}`,
        figures: results.at(-1)?.figures ?? "",
        failures: results.flatMap(({ failures }) => failures),
      };
    } finally {
      remove();
    }
  },
};

interface Around {
  before?: (round: number) => void;
  after?: () => void;
}

async function everything(
  ask: Ask,
  home: Home,
  lanes: number,
  start: Start,
  environment: Around,
): Promise<Result> {
  const failures: string[] = [];
  const codes = new Map<number | null, number>();
  let round = 0;
  const all = [...HOOKS, ...VERBS].filter((one) => !one.takes);
  const done = await inLanes(
    lanes,
    ask.random.shuffled(all),
    async (operation) => {
      environment.before?.(round++);
      const ran = await operation.start(home, start);
      ask.count.points++;
      environment.after?.();
      codes.set(ran.exitCode, (codes.get(ran.exitCode) ?? 0) + 1);
      if (!isMeant(operation, ran) && !neverStarted(ran))
        failures.push(`${operation.name}: ${described(ran)}`);
      if (operation.sends && ran.exitCode === 0 && !mailIn(home).has(operation.sends))
        failures.push(`${operation.name}: said yes, and the message is nowhere`);
      failures.push(...[...damaged(home), ...missing(home)].map((what) => `${operation.name}: ${what}`));
    },
    () => !isOver(ask),
  );
  const exits = [...codes].map(([code, times]) => `exit ${code}: ${times}`).join(", ");
  return { done: `${done} of ${all.length} hooks and verbs`, figures: exits, failures };
}
