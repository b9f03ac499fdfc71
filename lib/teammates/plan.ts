// An approved plan that asks for a team gets one: the team is made, and the agent reads the exact next commands.

import type { Context } from "../hook/context.ts";
import type { InputOf, PostToolUse } from "../hook/events.ts";
import type { Outcome } from "../hook/outcome.ts";
import { isNative, listTeams } from "../teams/store/config.ts";
import { foundTeam } from "./create.ts";
import { type LaunchRequest, launchRequest, nameFor } from "./launch-request.ts";
import { whyBadName } from "./names.ts";

export function planApproved(ctx: Context<InputOf<typeof PostToolUse>>): Outcome | undefined {
  const response = (ctx.input.tool_response ?? {}) as Record<string, unknown>;
  const texts = [response["plan"], ctx.input.tool_input["plan"]].filter((one) => typeof one === "string");
  const plan = (texts[0] as string | undefined) ?? "";
  const request = launchRequest({ ...ctx.input, ...ctx.input.tool_input, ...response }, plan);
  if (!request) return undefined;
  const { team, made } = teamFor(ctx, request, plan);
  return {
    context: { name: "swarm launch", text: launchWords(request, team, made), priority: 90 },
    journal: [{ what: "swarm-launch", team, made, teammates: request.teammates }],
  };
}

/** The team this session leads, or a new one under the first free name. */
function teamFor(ctx: Context, request: LaunchRequest, plan: string): { team: string; made: boolean } {
  const { team: own, isLead } = ctx.identity;
  if (own && isLead && !isNative(own)) return { team: own, made: false };
  const wished = request.teamName && !whyBadName(request.teamName) ? request.teamName : nameFor(plan);
  const taken = new Set(listTeams(ctx.paths));
  const team = [wished, ...Array.from({ length: 98 }, (_, at) => `${wished}-${at + 2}`)].find(
    (name) => !taken.has(name) && !isNative(name),
  );
  if (!team) return { team: wished, made: false };
  const session = ctx.input.session_id || undefined;
  const made = foundTeam({ ...ctx, team, description: "from an approved plan", session });
  return { team, made };
}

function launchWords({ teammates, guessed }: LaunchRequest, team: string, made: boolean): string {
  const names = Array.from({ length: teammates }, (_, at) => `teammate-${at + 1}`);
  return [
    "# Swarm Launch Detected",
    "",
    `The approved plan asks for a team of ${teammates} teammates${guessed ? " (it names no teammateCount; 3 is usual)" : ""}.`,
    made ? `The team ${team} is made, and this session leads it.` : `This session leads the team ${team}.`,
    "The next commands, for the Bash tool, in this order:",
    "",
    "1. One task for each piece of the plan:",
    '   swarm task create "<subject>" --description "<what done means>"',
    "2. The teammates, each with its part as the first prompt (a type or a model of its own if that helps):",
    ...names.map((name) => `   swarm spawn ${name} --team ${team} --prompt "<its part of the plan>"`),
    "3. Who does what:",
    ...names.map((name, at) => `   swarm task update ${at + 1} --owner ${name}`),
    "4. The state of all, whenever it is wanted: swarm status",
  ].join("\n");
}
