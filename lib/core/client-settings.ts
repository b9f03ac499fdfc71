// The person's own settings.json of the client: one property is read or changed at a time, everything else stays as it is. And what the
// client's files say about this plugin and the variables it sets for itself: read, never written.
import { chmodSync, realpathSync, statSync } from "node:fs";
import { readText, writeWhole } from "./files.ts";
import { readForeignJson } from "./json.ts";
import { propertyOf, withProperty } from "./json-edit.ts" with { loading: "lazy" };
import { clientSettingsPath, installedPluginsPath, type Paths } from "./paths.ts";
import { object, table } from "./shape.ts";

const textOf = (paths: Paths) => readText(clientSettingsPath(paths)) || "{}\n";

/** Throws where the file or the property is not what it should be: such a file is never written. */
export function readClientSetting<T>(paths: Paths, name: string, parse: (value: unknown) => T): T {
  try {
    return parse(propertyOf(textOf(paths), name));
  } catch (error) {
    throw new Error(
      `${clientSettingsPath(paths)} cannot be used (${(error as Error).message}); it was left alone`,
    );
  }
}

/** `undefined` removes the property. Through a link, and with the permissions the file had. */
export function writeClientSetting(paths: Paths, name: string, value: unknown): void {
  readClientSetting(paths, name, () => undefined);
  const text = withProperty(textOf(paths), name, value);
  const asked = clientSettingsPath(paths);
  const stat = statSync(asked, { throwIfNoEntry: false });
  const path = stat ? realpathSync(asked) : asked;
  writeWhole(path, text);
  if (stat) chmodSync(path, stat.mode & 0o777);
}

/** A plugin has a flag or a list of versions. */
const shape = /* @__PURE__ */ object({ env: table, enabledPlugins: table });

export type ClientSettings = ReturnType<typeof readClientSettings>;

export function readClientSettings(paths: Paths) {
  const { env = {}, enabledPlugins = {} } = readForeignJson(clientSettingsPath(paths), shape) ?? {};
  return {
    /** Variables of the person's `settings.json`, which the client and its hooks see and a shell does not. */
    env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)])),
    isInstalled: readText(installedPluginsPath(paths))?.includes('"swarm@') === true,
    /** `undefined` where the settings do not name it. */
    isEnabled: Object.entries(enabledPlugins).find(([name]) => name.startsWith("swarm@"))?.[1],
  };
}
