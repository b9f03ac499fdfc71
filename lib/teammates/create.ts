// `swarm create` and `swarm join`: a session becomes a team's lead or member.

import { badCall, type Call } from "../cli/command.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import type { Identity, Mailbox } from "../hook/context.ts";
import { isRelayed } from "../machines/store/paths.ts";
import { ensureInbox } from "../mail/store/mailbox-files.ts";
import { moveMail } from "../mail/store/removed-members.ts";
import {
  endMembership,
  findSession,
  isFormer,
  latestRecord,
  sessionsBefore,
  updateMembership,
} from "../sessions/store/sessions.ts";
import { readOpenTasks } from "../tasks/store/select.ts";
import { createTaskList, updateTask } from "../tasks/store.ts";
import {
  isLead,
  isLedBy,
  isMember,
  isNative,
  isRemote,
  LEAD,
  leadOf,
  type Member,
  memberOf,
  readTeam,
  statusOf,
  type Team,
  teamDir,
} from "../teams/store/config.ts";
import { createTeamDirectory } from "../teams/store/directory.ts";
import type { CallOf } from "./commands.ts";
import { refuseIf, requireTeam, requireUsableName, requireWord, teamNameOf } from "./names.ts";
import { changeTeam, isRunning, nextColor, whyTooAlike, withMember, withoutMember } from "./roster.ts";

/** False when the name is taken. From a plain terminal, without a session, the team has no lead yet. */
export function createTeam(own: OwnSession, team: string, description: string | undefined): boolean {
  const { paths, now, session } = own;
  const joinedAt = now.toISOString();
  const agentId = crypto.randomUUID();
  const config = {
    name: team,
    description,
    createdAt: joinedAt,
    leadAgentId: agentId,
    leadSessionId: session,
    status: "active",
    members: [{ ...memberOfSession(own), agentId, name: LEAD, agentType: LEAD, joinedAt }],
  };
  const made = createTeamDirectory(paths, team, config, () => {
    createTaskList(paths, team);
    ensureInbox(paths, team, LEAD);
  });
  if (made && session) recordMembership(paths, session, { team, agent: LEAD, isLead: true }, now);
  return made;
}

/** `cwd` counts where the session's record has none. */
type OwnSession = Pick<Call, "paths" | "now" | "session"> & { cwd: string | undefined };

/** A member that swarm did not start, by the record of its session. */
export function memberOfSession({ paths, now, cwd, session }: OwnSession): Partial<Member> {
  const record = findSession(paths, session);
  return {
    cwd: record?.cwd ?? cwd,
    sessionId: session,
    pid: record?.pid,
    pidStartedAt: record?.pidStartedAt,
    paneId: record?.pane,
    backend: "joined",
    status: session ? "active" : "offline",
    lastSeen: now.toISOString(),
  };
}

export function createVerb(call: CallOf<"create">) {
  const [name, ...description] = call.words;
  if (!name) throw badCall("which name should the team have? swarm create TEAM");
  const team = teamNameOf(call, name);
  refuseInOtherTeam(call.paths, call.subject);
  if (!createTeam(call, team, description.join(" ") || undefined)) {
    const config = readTeam(call.paths, team);
    throw new Error(
      config
        ? `team ${team} already exists (${statusOf(config)}); \`swarm resume ${team}\` continues it`
        : `${teamDir(call.paths, team)} is there without a config.json that can be read; move it away or choose another name`,
    );
  }
  const next = call.session
    ? `You lead it. Next: \`swarm spawn <name> --prompt "…"\` opens a teammate.`
    : `It has no lead yet: \`swarm resume ${team}\` in a session makes that session the lead.`;
  return { text: `Created team ${team}. ${next}`, data: readTeam(call.paths, team) };
}

/** A session belongs to at most one named team: its mail and its tasks need one owner. */
export function refuseInOtherTeam(paths: Paths, { team, agent }: Identity, but?: string): void {
  if (!team || !agent || team === but || isNative(team)) return;
  if (statusOf(readTeam(paths, team)) !== "active") return;
  throw new Error(
    `this session is ${agent} in team ${team}; end that team first (\`swarm cleanup ${team}\`), or use another session`,
  );
}

/** By its present session id, or by one it had before a `/clear`. */
export const leadsTeam = (paths: Paths, team: Team, session: string): boolean =>
  isLedBy(team, { sessions: sessionsBefore(paths, session) });

