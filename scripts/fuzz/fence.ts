// Watches every file call of this process that changes something: outside the paths that are ours it is a finding.
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import type { Home } from "../../test/support/home-at.ts";

type Call = (...args: unknown[]) => unknown;
const CHANGES = [
  "writeFileSync",
  "mkdirSync",
  "rmdirSync",
  "rmSync",
  "unlinkSync",
  "chmodSync",
  "utimesSync",
  "symlinkSync",
];

export interface Fence {
  /** What was touched outside since the last look. */
  take: () => string[];
  remove: () => void;
}

export function fenceAround(home: Home): Fence {
  const ours = ["swarm", "teams", "tasks", "daemon", "archives"].map((name) => home.path(".claude", name));
  const isOurs = (path: string) =>
    [...ours, home.path("tmp"), home.path("project", ".claude"), home.path("project", "work")].some(
      (place) => path === place || path.startsWith(place + sep),
    );
  /** Where tsx keeps what it has translated. */
  const ofTheLoader = join(tmpdir(), "tsx-");
  const touched: string[] = [];
  const look = (call: string, path: unknown) => {
    if (typeof path !== "string" || path.startsWith(ofTheLoader)) return;
    if (!isOurs(resolve(path))) touched.push(`${call} ${path}`);
  };
  const real = new Map<string, Call>();
  const all = fs as unknown as Record<string, Call>;
  const put = (name: string, before: (args: unknown[]) => void) => {
    const call = all[name] as Call;
    real.set(name, call);
    all[name] = Object.assign((...args: unknown[]) => {
      before(args);
      return call(...args);
    }, call);
  };
  for (const name of CHANGES) put(name, ([path]) => look(name, path));
  put("renameSync", ([from, to]) => {
    look("renameSync", from);
    look("renameSync", to);
  });
  put("openSync", ([path, flags]) => {
    if (flags !== undefined && flags !== "r" && Number(flags) !== fs.constants.O_RDONLY && !isReading(flags))
      look("openSync", path);
  });
  const { wait } = Atomics;
  // A damaged file is looked at three times, with a pause: nobody is going to mend it here.
  Atomics.wait = ((...args: Parameters<typeof wait>) =>
    args[3] === undefined ? wait(...args) : "timed-out") as typeof wait;
  return {
    take: () => touched.splice(0),
    remove: () => {
      Atomics.wait = wait;
      for (const [name, call] of real) all[name] = call;
    },
  };
}

const isReading = (flags: unknown) =>
  typeof flags === "number" && (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) === 0;
