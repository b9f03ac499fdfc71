// Read, change, write under the file's lock. Keys we do not know survive: schemas are loose.
import type * as z from "zod/mini";
import { withLock } from "./lock.ts";
import { readJson } from "./read-json.ts";
import { writeJson } from "./write-file.ts";

export interface UpdateOptions {
  waitMs?: number;
  durable?: boolean;
}

/** `change` gets the stored value or `undefined`; what it returns is written, `undefined` leaves the file alone. */
export function updateJson<S extends z.ZodMiniType>(
  path: string,
  schema: S,
  change: (stored: z.output<S> | undefined) => z.output<S> | undefined,
  options: UpdateOptions = {},
): z.output<S> | undefined {
  return withLock(
    path,
    (held) => {
      const changed = change(readJson(path, schema));
      if (changed === undefined) return undefined;
      writeJson(path, changed, { ...options, beforeRename: held.check });
      return changed;
    },
    options.waitMs,
  );
}
