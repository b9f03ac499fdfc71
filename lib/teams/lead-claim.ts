// Who may take a team's lead, by what is known about the one on record and the one that asks.

import type { Paths } from "../core/paths.ts";
import { sessionsBefore } from "../sessions/store/session-chain.ts";
import { readSession } from "../sessions/store/sessions.ts";
import type { Life } from "../system/processes.ts";
import { lifeOfSession } from "./store/lead.ts";
import { isLeadMember, type Member, type Team } from "./store/team.ts";

export interface Claim {
  team: string;
  /** The session that asks for the lead. */
  session: string;
  /** The other member that its processEnvironment says it is. */
  as?: string;
  force: boolean;
  now: Date;
  /** Who asks, for the journal, where that is not the session itself. */
  by?: string;
}

export interface Facts {
  lead: "nobody" | "self" | Life;
  leadEvidence: string;
  asker: Life;
  askerEvidence: string;
  /** The other member this session is on record as. */
  memberName: string | undefined;
  force: boolean;
}

export function whyNotLead(facts: Facts): string | undefined {
  if (facts.force || facts.lead === "self") return undefined;
  if (facts.asker === "gone") return `the session that asks has itself ended: ${facts.askerEvidence}`;
  if (facts.memberName) return `this session is ${facts.memberName} of the team, not a lead`;
  if (facts.lead === "nobody" || facts.lead === "gone") return undefined;
  const verb = facts.lead === "alive" ? "is alive" : "is not proven dead";
  return `the lead ${verb}: ${facts.leadEvidence}`;
}

/** Force was needed. */
export const isHeld = (facts: Facts): boolean => whyNotLead({ ...facts, force: false }) !== undefined;

export function factsOf(paths: Paths, team: Team, { session, as, force }: Claim): Facts {
  const asker = lifeOfSession(paths, session);
  const listed = team.members.find((one) => one.sessionId === session);
  return {
    ...leadOf(paths, team, session),
    asker: asker.is,
    askerEvidence: asker.evidence,
    memberName: listed && !isLeadMember(team, listed) ? listed.name : as,
    force,
  };
}

function leadOf(paths: Paths, team: Team, session: string): Pick<Facts, "lead" | "leadEvidence"> {
  const { leadSessionId } = team;
  if (!leadSessionId) return { lead: "nobody", leadEvidence: "no session is on record as its lead" };
  if (sessionsBefore(paths, session).includes(leadSessionId))
    return { lead: "self", leadEvidence: "this session is on record as its lead" };
  const life = lifeOfSession(paths, leadSessionId, team);
  return { lead: life.is, leadEvidence: life.evidence };
}

export function withLead(paths: Paths, team: Team, session: string, now: Date): Member[] {
  const record = readSession(paths, { session });
  return team.members.map((member) =>
    isLeadMember(team, member)
      ? {
          ...member,
          sessionId: session,
          pid: record?.pid,
          pidStartedAt: record?.pidStartedAt,
          paneId: record?.pane,
          cwd: record?.cwd ?? member.cwd,
          status: "active",
          lastSeen: now.toISOString(),
        }
      : member,
  );
}
