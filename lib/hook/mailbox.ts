// A mailbox in a named team: whose mail a session may read, whose sign of life it gives. Native teams have none here:
// the client looks after them.

import { whyNotSegment } from "../core/paths.ts";
import { lifeOf } from "../system/processes.ts";
import { isNative } from "../teams/store/native-teams.ts";
import type { Roster, RosterMember } from "../teams/store/roster.ts";
import type { Context } from "./context.ts";
import { type Identity, LEAD } from "./identity.ts";

export interface Mailbox {
  team: string;
  agent: string;
  isLead: boolean;
}

/** The mailbox of the voice that speaks: a subagent sits on nobody's chair. */
export const mailboxOf = (ctx: Context): Mailbox | undefined =>
  ctx.input.agent_id ? undefined : sessionMailboxOf(ctx);

/** The mailbox of the session, whoever in it speaks. The record is cheaper than gathering the evidence anew. */
export function sessionMailboxOf(ctx: Context): Mailbox | undefined {
  const known = ctx.event === "SessionStart" ? undefined : ctx.record;
  const { team, agent, isLead } = known ?? parentOf(ctx.identity);
  if (!team || !agent || isNative(team) || whyNotSegment(team) || whyNotSegment(agent)) return undefined;
  return { team, agent, isLead: isLead === true };
}

const parentOf = (speaker: Identity) =>
  speaker.kind === "subagent"
    ? { team: speaker.team, agent: speaker.parent, isLead: speaker.parent === LEAD }
    : speaker;

export const leadOf = (team: Pick<Roster, "leadAgentId" | "members"> | undefined): string =>
  team?.members.find((member) => member.agentId !== undefined && member.agentId === team.leadAgentId)?.name ??
  LEAD;

/**
 * Another live process has this name. A client started from a member's own Bash tool inherits the member's
 * variables, and must neither read its mail nor end in its name.
 */
export function isTaken(member: RosterMember | undefined, ctx: Context): boolean {
  if (!member?.pid || member.status === "offline") return false;
  if (member.pid === ctx.clientPid || (member.sessionId ?? "") === ctx.input.session_id) return false;
  const life = lifeOf({ pid: member.pid, startedAt: member.pidStartedAt });
  return life === "alive" || (life === "unknown" && !isStale(member.lastSeen, ctx));
}

export const isStale = (lastSeen: string | undefined, { now, settings }: Context): boolean =>
  !(now.getTime() - Date.parse(lastSeen ?? "") <= settings["heartbeat.stale_s"] * 1000);
