// A session's record: made at its start, found again by every later event.
import type { Base, Context } from "../hook/context.ts";
import { startOf } from "../system/processes.ts";
import { after, type Move, type State, type Status } from "./moves.ts";
import type { SessionRecord, VoiceKey } from "./store/sessions.ts";

export const voiceOf = ({ session_id, agent_id }: Base): VoiceKey => ({
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
