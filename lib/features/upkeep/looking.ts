// The files as they stand, and what is known about who needs them.
import { relative, sep } from "node:path";
import type { Places } from "../../store/paths.ts";
import { whyNotSegment } from "../../store/paths.ts";
import { lifeOf, readProcess } from "../../store/processes.ts";
import { readRoster } from "../../store/roster.ts";
import { readSession } from "../../store/sessions.ts";
import type { StateFile } from "../../store/state-files.ts";
import { listTeams } from "../../store/team.ts";
import type { Facts, Placed } from "./leftovers.ts";

/** Below the client's directory; the temp directory's files below `tmp`. */
export function placed(places: Places, files: readonly StateFile[]): Placed[] {
  return files.map((file) => {
    const isTemp = relative(places.base, file.path).startsWith("..");
    const place = isTemp ? `tmp/${relative(places.tmp, file.path)}` : relative(places.base, file.path);
    return { ...file, place: place.split(sep).join("/") };
  });
}

export function factsOf(places: Places, given: Pick<Facts, "now" | "keepDays" | "isAsked">): Facts {
  const waking = new Set(
    listTeams(places).flatMap((team) => {
      const roster = readRoster(places, team);
      return [roster?.leadSessionId, ...(roster?.members ?? []).map(({ sessionId }) => sessionId)];
    }),
  );
  const known = new Map<string, boolean>();
  const lives = (session: string) => {
    const record = whyNotSegment(session) ? undefined : readSession(places, { session });
    return record !== undefined && !record.endedAt && isRunning(record.pid, record.pidStartedAt);
  };
  return {
    ...given,
    isNeeded: (session) => {
      if (!known.has(session)) known.set(session, waking.has(session) || lives(session));
      return known.get(session) === true;
    },
    isAlive: (pid) => isRunning(pid, readProcess(places, pid)?.startedAt),
  };
}

/** What cannot be told counts as alive. */
const isRunning = (pid: number | undefined, startedAt: string | undefined) =>
  pid !== undefined && lifeOf({ pid, startedAt }) !== "gone";
