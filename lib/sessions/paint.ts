// The status as the pane's background: visible across a wall of panes, silent everywhere else.
import { colourOf, type Status } from "./moves.ts";

/** A colour, `none` to take it away at the end, or nothing to do. */
export function paintOf(
  setting: "team" | "always" | "off",
  team: string | undefined,
  status: Status | undefined,
  before: Status | undefined,
): string | undefined {
  if (setting === "off" || (setting === "team" && !team)) return undefined;
  if (status === undefined) return "none";
  return status === before ? undefined : colourOf(status);
}
