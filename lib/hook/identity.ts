// Who speaks, and for which team. Pure: it weighs evidence that others gathered and says which it used.
// Order: payload, the client's own command line, environment (Claude Swarm's variables, then ATM's), session record, the
// native team's config, the variables of its kitty window. A project's file is no evidence: anyone can write one.

import { whyNotSegment } from "../core/paths.ts";
import { once } from "../core/process.ts";
import { inProcessName } from "../sessions/store/sessions.ts";
import { lifeOf } from "../system/processes.ts";
import { isNative, isRemote, LEAD, type Member } from "../teams/store/config.ts";
import type { Context } from "./context.ts";

/** The speaker of a verb outside any session; no member can have this name. */
export const PERSON = "person";

export type Kind = "person" | "solo" | "lead" | "named" | "pane" | "in-process" | "subagent";

export interface Identity {
  kind: Kind;
  team: string | undefined;
  /** The name others use; `undefined` outside a team. */
  agent: string | undefined;
  isLead: boolean;
  /** A subagent's parent, by name, and whether it leads the team. */
  parent?: string;
  isParentLead?: boolean;
  evidence: string[];
}

/** How others see the speaker, in this team or from outside it. */
export function shownAs(
  { kind, agent, team: own }: Identity,
  session: string | undefined,
  team?: string,
): string {
  if (kind === "person") return PERSON;
  if (agent && (own === team || !own)) return agent;
  if (agent) return `${agent}@${own}`;
  return session ? `solo-${session.slice(0, 8)}` : "solo";
}

export interface Claim {
  team?: string;
  agent?: string;
  isLead?: boolean;
  kind?: Kind;
}

export interface Evidence {
  payload: { agent_id?: string; agent_type?: string; teammate_name?: string; team_name?: string };
  named: { team?: string; agent?: string; agentId?: string; agentType?: string; leadId?: string };
  atm: { team?: string; identity?: string };
  record: () => Claim | undefined;
  /** From the native teams' files: by the client's command line or pane, or as their lead. */
  native: () => (Claim & { by: "process" | "pane" | "lead" }) | undefined;
  /** From the variables of the terminal window it runs in. */
  window?: () => Claim | undefined;
}

/** A teammate in a process of its own: its session is an agent's, not a coordinator's. */
export const isTeammateSession = ({ kind, isLead, agent }: Identity): boolean =>
  (kind === "named" || kind === "pane") && !isLead && agent !== undefined;

export function resolveIdentity(evidence: Evidence): Identity {
  const { agent_id, agent_type, teammate_name, team_name } = evidence.payload;
  const speaker = resolveSession(evidence);
  if (agent_id) return insideSession(agent_id, agent_type, team_name, speaker);
  if (!teammate_name) return speaker;
  const shares = speaker.isLead && speaker.agent !== teammate_name;
  return {
    kind: speaker.kind === "named" ? "named" : shares ? "in-process" : "pane",
    team: team_name || speaker.team,
    agent: teammate_name,
    isLead: teammate_name === LEAD,
    evidence: ["payload teammate_name"],
  };
}

/** An agent inside a session: an in-process teammate carries its name in both id and type. */
function insideSession(
  id: string,
  type: string | undefined,
  team: string | undefined,
  speaker: Identity,
): Identity {
  const name = inProcessName(id);
  if (name && name === type)
    return {
      kind: "in-process",
      team: team || speaker.team,
      agent: name,
      isLead: false,
      evidence: ["payload agent_id"],
    };
  return {
    kind: "subagent",
    team: speaker.team,
    agent: type || id,
    isLead: false,
    parent: speaker.agent,
    isParentLead: speaker.isLead,
    evidence: ["payload agent_id", ...speaker.evidence],
  };
}

function resolveSession(evidence: Evidence): Identity {
  const native = once(evidence.native);
  const claims: [string, () => Claim | undefined][] = [
    ["client command line", () => (native()?.by === "process" ? native() : undefined)],
    ["environment", () => fromNamed(evidence.named)],
    ["environment ATM_*", () => ({ team: evidence.atm.team, agent: evidence.atm.identity })],
    ["session record", evidence.record],
    [`native team config`, native],
    ["kitty window", () => evidence.window?.()],
  ];
  return weigh(claims);
}

function weigh(claims: [string, () => Claim | undefined][]): Identity {
  const found: Identity = { kind: "solo", team: undefined, agent: undefined, isLead: false, evidence: [] };
  for (const [by, ask] of claims) {
    const claim = ask();
    if (!claim || (claim.team && found.team && claim.team !== found.team)) continue;
    const news = (claim.team && !found.team) || (claim.agent && !found.agent);
    if (!news) continue;
    found.evidence.push(by);
    found.team ??= claim.team;
    if (!found.agent && claim.agent) {
      found.agent = claim.agent;
      found.isLead = claim.isLead ?? claim.agent === LEAD;
      found.kind = claim.kind ?? "solo";
    }
    if (found.team && found.agent) break;
  }
  if (found.kind === "solo" && found.team && found.agent) found.kind = found.isLead ? "lead" : "named";
  return found;
}

function fromNamed({ team, agent, agentId, agentType, leadId }: Evidence["named"]): Claim {
  const isLead = agent === LEAD || agentType === LEAD || (agentId !== undefined && agentId === leadId);
  return { team, agent, isLead, kind: team && agent ? "named" : undefined };
}

/** Whose mail a session reads and whose heartbeat it gives, in a named team. The client serves its own (native) teams. */
export interface Mailbox {
  team: string;
  agent: string;
  isLead: boolean;
}

/** Subagents have no mailbox. */
export const mailboxOf = (ctx: Context): Mailbox | undefined =>
  ctx.input.agent_id ? undefined : sessionMailboxOf(ctx);

/** The mailbox of the session, also for its subagents. The record is cheaper to read than all evidence. */
export function sessionMailboxOf(ctx: Context): Mailbox | undefined {
  const known = ctx.event === "SessionStart" ? undefined : ctx.record;
  const { team, agent, isLead } = known ?? parentOf(ctx.identity);
  if (!team || !agent || isNative(team) || whyNotSegment(team) || whyNotSegment(agent)) return undefined;
  return { team, agent, isLead: isLead === true };
}

const parentOf = (speaker: Identity) =>
  speaker.kind === "subagent"
    ? { team: speaker.team, agent: speaker.parent, isLead: speaker.isParentLead }
    : speaker;

/**
 * Another live process, or another machine, has this name. A client started from a member's own Bash tool inherits the member's
 * variables, and must neither read its mail nor end in its name.
 */
export function isTaken(member: Member | undefined, ctx: Context): boolean {
  if (member && isRemote(member)) return true;
  if (!member?.pid || member.status === "offline") return false;
  if (member.pid === ctx.clientPid || (member.sessionId ?? "") === ctx.input.session_id) return false;
  const life = lifeOf({ pid: member.pid, startedAt: member.pidStartedAt });
  return life === "alive" || (life === "unknown" && !isStale(member.lastSeen, ctx));
}

export const isStale = (lastSeen: string | undefined, { now, settings }: Context): boolean =>
  !(now.getTime() - Date.parse(lastSeen ?? "") <= settings["heartbeat.stale_s"] * 1000);
