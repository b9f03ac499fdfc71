// Which process runs which session: how `/clear` is followed and how a crash is noticed.
import { hasCode } from "../core/files.ts";
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
import { PLAIN_PANE, setPaneOptions } from "../system/tmux.ts";
import { type SessionRecord, updateSession } from "./store/sessions.ts";

/** Returns the session this process had before, if `/clear` or a resume changed it. */
export function rememberProcess(ctx: Context): string | undefined {
  endKilledSessions(ctx);
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
  updateOther(ctx, before.session, (old) => (old.endedAt ? undefined : { ...old, next: session }));
  return before.session;
}

export function forgetProcess(ctx: Context): void {
  if (readProcess(ctx.paths, ctx.clientPid)?.session === ctx.input.session_id)
    removeProcess(ctx.paths, ctx.clientPid);
}

/** A session that was killed is ended on record by the next one that starts. */
function endKilledSessions(ctx: Context): void {
  for (const known of readProcesses(ctx.paths)) {
    if (lifeOf(known) !== "gone") continue;
    const isWritten = updateOther(ctx, known.session, (record) =>
      record.endedAt
        ? undefined
        : {
            ...record,
            state: "ended",
            status: "done",
            tool: undefined,
            endedAt: ctx.now.toISOString(),
            endReason: whyGone(known, ctx),
          },
    );
    if (!isWritten) continue; // left to the next session that starts
    removeProcess(ctx.paths, known.pid);
    if (known.tmux && known.pane) setPaneOptions(known.tmux, known.pane, PLAIN_PANE);
  }
}

const OTHERS_LOCK_WAIT_MS = 50;

/** The record of another session. False while its lock is held: a hook that was killed leaves one, and this session's own start does
 *  not wait for it. */
function updateOther(
  { paths }: Context,
  session: string,
  change: (record: SessionRecord) => SessionRecord | undefined,
): boolean {
  try {
    updateSession(paths, { session }, (record) => record && change(record), { waitMs: OTHERS_LOCK_WAIT_MS });
    return true;
  } catch (error) {
    if (hasCode(error, "ELOCKED")) return false;
    throw error;
  }
}

const whyGone = (known: KnownProcess, ctx: Context) =>
  known.pane && known.pane === ctx.pane && known.tmux === ctx.tmux ? "pane_reused" : "crashed";
