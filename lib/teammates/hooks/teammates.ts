// Teammates are real clients. Their team does not outlive its lead unnoticed: it is suspended, or told to go on (seed 001).

import { join } from "node:path";
import type { Context } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import type { Handler } from "../../hook/run.ts";
import { appendMessage } from "../../mail/store/inbox.ts";
import { newMessage } from "../../mail/store/message.ts";
import { startHelper } from "../../system/background.ts";
import {
  dropEndMark,
  isNative,
  leadOf,
  memberOf,
  mergeEndMarks,
  readTeam,
  type Team,
  updateTeam,
} from "../../teams/store/config.ts";
import { planApproved } from "../plan-launch.ts" with { loading: "lazy" };
import { suspended } from "../roster.ts";
import { tellSuspended } from "../tell-suspended.ts" with { loading: "lazy" };

const GOES_ON = "Team-lead session ended. Team remains active.";
const MARK_WAIT_MS = 300;

/** A lead that comes back may come back to a suspended team. */
export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const { team, isLead: leads } = ctx.identity;
  if (!team || !leads || isNative(team) || ctx.input.source === "compact") return;
  return tellSuspended(ctx.paths, team);
};

/** `clear` and `resume` end nothing, and a session that no longer leads the team has nothing to end. */
export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) => {
  const { reason } = ctx.input;
  if (reason === "clear" || reason === "resume") return;
  const { team: name, isLead: leads } = ctx.identity;
  if (!name || !leads || isNative(name)) return;
  const team = readTeam(ctx.paths, name);
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
  const script = join(ctx.ownRoot, "bin", "swarm");
  startHelper(script, ["suspend", name, "--ended", ctx.input.session_id], ctx.paths.base);
  const at = ctx.now.toISOString();
  updateTeam(ctx.paths, name, (stored) => stored && suspended(stored, at), { waitMs: MARK_WAIT_MS });
}

function tellToGoOn(ctx: Context, name: string, team: Team): void {
  const lead = leadOf(team);
  for (const { name: to } of team.members) {
    if (to === lead) continue;
    appendMessage(
      ctx.paths,
      name,
      to,
      newMessage({ from: lead, text: GOES_ON, at: ctx.now, kind: "system" }),
    );
  }
  const self = memberOf(team, lead);
  const at = ctx.now.toISOString();
  dropEndMark(ctx.paths, name, { ended: lead, at, pid: self?.pid, session: self?.sessionId });
  mergeEndMarks(ctx.paths, name, { waitMs: MARK_WAIT_MS });
}

/** A plan with a launch request is rare: what it needs stands in a bundle of its own. */
export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) => {
  const { tool_name, agent_id } = ctx.input;
  const isPlan = tool_name === "ExitPlanMode" || (tool_name === "" && "launchSwarm" in ctx.input);
  if (!isPlan || agent_id) return;
  return planApproved(ctx);
};
