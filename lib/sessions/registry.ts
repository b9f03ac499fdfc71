// Which process is which session: how `/clear` is followed, how a crash is noticed, how siblings are told apart.
import type { Context } from "../hook/context.ts";
import {
  type KnownProcess,
  lifeOf,
  readProcess,
  readProcesses,
  removeProcess,
  startOf,
  writeProcess,
} from "../system/processes.ts";
import { updateSession } from "./store/sessions.ts";

/** Returns the session this process had before, if `/clear` or a resume changed it. */
export function rememberProcess(ctx: Context): string | undefined {
  closeTheDead(ctx);
  const { clientPid: pid, pane, tmux, identity } = ctx;
  const session = ctx.input.session_id;
  const before = readProcess(ctx.paths, pid);
  const startedAt = startOf(pid);
  writeProcess(ctx.paths, {
    pid,
    startedAt,
    session,
    team: identity.team,
    agent: identity.agent,
    pane,
    tmux,
  });
  if (!before || before.session === session || before.startedAt !== startedAt) return undefined;
  updateSession(ctx.paths, { session: before.session }, (old) =>
    old && !old.endedAt ? { ...old, next: session } : undefined,
  );
  return before.session;
}

export function forgetProcess(ctx: Context): void {
  if (readProcess(ctx.paths, ctx.clientPid)?.session === ctx.input.session_id)
    removeProcess(ctx.paths, ctx.clientPid);
}

/** A session killed without a word is closed by the next one that starts. */
function closeTheDead(ctx: Context): void {
  for (const known of readProcesses(ctx.paths)) {
    if (lifeOf(known) !== "gone") continue;
    updateSession(ctx.paths, { session: known.session }, (record) =>
      record && !record.endedAt
        ? {
            ...record,
            state: "ended",
            status: "done",
            tool: undefined,
            endedAt: ctx.now.toISOString(),
            endReason: whyGone(known, ctx),
          }
        : undefined,
    );
    removeProcess(ctx.paths, known.pid);
  }
}

const whyGone = (known: KnownProcess, ctx: Context) =>
  known.pane && known.pane === ctx.pane && known.tmux === ctx.tmux ? "pane_reused" : "crashed";
