// The whole cache, checked byte by byte beside the turn: what is damaged, unused for a month or half-written goes.
import { lstatSync, readdirSync, rmdirSync, rmSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
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
  const report = checkBelow([dirname(place)]);
  const now = new Date();
  for (const name of used) attempt(() => utimesSync(join(place, name), now, now));
  return report;
}

/** Of every installation below the client's directory: a verb does not know the plugin's data directory. */
export function checkAllCaches(base: string): CacheReport {
  const data = join(base, "plugins", "data");
  const ours = pathsIn(data).filter((path) => basename(path).startsWith("swarm-"));
  const places = [join(base, "swarm", "cache"), ...ours];
  return checkBelow(places.map((place) => join(place, "bytecode")));
}

function checkBelow(caches: readonly string[]): CacheReport {
  const report: CacheReport = { intact: 0, damaged: [] };
  for (const directory of caches.flatMap(pathsIn)) {
    if (!lstatSync(directory, { throwIfNoEntry: false })?.isDirectory()) continue; // what a link leads to is not ours
    for (const path of pathsIn(directory)) checkFile(path, report);
    if (pathsIn(directory).length === 0) attempt(() => rmdirSync(directory));
  }
  return report;
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

const pathsIn = (directory: string): string[] =>
  (attempt(() => readdirSync(directory)) ?? []).map((name) => join(directory, name));
