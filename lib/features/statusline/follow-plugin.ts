// The plugin's folder moves with every update; an installed status line follows it.
import type * as events from "../../run/events.ts";
import type { Handler } from "../../run/hook.ts";
import { readInstalled, writeInstalled } from "../../store/statusline.ts";

export const sessionStart: Handler<typeof events.SessionStart> = ({ places, pluginRoot }) => {
  const installed = pluginRoot ? readInstalled(places) : undefined;
  if (!pluginRoot || !installed || installed.root === pluginRoot) return;
  writeInstalled(places, { ...installed, root: pluginRoot });
};
