// An approved plan that asks for a team: the team is created, and the agent is given the next commands. The request is a line of its
// own in the plan, `launchSwarm: true`, optionally with `teammateCount: 4` and `teamName: name`.
import { asText } from "../core/json.ts";
import type { Context } from "../hook/context.ts";
import type { InputOf, PostToolUse } from "../hook/events.ts";
import type { Outcome } from "../hook/outcome.ts";
import { lastId } from "../tasks/store.ts";
import { isNative, listTeams } from "../teams/store/config.ts";
import { createTeam } from "./create.ts";
import { whyBadName } from "./names.ts";

export function planApproved(ctx: Context<InputOf<typeof PostToolUse>>): Outcome | undefined {
  const response = (ctx.input.tool_response ?? {}) as Record<string, unknown>;
  const plan = asText(response["plan"]) ?? asText(ctx.input.tool_input["plan"]) ?? "";
  const request = launchRequest({ ...ctx.input, ...ctx.input.tool_input, ...response }, plan);
  if (!request) return undefined;
  const { team, made } = teamFor(ctx, request, plan);
  const text = launchText(request, team, made, lastId(ctx.paths, team));
  return {
    context: { name: "swarm launch", text, priority: 90 },
    journal: [{ what: "swarm-launch", team, made, teammates: request.teammates }],
  };
}

/** The team this session leads, or a new one under the first free name. */
function teamFor(ctx: Context, request: LaunchRequest, plan: string): { team: string; made: boolean } {
  const { team: own, isLead } = ctx.identity;
  if (own && isLead && !isNative(own)) return { team: own, made: false };
  const wished = request.teamName && !whyBadName(request.teamName) ? request.teamName : nameFor(plan);
  const taken = new Set(listTeams(ctx.paths));
  let team = wished;
  for (let at = 2; taken.has(team) || isNative(team); at++) team = `${wished}-${at}`;
  const session = ctx.input.session_id || undefined;
  return { team, made: createTeam({ ...ctx, session }, team, "from an approved plan") };
}

/** A team that was there may have tasks already; those of the plan get the numbers after `lastTask`. */
function launchText(request: LaunchRequest, team: string, made: boolean, lastTask: number): string {
  const { teammates, isDefault } = request;
  const names = Array.from({ length: teammates }, (_, at) => `teammate-${at + 1}`);
  const usual = isDefault ? " (it names no teammateCount; 3 is usual)" : "";
  const spawns = names.map(
    (name) => `   swarm spawn ${name} --team ${team} --prompt "<its part of the plan>"`,
  );
  const owners = names.map((name, at) => `   swarm task update ${lastTask + at + 1} --owner ${name}`);
  return `# Swarm Launch Detected

The approved plan asks for a team of ${teammates} teammates${usual}.
${made ? `The team ${team} was created, and this session leads it.` : `This session leads the team ${team}.`}
The next commands, for the Bash tool, in this order:

1. One task for each piece of the plan:
   swarm task create "<subject>" --description "<what done means>"
2. The teammates, each with its part as the first prompt (a type or a model of its own if that helps):
${spawns.join("\n")}
3. Who does what:
${owners.join("\n")}
4. To see the state of all: swarm status`;
}

type LaunchRequest = NonNullable<ReturnType<typeof launchRequest>>;

const DEFAULT_TEAMMATES = 3;
const MOST_TEAMMATES = 32;

/** Older clients passed fields; current ones pass the plan's text. */
export function launchRequest(fields: Record<string, unknown>, plan: string) {
  const asked = fields["launchSwarm"] === true || lineOf(plan, "launchSwarm")?.toLowerCase() === "true";
  if (!asked) return undefined;
  const count = Number(fields["teammateCount"] ?? lineOf(plan, "teammateCount"));
  const isCount = Number.isInteger(count) && count >= 1;
  return {
    teammates: isCount ? Math.min(count, MOST_TEAMMATES) : DEFAULT_TEAMMATES,
    /** The plan gives no number. */
    isDefault: !isCount,
    teamName: asText(fields["teamName"]) || lineOf(plan, "teamName"),
  };
}

/** `key: value` alone on its line, as YAML, JSON or a list item; inside a sentence it is only mentioned. */
function lineOf(plan: string, key: string): string | undefined {
  const line = new RegExp(`^[\\s>*\`-]{0,8}"?${key}"?\\s*[:=]\\s*"?([\\w-]+)"?[\\s,\`*]*$`, "m");
  return plan.match(line)?.[1];
}

export function nameFor(plan: string): string {
  const title = plan.match(/^#+\s+(.+)$/m)?.[1] ?? "";
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^(the-)?plan-(for-|to-)?|^-+|-+$/g, "");
  return words.slice(0, 40).replace(/-+$/, "") || "swarm";
}
