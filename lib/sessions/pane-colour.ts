// The status of a session, shown on its tmux pane. A lazy part: few sessions run in tmux.
import type { Settings } from "../core/settings.ts";
import type { Context } from "../hook/context.ts";
import { PLAIN_PANE, setPaneOptions } from "../system/tmux.ts";
import type { Status } from "./store/sessions.ts";

/** Backgrounds made for a black terminal, by the document Engine hooks; borders in colours of the terminal's own theme. An agent with
 *  nothing to report has the border that the person chose. */
const COLOURS: Record<Status, { background: string; border?: string }> = {
  error: { background: "#3d2020", border: "red" },
  attention: { background: "#081a10", border: "yellow" },
  working: { background: "#080c10", border: "green" },
  checked: { background: "#0a1005", border: "cyan" },
  done: { background: "#0a0a0a" },
};

/** The tmux options to set, without a value to remove one; `undefined` to leave all as they are. */
export function paneOptionsOf(
  settings: Pick<Settings, "display.pane_color" | "display.pane_style">,
  team: string | undefined,
  status: string | undefined,
): Record<string, string | undefined> | undefined {
  const shownOn = settings["display.pane_color"];
  if (shownOn === "off" || (shownOn === "team" && !team)) return undefined;
  if (status === undefined) return PLAIN_PANE;
  const { background, border } = COLOURS[status as Status];
  if (settings["display.pane_style"] === "background") return { "window-style": `bg=${background}` };
  // tmux runs what a format names: no text from outside may be in it.
  const text = `#[fg=${border}]#{pane_index} "#{pane_title}" ${status}#[default]`;
  return { "pane-border-format": border && text };
}

/** Without a status, at the session's end, the pane becomes plain again. */
export function colourPane({ tmux, pane, settings, identity }: Context, status?: string): void {
  const options = paneOptionsOf(settings, identity.team, status);
  if (options && tmux && pane) setPaneOptions(tmux, pane, options);
}
