// The state directory: damaged files, abandoned locks, growth, and whether other users may read it.

import { DAMAGED, HALF_WRITTEN, MB } from "../../core/file-kind.ts";
import { JOURNAL } from "../../core/journal.ts";
import { STALE_AFTER_MS } from "../../core/lock.ts";
import { counted, sizeText } from "../../core/text.ts";
import { kindOf } from "../file-kinds.ts";
import { bytesOf, HALF_WRITTEN_MS, isOurs, type StateFile } from "../store/state-files.ts";
import { type Finding, ok, some, warn, warnIfAny } from "./finding.ts";

/** The error log is turned over at one megabyte, a day's journal at eight. */
const MOST_JOURNAL_BYTES = 200 * MB;
const MOST_FILE_BYTES = 10 * MB;

export function fileFindings(files: readonly StateFile[], now: Date, knowsModes: boolean): Finding[] {
  const found = [...leftBehind(files, now), ...growth(files), ...(knowsModes ? openness(files) : [])];
  if (found.length > 0) return found;
  const size = `${counted(files.length, "entry", "entries")}, ${sizeText(bytesOf(files))}`;
  return ok("the state directory is in order", size);
}

export const isDamaged = ({ name }: StateFile) => kindOf(name) === DAMAGED;
export const isLeftLock = ({ name, isDirectory, changed }: StateFile, now: Date) =>
  isDirectory && name.endsWith(".lock") && ageOf(changed, now) > STALE_AFTER_MS;
export const isLeftTemp = ({ name, changed }: StateFile, now: Date) =>
  kindOf(name) === HALF_WRITTEN && ageOf(changed, now) > HALF_WRITTEN_MS;

function leftBehind(files: readonly StateFile[], now: Date): Finding[] {
  const damaged = files.filter(isDamaged);
  const locks = files.filter((file) => isLeftLock(file, now));
  const temps = files.filter((file) => isLeftTemp(file, now));
  return [
    ...warnIfAny(
      damaged.map(({ path }) => path),
      `${counted(damaged.length, "damaged file was", "damaged files were")} set aside`,
      "look whether something in them is missed (a message, a member); `swarm doctor --fix` deletes them",
    ),
    ...warnIfAny(
      locks.map(({ path, changed }) => `${path} (${Math.round(ageOf(changed, now) / 1000)} s old)`),
      `${counted(locks.length, "lock")} left behind`,
      "nothing to do: the next process that needs the file takes the lock over; `swarm doctor --fix` does it now",
    ),
    ...warnIfAny(
      temps.map(({ path }) => path),
      `${counted(temps.length, "half-written file")} of processes that were killed`,
      "the files they were to replace are whole; `swarm doctor --fix` deletes them",
    ),
  ];
}

function growth(files: readonly StateFile[]): Finding[] {
  const journal = files.filter(({ name }) => kindOf(name) === JOURNAL);
  const bytes = bytesOf(journal);
  const large = files.filter(({ isDirectory, size }) => !isDirectory && size > MOST_FILE_BYTES);
  return [
    ...warnIfAny(
      bytes > MOST_JOURNAL_BYTES ? [counted(journal.length, "file")] : [],
      `the journal has grown to ${sizeText(bytes)}`,
      "`swarm gc` removes days older than gc.keep_days",
    ),
    ...warnIfAny(
      large.map(({ path, size }) => `${path}: ${sizeText(size)}`),
      `${counted(large.length, "file is", "files are")} larger than ${sizeText(MOST_FILE_BYTES)}`,
      "an inbox takes no more mail at 12 MB: let its owner read it (`swarm inbox`); a log may be deleted",
    ),
  ];
}

function openness(files: readonly StateFile[]): Finding[] {
  const [root] = files;
  const open = files.filter((file) => isOurs(file) && (file.mode & 0o077) !== 0);
  const evidence = open.map(({ path, mode }) => `${path}: ${mode.toString(8).padStart(4, "0")}`);
  const what = "other users of this machine can read the state directory";
  if (root && open.includes(root)) return warn(what, some(evidence), `chmod -R go-rwx ${root.path}`);
  return open.length > 0 ? ok("others cannot get into the state directory", ...some(evidence)) : [];
}

const ageOf = (changed: Date, now: Date) => now.getTime() - changed.getTime();
