// The desk of whoever a hook speaks for. Outside a team there is none: a private list is nobody else's business.
import type { Context } from "../../run/context.ts";
import { shownAs } from "../../run/identity.ts";
import { readTask } from "../../store/tasks.ts";
import { actorOf, clientList, type Desk, listOf } from "./desk.ts";

/** For a task the client is about to change: its own list first, the team's where the task is only there. */
export function hookDesk(ctx: Context, id: string): Desk | undefined {
  const desk = teamDesk(ctx);
  if (!desk) return undefined;
  const own = clientList(ctx, desk.team, ctx.input.session_id);
  if (own === desk.list) return desk;
  return own && readTask(ctx.places, own, id) ? undefined : desk;
}

export function teamDesk(ctx: Context): Desk | undefined {
  const { identity, places, now, cwd, settings, input } = ctx;
  if (!identity.team) return undefined;
  const actor = actorOf(identity);
  return {
    places,
    now,
    cwd,
    list: listOf(ctx, identity.team, input.session_id),
    team: identity.team,
    actor: { ...actor, name: actor.name ?? shownAs({ ...identity, agent: undefined }, input.session_id) },
    session: input.session_id,
    settings,
  };
}
