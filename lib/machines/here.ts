// One team's part of this machine.
import type { Paths } from "../core/paths.ts";
import { readSettings, type Settings } from "../core/settings.ts";
import type { Relay } from "./store/relay.ts";

export interface Here {
  paths: Paths;
  team: string;
  machine: string;
  secret: string;
  settings: Settings;
}

/** With the person's own settings: the courier works for all projects of this machine. */
export const hereOf = (paths: Paths, { team, machine, secret }: Relay): Here => ({
  paths,
  team,
  machine,
  secret,
  settings: readSettings(paths, paths.home, undefined).values,
});