export function joinVerb(call: CallOf<"join">) {
  const team = teamNameOf(call, call.words[0]);
  const config = requireTeam(call, team);
  const agent = call.flags.name ?? call.words[1] ?? "";
  if (!agent) throw badCall("which name should this session have? --name NAME");
  requireUsableName(agent);
  requireWord("agent type", call.flags.type);
  if (agent === LEAD || isLead(config, { name: agent }))
    throw badCall(`a lead does not join: \`swarm resume ${team}\` takes the lead`);
  if (!call.session)
    throw new Error("only a session can join: run this in Claude Code, or give --session-id");
  if (leadsTeam(call.paths, config, call.session))
    throw new Error(
      `this session leads ${team} as ${leadOf(config)}, and a session has one name in a team; \`swarm spawn ${agent}\` opens a teammate, or another session joins`,
    );
  if (config.status === "suspended")
    throw new Error(
      `the team ${team} is suspended; \`swarm resume ${team}\` in its lead's session brings it back`,
    );
  refuseInOtherTeam(call.paths, call.subject, team);
  let before: Member | undefined;
  let replaced: string | undefined;
  const joined = changeTeam(call.paths, team, (stored) => {
    before = otherNameOf(stored, agent, call);
    replaced = memberOf(stored, agent)?.sessionId;
    return withJoined(stored, agent, call, before);
  });
  ensureInbox(call.paths, team, agent);
  const oldName = before?.name ?? nameBehind(call, team, joined);
  if (oldName) moveBelongings(call.paths, team, oldName, agent);
  if (replaced && !sessionsBefore(call.paths, call.session).includes(replaced))
    replaceSession(call.paths, replaced, { team, agent });
  recordMembership(call.paths, call.session, { team, agent, isLead: false }, call.now);
  const what = isRelayed(call.paths, team) ? ["unread mail", "is"] : ["unread mail and open tasks", "are"];
  const moved = oldName && `\nIt was ${oldName}; ${what[0]} of ${oldName} ${what[1]} now ${agent}'s.`;
  return {
    text: `this session is now ${agent} in team ${team}${moved ?? ""}`,
    data: memberOf(joined, agent),
  };
}

/** A session has one name in a team: under the other one its mail would be read by nobody. */
function otherNameOf(team: Team, name: string, call: CallOf<"join">): Member | undefined {
  const own = sessionsBefore(call.paths, call.session ?? "");
  const other = team.members.find(
    (one) => one.name !== name && own.includes(one.sessionId ?? "") && !isLead(team, one),
  );
  if (other && isStartedAs(call, other.name))
    throw new Error(
      `this session was started as ${other.name} in team ${team.name}, and a session has one name in a team; \`swarm spawn ${name}\` opens a teammate of that name`,
    );
  return other;
}

/** After a join that was interrupted the session's record still has the name that the roster has no more. */
function nameBehind({ subject }: CallOf<"join">, team: string, roster: Team): string | undefined {
  const { agent } = subject;
  if (subject.team !== team || !agent || whyNotSegment(agent)) return undefined;
  return isMember(roster, agent) ? undefined : agent;
}

/** Its environment says so, which nobody can change: verbs refuse a session whose record contradicts it. */
function isStartedAs({ paths, session, sessionId, named, atm }: CallOf<"join">, name: string): boolean {
  const { evidence = [] } = findSession(paths, session) ?? {};
  const own = sessionId === undefined ? [] : [named.agent, atm.identity]; // else a person's, who names another session
  return own.includes(name) || evidence.some((by) => by.startsWith("environment"));
}

/**
 * Unread mail and open tasks, when a member has another name from now on. Of tasks that several machines share, the relay decides:
 * those keep their owner.
 */
export function moveBelongings(paths: Paths, team: string, from: string, to: string): void {
  moveMail(paths, team, from, to);
  if (isRelayed(paths, team)) return;
  for (const { id } of readOpenTasks(paths, team, { owner: from }))
    updateTask(paths, team, id, (task) => (task.owner === from ? { ...task, owner: to } : undefined));
}

function withJoined(team: Team, name: string, call: CallOf<"join">, before: Member | undefined): Team {
  refuseIf(whyTooAlike(team, name));
  const known = memberOf(team, name);
  if (known && isRemote(known))
    throw new Error(`${name} is a member on ${known.machine}; choose another name`);
  if (known && known.sessionId !== call.session && isRunning(known, call.now))
    throw new Error(`${name} is taken by session ${known.sessionId}; choose another name`);
  const same = known ?? before;
  return withMember(before ? withoutMember(team, before.name) : team, {
    ...memberOfSession(call),
    joinedAt: call.now.toISOString(),
    name,
    agentId: same?.agentId ?? crypto.randomUUID(),
    agentType: call.flags.type ?? same?.agentType,
    color: same?.color ?? nextColor(team),
  });
}

export function recordMembership(paths: Paths, session: string, mailbox: Mailbox, now: Date): void {
  const at = now.toISOString();
  const blank = { session, state: "active", status: "working", startedAt: at, lastSeen: at } as const;
  updateMembership(paths, session, (stored = blank) => ({
    ...stored,
    ...mailbox,
    formerly: isFormer(stored, mailbox) ? undefined : stored.formerly,
    kind: mailbox.isLead ? "lead" : "named",
    evidence: [mailbox.isLead ? "swarm create" : "swarm join"],
  }));
}

/** Another session is this member from now on. The old one is not, under any id that it had, also when it is resumed. */
export function replaceSession(
  paths: Paths,
  session: string | undefined,
  member: { team: string; agent?: string },
) {
  const latest = latestRecord(paths, session)?.session;
  const all = latest === undefined ? [] : [latest, ...sessionsBefore(paths, latest)];
  for (const one of new Set(all)) endMembership(paths, one, member);
}

export const clearMembership = (paths: Paths, session: string, team: string): void =>
  updateMembership(paths, session, (stored) =>
    stored?.team === team
      ? { ...stored, team: undefined, agent: undefined, isLead: undefined, kind: "solo" }
      : undefined,
  );
