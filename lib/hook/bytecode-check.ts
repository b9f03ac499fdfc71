// The whole cache, checked byte by byte beside the turn: what is damaged, unused for a month or half-written goes.
import { lstatSync, readdirSync, rmdirSync, rmSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, isTemporary } from "../core/files.ts";
import { DAY_MS } from "../core/time.ts";
import { isIntact, readWords } from "./bytecode.ts";

const UNUSED_MS = 30 * DAY_MS;
const HALF_WRITTEN_MS = 60 * 60 * 1000;

export interface CacheReport {
  intact: number;
  damaged: string[];
}

/** `place` is the directory of this node's files, its siblings belong to others; `used` names the files of this build. */
export function checkCache(place: string, used: readonly string[] = []): CacheReport {
  const report: CacheReport = { intact: 0, damaged: [] };
  const all = dirname(place);
  for (const directory of namesIn(all).map((name) => join(all, name))) {
    if (!lstatSync(directory, { throwIfNoEntry: false })?.isDirectory()) continue; // what a link leads to is not ours
    for (const name of namesIn(directory)) checkFile(join(directory, name), report);
    if (namesIn(directory).length === 0) attempt(() => rmdirSync(directory));
  }
  const now = new Date();
  for (const name of used) attempt(() => utimesSync(join(place, name), now, now));
  return report;
}

/** Of every installation below the client's directory: a verb does not know the plugin's data directory. */
export function checkAllCaches(base: string): CacheReport {
  const data = join(base, "plugins", "data");
  const ours = namesIn(data).filter((name) => name.startsWith("swarm-"));
  const places = [join(base, "swarm", "cache"), ...ours.map((name) => join(data, name))];
  const reports = places.map((place) => checkCache(join(place, "bytecode", "any")));
  return {
    intact: reports.reduce((sum, report) => sum + report.intact, 0),
    damaged: reports.flatMap((report) => report.damaged),
  };
}

/** What is gone or may not be removed is passed over: other processes clean up too, and some directories are not ours. */
function checkFile(path: string, report: CacheReport): void {
  attempt(() => {
    const stat = lstatSync(path);
    const age = Date.now() - stat.mtimeMs;
    const isHalfWritten = isTemporary(path);
    if (isHalfWritten ? age > HALF_WRITTEN_MS : age > UNUSED_MS) return rmSync(path, { recursive: true });
    if (isHalfWritten) return;
    if (stat.isFile() && isIntact(readWords(path))) {
      report.intact++;
      return;
    }
    report.damaged.push(path);
    rmSync(path, { recursive: true });
  });
}

const namesIn = (directory: string): string[] => attempt(() => readdirSync(directory)) ?? [];
