// The spawn gate: who may spawn which agent into which team (ATM hooks), and how many. A denial says why; an allowed spawn is counted.

import type { Context } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import type { Handler } from "../../hook/run.ts";
import { sessionsBefore } from "../../sessions/store/sessions.ts";
import { checkSpawn } from "../spawn-gate/gate.ts" with { loading: "lazy" };
import { spawnResult } from "../spawn-gate/rules.ts";
import * as traces from "../store/spawns.ts" with { loading: "lazy" };
import { appendSpawn, type SpawnResult } from "../store/spawns.ts";

const isSpawn = (tool: string) => tool === "Agent" || tool === "Task";

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  if (!isSpawn(ctx.input.tool_name)) return;
  return { ...checkSpawn(ctx), after: () => writeTraces(ctx) };
};

/** Only where ATM is in use: the log holds whole prompts. */
function writeTraces(ctx: Context): void {
  const { session_id } = ctx.input;
  if (!ctx.loaded.projectFile && !ctx.atm.team && !ctx.atm.identity) return;
  try {
    traces.appendSpawnDebug(ctx.paths, { ...ctx.input, process_id: ctx.clientPid });
  } finally {
    if (session_id) traces.writeBreadcrumb(ctx.paths, session_id);
  }
}

export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) => {
  if (!isSpawn(ctx.input.tool_name)) return;
  const result = spawnResult(ctx.input.tool_response);
  if (result) record(ctx, ctx.input.tool_use_id, result);
};

export const postToolUseFailure: Handler<typeof events.PostToolUseFailure> = (ctx) => {
  if (isSpawn(ctx.input.tool_name)) record(ctx, ctx.input.tool_use_id, { fate: "failed" });
};

function record(ctx: Context, call: string | undefined, result: SpawnResult): void {
  if (!call) return;
  const root = sessionsBefore(ctx.paths, ctx.input.session_id).at(-1);
  if (root) appendSpawn(ctx.paths, root, { what: "answered", call, ...result });
}
