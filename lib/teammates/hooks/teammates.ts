// When the session of a lead ends, its team is suspended or informed that it goes on (Claude Swarm hooks). An approved plan
// can launch a team.

import { escapeLine } from "../../core/text.ts";
import { type Context, endsSession } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import type { Handler } from "../../hook/run.ts";
import { startHelper } from "../../system/programs.ts";
import {
  isNative,
  leadOf,
  memberOf,
  readTeam,
  statusOf,
  type Team,
  teammatesOf,
  updateTeam,
  writeEnd,
} from "../../teams/store/config.ts";
import { planApproved } from "../approved-plan.ts" with { loading: "lazy" };
import { restoreAtPrompt } from "../lead.ts" with { loading: "lazy" };
import { notifyTeammates, suspended } from "../roster.ts";

const TEAM_REMAINS = "Team-lead session ended. Team remains active.";
const MARK_WAIT_MS = 300;

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const { team, isLead } = ctx.identity;
  if (!team || !isLead || isNative(team) || ctx.input.source === "compact") return;
  const stored = readTeam(ctx.paths, team);
  if (stored?.status !== "suspended") return;
  const names = teammatesOf(stored).map((one) => escapeLine(one.name));
  return {
    context: `The team ${team} is suspended since ${escapeLine(stored.suspendedAt ?? "an unknown time")} (${names.join(", ") || "no teammates"}). \`swarm resume ${team}\` brings it back.`,
  };
};

/** Only a session that joined by itself can be its own team's lead under another name; started teammates have theirs by environment. */
export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => {
  const { record } = ctx;
  if (!record?.team || !record.agent || record.isLead || ctx.named.agent || isNative(record.team)) return;
  return restoreAtPrompt(ctx);
};

/** A session that no longer leads the team ends nothing. */
export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) => {
  const { team: name, isLead } = ctx.identity;
  if (!name || !isLead || isNative(name) || !endsSession(ctx)) return;
  const team = readTeam(ctx.paths, name);
  if (!team || statusOf(team) !== "active") return;
  if (team.leadSessionId !== undefined && team.leadSessionId !== ctx.input.session_id) return;
  const keep = ctx.keepAlive || ctx.settings["teammates.keep_alive"];
  return {
    journal: [{ what: keep ? "lead-ended" : "team-suspended", team: name }],
    after: () => (keep ? leaveActive(ctx, name, team) : suspend(ctx, name)),
  };
};

/** Ending clients takes longer than a SessionEnd hook may: a background process does it. */
function suspend(ctx: Context, name: string): void {
  startHelper(ctx.ownRoot, ["suspend", name, "--ended", ctx.input.session_id], ctx.paths.base);
  const at = ctx.now.toISOString();
  updateTeam(ctx.paths, name, (stored) => suspended(stored, at), { waitMs: MARK_WAIT_MS });
}

function leaveActive(ctx: Context, name: string, team: Team): void {
  notifyTeammates(ctx.paths, name, team, TEAM_REMAINS, ctx.now);
  const lead = leadOf(team);
  const self = memberOf(team, lead);
  const mark = { ended: lead, at: ctx.now.toISOString(), pid: self?.pid, session: self?.sessionId };
  writeEnd(ctx.paths, name, mark, { waitMs: MARK_WAIT_MS });
}

export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) => {
  const { tool_name, agent_id } = ctx.input;
  const isPlan = tool_name === "ExitPlanMode" || (tool_name === "" && "launchSwarm" in ctx.input);
  if (!isPlan || agent_id) return;
  return planApproved(ctx);
};
