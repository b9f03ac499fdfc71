// Whether a member still lives, from evidence: its process, its session's last word, its pane. `gone` only with proof.

import { type Paths, whyNotSegment } from "../../core/paths.ts";
import { readSession, sessionsAfter } from "../../sessions/store/sessions.ts";
import { type Life, lifeOf } from "../../system/processes.ts";
import { listPanes } from "../../system/tmux.ts";
import type { Member, Team } from "./config.ts";

export interface MemberLife {
  life: Life;
  /** What was seen, for whoever has to believe it. */
  proof?: string;
}

export function lifeOfMember(paths: Paths, member: Member): MemberLife {
  const life = lifeOf({ pid: member.pid, startedAt: member.pidStartedAt });
  if (life === "alive") return { life };
  if (life === "gone") return { life, proof: `process ${member.pid} has ended` };
  const ended = member.sessionId ? readSession(paths, { session: member.sessionId })?.endedAt : undefined;
  if (ended) return { life: "gone", proof: `its session ended at ${ended}` };
  return isPaneClosed(member)
    ? { life: "gone", proof: `pane ${member.paneId} is closed` }
    : { life: "unknown" };
}

function isPaneClosed({ paneId, socket, backend }: Member): boolean {
  if (!paneId || typeof socket !== "string" || backend === "kitty") return false;
  return listPanes(socket)?.has(paneId) === false;
}

// Is the session that leads a team still there? `gone` only with proof: its end was seen, or its process is no more.
export interface LifeOf {
  is: Life;
  /** One line a person can check. */
  evidence: string;
  /** The session it goes by now, after `/clear`. */
  session: string;
}

export function lifeOfSession(paths: Paths, session: string, team?: Team): LifeOf {
  if (whyNotSegment(session)) return { is: "unknown", evidence: "its id is not a session id", session };
  const now = sessionsAfter(paths, session).at(-1) ?? session;
  const record = readSession(paths, { session: now });
  if (record?.endedAt)
    return {
      is: "gone",
      evidence: `session ${now} ended at ${record.endedAt} (${record.endReason ?? "no reason given"})`,
      session: now,
    };
  const member = team?.members.find((one) => one.sessionId === now);
  const { pid, startedAt, by } = record?.pid
    ? { pid: record.pid, startedAt: record.pidStartedAt, by: `last seen ${record.lastSeen}` }
    : { pid: member?.pid, startedAt: member?.pidStartedAt, by: "from the team's config" };
  const is = lifeOf({ pid, startedAt });
  return { is, evidence: inWords(is, now, pid, by), session: now };
}

function inWords(is: Life, session: string, pid: number | undefined, by: string): string {
  if (!pid) return `nothing is known about session ${session} but its id`;
  if (is === "gone") return `process ${pid} of session ${session} is gone (${by})`;
  if (is === "alive") return `process ${pid} of session ${session} is running (${by})`;
  return `process ${pid} of session ${session} may be running; its start time cannot be compared (${by})`;
}
