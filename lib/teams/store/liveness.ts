// Whether a session or a member is alive, by evidence: the end on its session's record, then its process, then its pane. `gone` only
// with proof; a session is followed through `/clear` to the id it has now.
import { type Paths, whyNotSegment } from "../../core/paths.ts";
import { latestRecord } from "../../sessions/store/sessions.ts";
import { type Life, lifeOf } from "../../system/processes.ts";
import { listPanes } from "../../system/tmux.ts";
import type { Member, Team } from "./config.ts";

export interface Liveness {
  life: Life;
  /** One line a person can check. */
  evidence: string;
}

export function lifeOfMember(paths: Paths, member: Member): Liveness {
  const { life, endedAt, pid } = examine(paths, member.sessionId, member);
  if (endedAt) return { life, evidence: `its session ended at ${endedAt}` };
  if (life === "gone") return { life, evidence: `process ${pid} has ended` };
  if (life === "alive") return { life, evidence: `process ${pid} is running` };
  if (isPaneClosed(member)) return { life: "gone", evidence: `pane ${member.paneId} is closed` };
  return { life, evidence: pid ? `process ${pid} may be running` : "no process on record" };
}

export function lifeOfSession(paths: Paths, session: string, team?: Team): Liveness {
  if (whyNotSegment(session)) return { life: "unknown", evidence: "its id is not a session id" };
  const member = team?.members.find(({ sessionId }) => sessionId === session);
  const { life, endedAt, endReason, pid, current = session, source } = examine(paths, session, member);
  const of = `of session ${current}`;
  if (endedAt)
    return { life, evidence: `session ${current} ended at ${endedAt} (${endReason ?? "no reason given"})` };
  if (!pid) return { life, evidence: `nothing is known about session ${current} but its id` };
  if (life === "gone") return { life, evidence: `process ${pid} ${of} is gone (${source})` };
  if (life === "alive") return { life, evidence: `process ${pid} ${of} is running (${source})` };
  const why = "its start time cannot be compared";
  return { life, evidence: `process ${pid} ${of} may be running; ${why} (${source})` };
}

/** `listed` is what the team's config knows of its process. */
function examine(
  paths: Paths,
  session: string | undefined,
  listed: Pick<Member, "pid" | "pidStartedAt"> | undefined,
) {
  const record = session ? latestRecord(paths, session) : undefined;
  const { endedAt, endReason } = record ?? {};
  const { pid, pidStartedAt } = record?.pid ? record : (listed ?? {});
  return {
    life: endedAt ? ("gone" as const) : lifeOf({ pid, startedAt: pidStartedAt }),
    endedAt,
    endReason,
    pid,
    current: record?.session,
    source: record?.pid ? `last seen ${record.lastSeen}` : "from the team's config",
  };
}

function isPaneClosed({ paneId, socket, backend }: Member): boolean {
  if (!paneId || !socket || backend === "kitty") return false;
  return listPanes(socket)?.has(paneId) === false;
}
