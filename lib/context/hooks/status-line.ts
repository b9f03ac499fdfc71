// The plugin's folder changes with every update: an installed status line is pointed to the new one.
import type * as events from "../../hook/events.ts";
import type { Handler } from "../../hook/run.ts";
import { readInstalled, writeInstalled } from "../store/status-line.ts";

export const sessionStart: Handler<typeof events.SessionStart> = ({ paths, pluginRoot }) => {
  const installed = pluginRoot ? readInstalled(paths) : undefined;
  if (!pluginRoot || !installed || installed.root === pluginRoot) return;
  writeInstalled(paths, { ...installed, root: pluginRoot });
};
