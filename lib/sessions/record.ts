// A session's record: made at its start, found again by every later event.
import type { Base, Context } from "../hook/context.ts";
import {
  type KnownProcess,
  lifeOf,
  readProcess,
  readProcesses,
  removeProcess,
  startOf,
  writeProcess,
} from "../system/processes.ts";
import { after, type Move, type State, type Status } from "./states.ts";
import { type AgentKey, type SessionRecord, updateSession } from "./store/sessions.ts";

export const voiceOf = ({ session_id, agent_id }: Base): AgentKey => ({
  session: session_id,
  agentId: agent_id,
});

export function freshRecord(ctx: Context): SessionRecord {
  const { input, identity } = ctx;
  const at = ctx.now.toISOString();
  return {
    session: input.session_id,
    agentId: input.agent_id,
    kind: identity.kind,
    team: identity.team,
    agent: identity.agent,
    isLead: identity.isLead,
    evidence: identity.evidence,
    mode: ctx.mode,
    cwd: ctx.cwd,
    state: "active",
    status: "done",
    startedAt: at,
    lastSeen: at,
    ...(input.agent_id ? {} : ofProcess(ctx)),
  };
}

function ofProcess(ctx: Context): Partial<SessionRecord> {
  return {
    wrapper: wrapperOf(ctx),
    parent: parentOf(ctx),
    role: ctx.role,
    mission: ctx.missionId,
    client: ctx.clientVersion,
    pid: ctx.clientPid,
    pidStartedAt: startOf(ctx.clientPid),
    pane: ctx.pane,
    tmux: ctx.tmux,
    project: ctx.projectDir,
    transcript: ctx.input.transcript_path || undefined,
  };
}

/** `CLAUDE_SESSION_ID` names a wrapper's session, or, in a client started from an agent's Bash tool, that agent's. */
export const parentOf = (ctx: Context) => (ctx.isChild ? ctx.wrapperId : undefined);
export const wrapperOf = (ctx: Context) =>
  ctx.isChild || ctx.wrapperId === ctx.input.session_id ? undefined : ctx.wrapperId;

export function moved(record: SessionRecord, move: Move, now: Date): SessionRecord {
  const { state, status } = after(move, record.state as State, record.status as Status);
  return { ...record, state, status, lastSeen: now.toISOString() };
}

// Which process is which session: how `/clear` is followed, how a crash is noticed, how siblings are told apart.
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
