// Which task list a command or hook works on, as which actor, under which settings.
import { badCall } from "../cli/command.ts";
import { oncePer } from "../core/process.ts";
import type { Settings } from "../core/settings.ts";
import { escapeXml } from "../core/text.ts";
import { type Context, type Identity, PERSON, shownAs } from "../hook/context.ts";
import type { Environment } from "../hook/environment.ts";
import type { Outcome } from "../hook/outcome.ts";
import { pauseOf } from "../sessions/store/pauses.ts" with { loading: "lazy" };
import { isNative, memberOf, readTeam } from "../teams/store/config.ts";
import { signReader, whyLost } from "./leases.ts";
import { type Actor, type Board, BY_SETTING } from "./rules.ts";
import { isTaskId, notesOf, readTask, type Task } from "./store.ts";

export interface TaskContext extends Pick<Environment, "paths" | "now" | "env"> {
  list: string;
  team: string | undefined;
  actor: Actor;
  session: string | undefined;
  cwd: string;
  settings: Settings;
}

/** A subagent acts for its parent. A session without a team is its own lead; one that is nobody in its team is a guest there. */
export function actorOf({ kind, agent, parent, isParentLead, isLead, team }: Identity): Actor {
  const [name, leads] = kind === "subagent" ? [parent, isParentLead === true] : [agent, isLead];
  return { name, isLead: leads || team === undefined };
}

export const authorOf = ({ actor }: TaskContext): string => actor.name ?? PERSON;

/** The list of our commands: what the environment names, then the team's, then the session's own. */
export function listOf(
  { taskList }: Pick<Environment, "taskList">,
  team: string | undefined,
  session: string | undefined,
): string {
  const list = taskList ?? team ?? session;
  if (!list) throw badCall("which list? there is neither a team nor a session here; --team NAME says it");
  return list;
}

export function boardOf({ paths, list, team, actor, now, settings }: TaskContext): Board {
  const config = team ? readTeam(paths, team) : undefined;
  const signsOf = signReader(paths, team, config);
  const staleMs = settings["heartbeat.stale_s"] * 1_000;
  return {
    tasks: { get: oncePer((id: string) => (isTaskId(id) ? readTask(paths, list, id) : undefined)) },
    team,
    roster: config?.members.map((member) => member.name),
    actor,
    whyLost: (task) => {
      const { lease } = notesOf(task);
      const aheadMs = memberOf(config, task.owner ?? "")?.clockAheadMs ?? 0;
      // By our own clock, also where the owner's machine has another.
      const claimedAtMs = Date.parse(lease?.at ?? "") - aheadMs;
      const owner = { team, agent: task.owner, session: lease?.session };
      const isPaused = () => pauseOf(paths, owner) !== undefined;
      return whyLost(signsOf(task), claimedAtMs, now, staleMs, isPaused);
    },
  };
}

/** That of the client's own Task tools, which do not know named teams. */
export const clientListOf = ({ taskList, identity: { team }, input }: Context): string =>
  taskList ?? (team && isNative(team) ? team : input.session_id);

/** For a task the client is about to change. The rules are for shared lists: `undefined` outside a team, and when the task is in
 *  the client's own list and that is not the team's. */
export function hookTaskContext(ctx: Context, id: string): TaskContext | undefined {
  const team = isTaskId(id) ? ctx.identity.team : undefined;
  if (!team) return undefined;
  const { identity, paths, now, cwd, env, settings } = ctx;
  const { session_id: session } = ctx.input;
  const list = listOf(ctx, team, session);
  const own = clientListOf(ctx);
  if (own && own !== list && readTask(paths, own, id)) return undefined;
  const actor = actorOf(identity);
  actor.name ??= shownAs({ ...identity, agent: undefined }, session);
  return { paths, now, cwd, env, settings, list, team, session, actor };
}

export function hookTask(ctx: Context, id: string): { context: TaskContext; task: Task } | undefined {
  const context = hookTaskContext(ctx, id);
  const task = context && readTask(context.paths, context.list, id);
  return task && { context, task };
}

export const refusal = (why: string): Outcome => ({ deny: escapeXml(`${why} ${BY_SETTING}`), rule: "tasks" });
