// Teammates are real clients. Their team does not outlive its lead unnoticed: it is suspended, or told to go on (seed 001).

import { join } from "node:path";
import type { Context } from "../run/context.ts";
import type * as events from "../run/events.ts";
import type { Handler } from "../run/hook.ts";
import { LEAD } from "../run/identity.ts";
import { startHelper } from "../store/background.ts";
import { appendMessage } from "../store/inbox.ts";
import { newId } from "../store/journal.ts";
import { isNative } from "../store/native-teams.ts";
import { memberOf, mergeEndMarks, readTeam, type Team, updateTeam } from "../store/team.ts";
import { dropEndMark } from "../store/team-spool.ts";
import { planApproved } from "./teammates/plan.ts" with { loading: "lazy" };
import { isLead, suspended } from "./teammates/roster.ts";
import { tellSuspended } from "./teammates/tell-suspended.ts" with { loading: "lazy" };

const GOES_ON = "Team-lead session ended. Team remains active.";
const MARK_WAIT_MS = 300;

/** A lead that comes back may come back to a suspended team. */
export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const { team, isLead: leads } = ctx.identity;
  if (!team || !leads || isNative(team) || ctx.input.source === "compact") return;
  return tellSuspended(ctx.places, team);
};

/** `clear` and `resume` end nothing, and a session that no longer leads the team has nothing to end. */
export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) => {
  const { reason } = ctx.input;
  if (reason === "clear" || reason === "resume") return;
  const { team: name, isLead: leads } = ctx.identity;
  if (!name || !leads || isNative(name)) return;
  const team = readTeam(ctx.places, name);
  if (team?.status !== "active" || !isStillLead(team, ctx.input.session_id)) return;
  const keep = ctx.keepAlive || ctx.settings["teammates.keep_alive"];
  return {
    journal: [{ what: keep ? "lead-ended" : "team-suspended", team: name }],
    after: () => (keep ? tellToGoOn(ctx, name, team) : suspend(ctx, name)),
  };
};

const isStillLead = (team: Team, session: string) =>
  team.leadSessionId === undefined || team.leadSessionId === session;

/** Ending clients takes longer than a SessionEnd may: a helper does that, and ends by itself. */
function suspend(ctx: Context, name: string): void {
  const script = join(ctx.ownRoot, "dist", "scripts", "suspend.cjs");
  startHelper(script, [name, "--ended", ctx.input.session_id], ctx.places.base);
  const at = ctx.now.toISOString();
  updateTeam(ctx.places, name, (stored) => stored && suspended(stored, at), { waitMs: MARK_WAIT_MS });
}

function tellToGoOn(ctx: Context, name: string, team: Team): void {
  const lead = team.members.find((member) => isLead(team, member))?.name ?? LEAD;
  for (const { name: to } of team.members) {
    if (to === lead) continue;
    appendMessage(ctx.places, name, to, {
      id: newId(ctx.now),
      from: lead,
      text: GOES_ON,
      timestamp: ctx.now.toISOString(),
      read: false,
      kind: "system",
    });
  }
  const self = memberOf(team, lead);
  const at = ctx.now.toISOString();
  dropEndMark(ctx.places, name, { ended: lead, at, pid: self?.pid, session: self?.sessionId });
  mergeEndMarks(ctx.places, name, { waitMs: MARK_WAIT_MS });
}

/** A plan with a launch request is rare: what it needs stands in a bundle of its own. */
export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) => {
  const { tool_name, agent_id } = ctx.input;
  const isPlan = tool_name === "ExitPlanMode" || (tool_name === "" && "launchSwarm" in ctx.input);
  if (!isPlan || agent_id) return;
  return planApproved(ctx);
};
