// The status of a session, shown on its tmux pane. A lazy part: few sessions run in tmux.
import type { Context } from "../hook/context.ts";
import { PLAIN_PANE, setPaneOptions } from "../system/tmux.ts";
import type { Status } from "./store/sessions.ts";

/** Made for a black terminal, by the document Engine hooks. */
const BACKGROUNDS: Record<Status, string> = {
  error: "#3d2020",
  attention: "#081a10",
  working: "#080c10",
  checked: "#0a1005",
  done: "#0a0a0a",
};

/** Colours of the terminal's own theme. An agent with nothing to report has the border that the person chose. */
const BORDERS: Record<Status, string | undefined> = {
  error: "red",
  attention: "yellow",
  working: "green",
  checked: "cyan",
  done: undefined,
};

interface PaneStyle {
  shownOn: "team" | "always" | "off";
  where: "border" | "background";
}

/** The tmux options to set, without a value to remove one; `undefined` to leave all as they are. */
export function paneOptionsOf(
  { shownOn, where }: PaneStyle,
  team: string | undefined,
  status: Status | undefined,
  before: Status | undefined,
): Record<string, string | undefined> | undefined {
  if (shownOn === "off" || (shownOn === "team" && !team)) return undefined;
  if (status === undefined) return PLAIN_PANE;
  if (status === before) return undefined;
  if (where === "background") return { "window-style": `bg=${BACKGROUNDS[status]}` };
  const colour = BORDERS[status];
  // tmux runs what a format names: no text from outside may be in it.
  const text = `#[fg=${colour}]#{pane_index} "#{pane_title}" ${status}#[default]`;
  return { "pane-border-format": colour && text };
}

/** Without a status, at the session's end, the pane becomes plain again. */
export function colourPane(
  { tmux, pane, settings, identity }: Context,
  status?: string,
  before?: string,
): void {
  const style = { shownOn: settings["display.pane_color"], where: settings["display.pane_style"] };
  const options = paneOptionsOf(style, identity.team, status as Status, before as Status);
  if (options && tmux && pane) setPaneOptions(tmux, pane, options);
}
