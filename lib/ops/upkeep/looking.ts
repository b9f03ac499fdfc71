// The files as they stand, and what is known about who needs them.
import { relative, sep } from "node:path";
import type { Paths } from "../../core/paths.ts";
import { whyNotSegment } from "../../core/paths.ts";
import { readSession } from "../../sessions/store/sessions.ts";
import { lifeOf, readProcess } from "../../system/processes.ts";
import { readRoster } from "../../teams/store/roster.ts";
import { listTeams } from "../../teams/store/team.ts";
import type { StateFile } from "../store/state-files.ts";
import type { Facts, Placed } from "./leftovers.ts";

/** Below the client's directory; the temp directory's files below `tmp`. */
export function placed(paths: Paths, files: readonly StateFile[]): Placed[] {
  return files.map((file) => {
    const isTemp = relative(paths.base, file.path).startsWith("..");
    const place = isTemp ? `tmp/${relative(paths.tmp, file.path)}` : relative(paths.base, file.path);
    return { ...file, place: place.split(sep).join("/") };
  });
}

export function factsOf(paths: Paths, given: Pick<Facts, "now" | "keepDays" | "isAsked">): Facts {
  const waking = new Set(
    listTeams(paths).flatMap((team) => {
      const roster = readRoster(paths, team);
      return [roster?.leadSessionId, ...(roster?.members ?? []).map(({ sessionId }) => sessionId)];
    }),
  );
  const known = new Map<string, boolean>();
  const lives = (session: string) => {
    const record = whyNotSegment(session) ? undefined : readSession(paths, { session });
    return record !== undefined && !record.endedAt && isRunning(record.pid, record.pidStartedAt);
  };
  return {
    ...given,
    isNeeded: (session) => {
      if (!known.has(session)) known.set(session, waking.has(session) || lives(session));
      return known.get(session) === true;
    },
    isAlive: (pid) => isRunning(pid, readProcess(paths, pid)?.startedAt),
  };
}

/** What cannot be told counts as alive. */
const isRunning = (pid: number | undefined, startedAt: string | undefined) =>
  pid !== undefined && lifeOf({ pid, startedAt }) !== "gone";
