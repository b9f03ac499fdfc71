// The situation of a real run: the paths, the policy, the other agents on this machine.

import { realPath } from "../core/real-path.ts";
import type { Environment } from "../hook/environment.ts";
import { agentsOf } from "./agents.ts" with { loading: "lazy" };
import { type GuardRules, policyOf } from "./guard-rules.ts";
import { exists, isDirectory, workedMs } from "./probe.ts";
import type { Attendance, Situation } from "./situation.ts";

/** A command is read in a few milliseconds; this much work means that it was made to take long. */
const DEADLINE_MS = 250;

export type Around = Pick<
  Environment,
  "paths" | "projectDir" | "clientPid" | "now" | "mode" | "attended" | "entrypoint" | "named"
> & { cwd: string };

/**
 * Unattended: mission and background sessions, headless clients, and clients that were started as a teammate, which show a
 * question in a pane where usually nobody looks. Unknown counts as attended: an interactive client shows the question in every
 * permission mode, and `-p` takes it for a denial.
 */
export function attendanceOf({ mode, attended, entrypoint, named }: Around): Attendance {
  const isHeadless = attended === false || entrypoint === "sdk-cli";
  const isTeammate = named.agentId !== undefined && named.agentId !== named.leadId;
  return mode !== "interactive" || isHeadless || isTeammate ? "unattended" : "attended";
}

const isInside = (path: string, root: string) =>
  path === root || path.startsWith(`${root.replace(/[\\/]$/, "")}/`);

export function situationOf(environment: Around, settings: GuardRules): Situation {
  const { paths, cwd, projectDir, clientPid, now } = environment;
  return {
    cwd,
    project: projectDir !== undefined && isInside(cwd, projectDir) ? projectDir : cwd,
    home: paths.home,
    temp: paths.tmp,
    base: paths.base,
    agents: () => agentsOf(paths, clientPid),
    policy: policyOf(settings),
    attendance: attendanceOf(environment),
    probe: { realPath, isDirectory: (path) => isDirectory(path), exists },
    now: now.getTime(),
    clock: workedMs,
    deadlineMs: DEADLINE_MS,
  };
}
