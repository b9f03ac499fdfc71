// Which effort an event or a command belongs to: by the window's link, else by the project and who is asking.

import { contextUse, MAIN } from "../context/store/window.ts";
import { realPath } from "../core/files.ts";
import type { Paths } from "../core/paths.ts";
import type { Base, Context } from "../hook/context.ts";
import type { Identity } from "../hook/identity.ts";
import { isNative } from "../teams/store/config.ts";
import { appendEffortMessage, type Effort, readActiveEfforts, readEffort } from "./store/efforts.ts";
import { isMain, mainAgentOf, readLink, type WindowAgent } from "./store/windows.ts";

/** The effort a window works on. */
export interface Current {
  effort: Effort;
  /** The number of this window's session within the effort. */
  session: number;
  agent: WindowAgent;
}

export const agentOf = ({ session_id, agent_id }: Base): WindowAgent => ({
  session: session_id,
  id: agent_id ?? MAIN,
});

export function currentOf(
  { paths, input }: Pick<Context, "paths" | "input">,
  agent = agentOf(input),
): Current | undefined {
  if (!agent.session) return undefined;
  const link = readLink(paths, agent);
  if (!link) return undefined;
  const effort = readEffort(paths, link.effort);
  return effort?.lifecycle === "active" ? { effort, session: link.session, agent } : undefined;
}

/** An agent without a window of its own counts to its session's main window. */
export const currentOrMain = (ctx: Context): Current | undefined =>
  currentOf(ctx) ?? (ctx.input.agent_id ? currentOf(ctx, mainAgentOf(ctx.input.session_id)) : undefined);

/** First the one that `sessions` worked on: the asking session, and the one `/clear` replaced. */
export function findEffort(
  asking: { paths: Paths; fleetId: string | undefined; readonly identity: Identity },
  sessions: (string | undefined)[],
  project: string,
): Effort | undefined {
  const { paths } = asking;
  const active = readActiveEfforts(paths);
  if (active.length === 0) return undefined;
  for (const session of sessions) {
    const link = session ? readLink(paths, mainAgentOf(session)) : undefined;
    const linked = link && active.find((one) => one.id === link.effort);
    if (linked) return linked;
  }
  const here = active.filter((one) => one.project === realPath(project));
  return here.length > 0 ? chooseEffort(here, ownerOf(asking.fleetId, asking.identity)) : undefined;
}

export type Owner = Effort["owner"];

/** Who owns an effort started here. A native team's name, and who leads it, change with its session: neither is stored. */
export function ownerOf(
  fleet: string | undefined,
  { team, agent, isLead }: Pick<Identity, "team" | "agent" | "isLead">,
): Owner {
  if (!team || !isNative(team)) return { fleet, team, agent };
  return { fleet, agent: isLead ? undefined : agent };
}

/** By `AGENT_ID`, then by team and name, then the latest. `efforts` are those of the project, newest first. */
export function chooseEffort(efforts: readonly Effort[], asking: Owner): Effort | undefined {
  const { fleet, team, agent } = asking;
  return (
    efforts.find(({ owner }) => fleet !== undefined && owner.fleet === fleet) ??
    efforts.find(({ owner }) => agent !== undefined && owner.agent === agent && owner.team === team) ??
    efforts.find(({ owner }) => !isAnothers(owner, asking))
  );
}

/** A named agent never gets the effort of an agent with another name. */
const isAnothers = (owner: Owner, asking: Owner) =>
  differ(owner.fleet, asking.fleet) || differ(owner.agent, asking.agent) || differ(owner.team, asking.team);

const differ = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && one !== other;

/** One line in the effort's message log. */
export function noteMessage(
  ctx: Context,
  current: Current,
  kind: string,
  details: Record<string, unknown>,
): void {
  appendEffortMessage(ctx.paths, current.effort.id, {
    at: ctx.now.toISOString(),
    kind,
    session: current.session,
    voice: ctx.input.agent_type || current.agent.id,
    ...details,
  });
}

/** In percent, of the main agent only: a subagent's window ends with its work, so nothing of it has to be written down. */
export function contextShareOf(ctx: Context, { agent }: Current): number | undefined {
  return isMain(agent) ? contextUse(ctx, ctx.input)?.share : undefined;
}
