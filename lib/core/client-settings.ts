// The person's own settings.json of the client: one member is read or changed at a time, everything else stays as it is.

import { chmodSync, realpathSync, statSync } from "node:fs";
import { readText, writeWhole } from "./files.ts";
import { memberOf, withMember } from "./json-edit.ts" with { loading: "lazy" };
import { clientSettingsPath, type Paths } from "./paths.ts";

const textOf = (paths: Paths) => readText(clientSettingsPath(paths)) || "{}\n";

/** Throws where the file or the member is not what it should be: such a file is never written. */
export function readClientSetting<T>(paths: Paths, name: string, parse: (value: unknown) => T): T {
  try {
    return parse(memberOf(textOf(paths), name));
  } catch (error) {
    throw new Error(
      `${clientSettingsPath(paths)} cannot be used (${(error as Error).message}); it was left alone`,
    );
  }
}

/** `undefined` removes the member. Through a link, and with the permissions the file had. */
export function writeClientSetting(paths: Paths, name: string, value: unknown): void {
  readClientSetting(paths, name, () => undefined);
  const text = withMember(textOf(paths), name, value);
  const asked = clientSettingsPath(paths);
  const stat = statSync(asked, { throwIfNoEntry: false });
  const path = stat ? realpathSync(asked) : asked;
  writeWhole(path, text);
  if (stat) chmodSync(path, stat.mode & 0o777);
}
