// Every process that was started inside a world carries the world's home in its environment.
import { readdirSync, readFileSync } from "node:fs";
import { until } from "./until.ts";

/** What still runs in a world. Empty where there is no /proc to ask. */
export const processesOf = (home: string): number[] => processesWith(`\0HOME=${home}\0`);
/** What still runs in any home below a directory. */
export const processesBelow = (directory: string): number[] => processesWith(`\0HOME=${directory}/`);

function processesWith(words: string): number[] {
  const pids = listing("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((pid) => environmentOf(pid).includes(words));
}

/** After `patienceMs` whatever they are doing: their home goes next. */
export async function endProcessesOf(home: string, patienceMs = 0) {
  const patience = Date.now() + patienceMs;
  const gone = () => {
    const pids = processesOf(home);
    if (Date.now() >= patience) for (const pid of pids) end(pid);
    return pids.length === 0;
  };
  await until(gone, { what: "the world's processes to end", everyMs: 5 });
}

const listing = (dir: string) => orNothing(() => readdirSync(dir), []);

const environmentOf = (pid: number) => orNothing(() => `\0${readFileSync(`/proc/${pid}/environ`)}\0`, "");

const end = (pid: number) => orNothing(() => process.kill(pid, "SIGKILL"), false);

// A process may be gone between two looks at it.
function orNothing<T>(look: () => T, nothing: T): T {
  try {
    return look();
  } catch {
    return nothing;
  }
}
