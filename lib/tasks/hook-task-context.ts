// The taskContext of whoever a hook speaks for. Outside a team there is none: a private list is nobody else's business.
import type { Context } from "../hook/context.ts";
import { shownAs } from "../hook/identity.ts";
import { readTask } from "./store/tasks.ts";
import { actorOf, clientList, listOf, type TaskContext } from "./task-context.ts";

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
