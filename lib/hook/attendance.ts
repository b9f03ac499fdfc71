// Whether a person can answer a question in this very session.
import type { Environment } from "./environment.ts";

export type Attendance = "attended" | "unattended";

/**
 * Unattended: mission and background sessions, headless clients, and clients that were started as a teammate, which show a
 * question in a pane where usually nobody looks. Unknown counts as attended: an interactive client shows the question in every
 * permission mode, and `-p` takes it for a denial.
 */
export function attendanceOf({
  mode,
  attended,
  entrypoint,
  named,
}: Pick<Environment, "mode" | "attended" | "entrypoint" | "named">): Attendance {
  const isHeadless = attended === false || entrypoint === "sdk-cli";
  const isTeammate = named.agentId !== undefined && named.agentId !== named.leadId;
  return mode !== "interactive" || isHeadless || isTeammate ? "unattended" : "attended";
}
