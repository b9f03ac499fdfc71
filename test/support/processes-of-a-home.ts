// Every process that was started inside a world carries the world's home in its environment.
import { readdirSync, readFileSync } from "node:fs";
import { until } from "./until.ts";

/** What still runs in a world. Empty where there is no /proc to ask. */
export const processesOf = (home: string): number[] =>
  processes().filter((pid) => environmentOf(pid).includes(`\0HOME=${home}\0`));

/** What still runs in any home below a directory, or has the directory for its temporary files: tests that start a program without a
 *  home pass that on. Our own children are vitest's workers. */
export const processesBelow = (directory: string): number[] =>
  processes().filter((pid) => {
    const environment = environmentOf(pid);
    if (environment.includes(`\0HOME=${directory}/`)) return true;
    return environment.includes(`\0TMPDIR=${directory}\0`) && parentOf(pid) !== process.pid;
  });

const processes = () => listing("/proc").map(Number).filter(Number.isInteger);

const parentOf = (pid: number) =>
  Number(/^PPid:\t(\d+)/m.exec(orNothing(() => readFileSync(`/proc/${pid}/status`, "utf8"), ""))?.[1]);

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
