// What a session says of itself, for the person at the board: set by `swarm status set`, asked for once (seed 002).

import { MAIN, readAgentContext, updateAgentContext } from "../../context/store/window.ts";
import type { Context } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import type { Handler } from "../../hook/run.ts";

const REMIND_AFTER_MS = 120_000;

const REMINDER = `[CLAUDE OS SYS: INFO]: Consider setting a session status with status("what you're working on")
(In a shell: swarm status set "what you're working on")`;

export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => {
  const { session_id: session } = ctx.input;
  if (!session || !isWatched(ctx) || !isDue(ctx)) return;
  if (readAgentContext(ctx.paths, session, MAIN).remindedAt) return;
  updateAgentContext(ctx.paths, session, MAIN, (stored) => ({
    ...stored,
    remindedAt: ctx.now.toISOString(),
  }));
  return { context: { name: "status reminder", text: REMINDER, priority: 10 } };
};

/** Somebody may look at it: a team, a project with `.atm.toml`, or a session that was started with a role. */
const isWatched = (ctx: Context) =>
  ctx.loaded.projectFile !== undefined ||
  ctx.identity.team !== undefined ||
  ctx.role !== undefined ||
  (ctx.wrapperId !== undefined && !ctx.isChild);

function isDue({ record, now }: Context): boolean {
  if (!record || record.statusText) return false;
  return now.getTime() - Date.parse(record.startedAt) >= REMIND_AFTER_MS;
}
