// Where somebody works on tasks: which list, as whom, under which rules.

import { badCall } from "../cli/command.ts";
import type { Paths } from "../core/paths.ts";
import type { Settings } from "../core/settings-keys.ts";
import type { Context } from "../hook/context.ts";
import type { Environment } from "../hook/environment.ts";
import { type Identity, shownAs } from "../hook/identity.ts";
import { isNative, readTeam } from "../teams/store/config.ts";
import { signReader, whyLost } from "./owners.ts";
import type { Actor, Board } from "./rules.ts";
import { notesOf, readTask, readTasks } from "./store.ts";

export interface TaskContext {
  paths: Paths;
  now: Date;
  list: string;
  team: string | undefined;
  actor: Actor;
  session: string | undefined;
  cwd: string;
  settings: Settings;
}

/** A subagent acts for its parent. A session without a team is its own lead, and so is a person at a terminal. */
export function actorOf({ kind, agent, parent, isParentLead, isLead, team }: Identity): Actor {
  if (kind === "subagent") return { name: parent, isLead: parent === undefined || isParentLead === true };
  return { name: agent, isLead: isLead || !team || !agent };
}

type Listed = Pick<Environment, "taskList">;

/** The list that the client's own Task tools use in this session; a named team is nothing to the client. */
export const clientList = ({ taskList }: Listed, team: string | undefined, session: string) =>
  taskList ?? (team && isNative(team) ? team : session);

/** Ours: what the environment names, then the team's, then the session's own. */
export function listOf({ taskList }: Listed, team: string | undefined, session: string | undefined): string {
  const list = taskList ?? team ?? session;
  if (!list) throw badCall("which list? there is neither a team nor a session here; --team NAME says it");
  return list;
}

export function boardOf({ paths, list, team, actor, now, settings }: TaskContext): Board {
  const config = team ? readTeam(paths, team) : undefined;
  const signsOf = signReader(paths, team, config);
  const staleMs = settings["heartbeat.stale_s"] * 1_000;
  return {
    tasks: readTasks(paths, list),
    team,
    roster: config?.members.map((member) => member.name),
    actor,
    whyLost: (task) => whyLost(signsOf(task), notesOf(task).lease?.at, now, staleMs),
  };
}

// The taskContext of whoever a hook speaks for. Outside a team there is none: a private list is nobody else's business.
/** For a task the client is about to change: its own list first, the team's where the task is only there. */
export function hookTaskContext(ctx: Context, id: string): TaskContext | undefined {
  const taskContext = teamTaskContext(ctx);
  if (!taskContext) return undefined;
  const own = clientList(ctx, taskContext.team, ctx.input.session_id);
  if (own === taskContext.list) return taskContext;
  return own && readTask(ctx.paths, own, id) ? undefined : taskContext;
}

export function teamTaskContext(ctx: Context): TaskContext | undefined {
  const { identity, paths, now, cwd, settings, input } = ctx;
  if (!identity.team) return undefined;
  const actor = actorOf(identity);
  return {
    paths,
    now,
    cwd,
    list: listOf(ctx, identity.team, input.session_id),
    team: identity.team,
    actor: { ...actor, name: actor.name ?? shownAs({ ...identity, agent: undefined }, input.session_id) },
    session: input.session_id,
    settings,
  };
}
