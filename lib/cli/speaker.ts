// Who speaks in a verb. Inside a session (the client names it in the environment) that is whom the session's record says,
// else the member its environment names; a name that another session holds is refused. Outside any session it is a person.
// A process that forges its environment is not kept out: it runs as the same user and could write the files itself.

import { type Paths, whyNotSegment } from "../core/paths.ts";
import { type Identity, isChildSession, type Kind, NOBODY } from "../hook/context.ts";
import type { Environment } from "../hook/environment.ts";
import { isFormer, readSession, type SessionRecord, sessionsBefore } from "../sessions/store/sessions.ts";
import { lifeOf } from "../system/processes.ts";
import {
  findNativeMember,
  isMember,
  isNative,
  leadOf,
  type Member,
  memberOf,
  readTeam,
} from "../teams/store/config.ts";

/** `defaultTeam` only says which team is meant where none is named; it makes nobody a member. */
export function speakerOf(
  environment: Environment,
  session: string | undefined,
  defaultTeam: string | undefined,
): Identity {
  const team = environment.named.team ?? environment.atm.team ?? defaultTeam;
  if (!session) return { ...NOBODY, kind: environment.insideClient ? "solo" : "person", team };
  const record = readSession(environment.paths, { session });
  const known = identityIn(record);
  const claimed = isChildSession(session, environment)
    ? undefined
    : claimOf(environment, session, record, known);
  return known ?? claimed ?? nativeOf(environment, session) ?? { ...NOBODY, team };
}

/** Whom a session's record names; what a project's file said about itself makes no member. */
export function identityIn(record: SessionRecord | undefined): Identity | undefined {
  if (!record?.team || !record.agent) return undefined;
  const { team, agent, isLead = false, kind = isLead ? "lead" : "named" } = record;
  return { kind: kind as Kind, team, agent, isLead, evidence: ["session record"] };
}

/** Throws where the environment names a member that another session is. */
function claimOf(
  { named, atm, paths }: Environment,
  session: string,
  record: SessionRecord | undefined,
  known: Identity | undefined,
): Identity | undefined {
  const claims = [
    ["environment", "CLAUDE_CODE_AGENT_NAME", named.team ?? atm.team, named.agent],
    ["environment ATM_*", "ATM_IDENTITY", atm.team ?? named.team, atm.identity],
  ] as const;
  for (const [by, variable, team = record?.team, agent] of claims) {
    if (!team || !agent || isNative(team) || whyNotSegment(team)) continue;
    if (known?.team === team && known.agent === agent) continue;
    if (record && isFormer(record, { team, agent })) continue;
    const roster = readTeam(paths, team);
    if (!roster || !isMember(roster, agent)) continue;
    const member = memberOf(roster, agent);
    const isLead = leadOf(roster) === agent;
    const holder = member?.sessionId ?? (isLead ? roster.leadSessionId : undefined);
    const isOwn = holder !== undefined && sessionsBefore(paths, session).includes(holder);
    if (!isOwn && (known || isHeld(paths, holder, member)))
      throw new Error(
        `${variable} names ${agent} of team ${team}, but this session is ${known ? `${known.agent} of team ${known.team}` : `not the one ${agent} runs in`}; nothing was done`,
      );
    if (!known) return { kind: isLead ? "lead" : "named", team, agent, isLead, evidence: [by] };
  }
  return undefined;
}

function isHeld(paths: Paths, holder: string | undefined, member: Member | undefined): boolean {
  if (!holder || whyNotSegment(holder) || member?.status === "offline") return false;
  const record = readSession(paths, { session: holder });
  if (record?.endedAt) return false;
  const known = member?.pid ? { pid: member.pid, startedAt: member.pidStartedAt } : undefined;
  return lifeOf(known ?? { pid: record?.pid, startedAt: record?.pidStartedAt }) !== "gone";
}

function nativeOf({ paths, clientPid, pane }: Environment, session: string): Identity | undefined {
  const found = findNativeMember(paths, { session, clientPid, pane });
  if (!found) return undefined;
  const { team, agent, isLead, kind } = found;
  return { kind, team, agent, isLead, evidence: ["native team config"] };
}
