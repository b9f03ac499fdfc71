// What the client's own files say about this plugin and the variables it sets for itself. Read, never written.

import { readText } from "../../core/files.ts";
import { readForeignJson } from "../../core/json.ts";
import { clientSettingsPath, installedPluginsPath, type Paths } from "../../core/paths.ts";
import { anything, flag, lenient, parserOf, tableOf } from "../../core/schema.ts";

const parseSettings = parserOf(() => lenient({ env: tableOf(anything), enabledPlugins: tableOf(flag) }));

export interface ClientSettings {
  /** Variables of the person's `settings.json`, which the client and its hooks see and a shell does not. */
  env: Record<string, string>;
  isInstalled: boolean;
  /** `undefined` where the settings do not name it. */
  isEnabled: boolean | undefined;
}

export function readClientSettings(paths: Paths): ClientSettings {
  const { env = {}, enabledPlugins = {} } = readForeignJson(clientSettingsPath(paths), parseSettings) ?? {};
  const name = Object.keys(enabledPlugins).find((one) => one.startsWith("swarm@"));
  return {
    env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)])),
    isInstalled: readText(installedPluginsPath(paths))?.includes('"swarm@') === true,
    isEnabled: name === undefined ? undefined : enabledPlugins[name],
  };
}
