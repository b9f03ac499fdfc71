// Read, change, write under the file's lock. Keys we do not know survive: schemas are loose.
import { withLock } from "./lock.ts";
import { type Reader, readJson } from "./read-json.ts";
import { writeJson } from "./write-file.ts";

export interface UpdateOptions {
  waitMs?: number;
  durable?: boolean;
}

/** `change` gets the stored value or `undefined`; what it returns is written, `undefined` leaves the file alone. */
export function updateJson<T>(
  path: string,
  reader: Reader<T>,
  change: (stored: T | undefined) => T | undefined,
  options: UpdateOptions = {},
): T | undefined {
  return withLock(
    path,
    (held) => {
      const changed = change(readJson(path, reader));
      if (changed === undefined) return undefined;
      writeJson(path, changed, { ...options, beforeRename: held.check });
      return changed;
    },
    options.waitMs,
  );
}
