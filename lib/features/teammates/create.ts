// `swarm create` and `swarm join`: a session becomes the lead or a member, and is known as such from then on.
import { badCall, type Call } from "../../run/command.ts";
import { type Identity, LEAD } from "../../run/identity.ts";
import { isNative } from "../../store/native-teams.ts";
import type { Places } from "../../store/paths.ts";
import { readSession } from "../../store/sessions.ts";
import { type Member, memberOf, readTeam, type Team, updateTeam } from "../../store/team.ts";
import { createTeamDirectory, makeInbox } from "../../store/team-directory.ts";
import { adopt } from "./membership.ts";
import { whyBadName, whyBadWord } from "./names.ts";
import { isRunning, nextColour, withMember } from "./roster.ts";
import { teamNameOf, teamOf } from "./team-of.ts";

export interface Founding {
  places: Places;
  now: Date;
  cwd: string;
  team: string;
  description: string | undefined;
  /** Without a session, as from a plain terminal, nobody leads yet. */
  session: string | undefined;
}

/** False when the name is taken. */
export function foundTeam(founding: Founding): boolean {
  const { places, now, team, description, session } = founding;
  const { randomUUID } = require("node:crypto") as typeof import("node:crypto");
  const lead = { ...memberOfSession(founding), agentId: randomUUID(), name: LEAD, agentType: LEAD };
  const made = createTeamDirectory(places, team, {
    name: team,
    description,
    createdAt: now.toISOString(),
    leadAgentId: lead.agentId,
    leadSessionId: session,
    status: "active",
    members: [lead],
  });
  if (made && session) adopt(places, session, { team, agent: LEAD, isLead: true }, now);
  return made;
}

export function memberOfSession({
  places,
  now,
  cwd,
  session,
}: Omit<Founding, "team" | "description">): Partial<Member> {
  const at = now.toISOString();
  const record = session ? readSession(places, { session }) : undefined;
  return {
    joinedAt: at,
    cwd: record?.cwd ?? cwd,
    sessionId: session,
    pid: record?.pid,
    pidStartedAt: record?.pidStartedAt,
    paneId: record?.pane,
    backend: "joined",
    status: session ? "active" : "offline",
    lastSeen: at,
  };
}

type CreateFlags = { "session-id": { type: "string" } };

export function createVerb(call: Call<CreateFlags>) {
  const [name, ...description] = call.words;
  const team = teamNameOf(call, name ?? "");
  const bound = whyBound(call.identity, (other) => readTeam(call.places, other)?.status);
  if (bound) throw new Error(bound);
  const founding = { ...call, team, description: description.join(" ") || undefined };
  if (!foundTeam(founding)) throw new Error(taken(team, readTeam(call.places, team)));
  const next = call.session
    ? `You lead it. Next: \`swarm spawn <name> --prompt "…"\` opens a teammate.`
    : `Nobody leads it yet: \`swarm resume ${team}\` in a session makes that session the lead.`;
  return { text: `team ${team} is made. ${next}`, data: readTeam(call.places, team) };
}

const taken = (team: string, there: Team | undefined) =>
  `there is a team ${team} already${there?.status ? ` (${there.status})` : ""}; \`swarm resume ${team}\` goes on with it`;

/** One session, one named team: its mail and its tasks would have two owners otherwise. */
export function whyBound(
  identity: Identity,
  statusOf: (team: string) => string | undefined,
): string | undefined {
  const { team, agent } = identity;
  if (!team || !agent || isNative(team) || statusOf(team) !== "active") return undefined;
  return `this session is ${agent} in the team ${team}; end that first (\`swarm cleanup ${team}\`), or use another session`;
}

type JoinFlags = Record<"name" | "type" | "session-id", { type: "string" }>;

export function joinVerb(call: Call<JoinFlags>) {
  const team = teamNameOf(call, call.words[0]);
  const agent = call.flags.name ?? call.words[1];
  const bad = whyBadName(agent) ?? whyBadWord("agent type", call.flags.type);
  if (bad || !agent) throw badCall(bad ?? "--name is needed");
  if (agent === LEAD) throw badCall(`a lead does not join: \`swarm resume ${team}\` takes the lead`);
  if (!call.session)
    throw new Error("only a session can join: call this from Claude Code, or give --session-id");
  if (teamOf(call, team).status === "suspended") throw new Error(`the team ${team} is suspended`);
  if (call.identity.team !== team) {
    const bound = whyBound(call.identity, (other) => readTeam(call.places, other)?.status);
    if (bound) throw new Error(bound);
  }
  const joined = updateTeam(call.places, team, (stored) => stored && withJoined(stored, agent, call));
  makeInbox(call.places, team, agent);
  adopt(call.places, call.session, { team, agent, isLead: false }, call.now);
  return {
    text: `this session is ${agent} in the team ${team} now`,
    data: joined && memberOf(joined, agent),
  };
}

function withJoined(team: Team, name: string, call: Call<JoinFlags>): Team {
  const known = memberOf(team, name);
  if (known?.["machine"]) throw new Error(`${name} is a member on ${known["machine"]}; choose another name`);
  if (known && known.sessionId !== call.session && isRunning(known, call.now))
    throw new Error(`${name} is taken by session ${known.sessionId}; choose another name`);
  const { randomUUID } = require("node:crypto") as typeof import("node:crypto");
  return withMember(team, {
    ...memberOfSession(call),
    name,
    agentId: known?.agentId ?? randomUUID(),
    agentType: call.flags.type ?? known?.agentType,
    color: known?.color ?? nextColour(team),
  });
}
