// A session's record, from its start to its end: announced to the model, registered, moved from state to state by each event.
// These handlers deny nothing.

import { MAIN, readAgentContext, updateAgentContext } from "../context/store/window.ts";
import { ignoring } from "../core/files.ts";
import { appendText } from "../core/json.ts";
import { isLocked, unlessLocked } from "../core/lock.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import { noteProblem, reported } from "../core/process.ts";
import { isNewRefusal } from "../core/refused-settings.ts" with { loading: "lazy" };
import { escapeLine, plainLine, shellQuoted, toText, withoutTags } from "../core/text.ts";
import type { Base, Context } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import type { Outcome } from "../hook/outcome.ts";
import type { Handler } from "../hook/run.ts";
import * as prompts from "../mail/store/lead-notes.ts" with { loading: "lazy" };
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
import { relay } from "./lifecycle-relay.ts" with { loading: "lazy" };
import { colourPane } from "./pane-colour.ts" with { loading: "lazy" };
import { promptFor } from "./store/client-state.ts";
import {
  ASKS_NOTHING,
  asksForAttention,
  beginSession,
  isInTurn,
  otherClientOf,
  phaseOf,
  readSession,
  readSubagents,
  type SessionRecord,
  type Transition,
  updateSession,
  withTransition,
  writeSession,
} from "./store/sessions.ts";
import { recordWorkerPrompt } from "./worker-prompt.ts" with { loading: "lazy" };

const agentKeyOf = ({ session_id, agent_id }: Base) => ({ session: session_id, agentId: agent_id });

/** In the words of ATM hooks. Separate from the record, so that it also works in a home that cannot be written. */
export const announcement: Handler<typeof events.SessionStart> = (ctx) => {
  const { session_id: session, source } = ctx.input;
  const way = source === "compact" ? "returning from compact" : "starting fresh";
  const wrapper = wrapperOf(ctx);
  const project = ctx.loaded.projectFile === undefined ? undefined : ctx.settings;
  const team = project?.["core.default_team"];
  const welcome = project?.["core.welcome-message"];
  const lines = [
    session && `SESSION_ID=${plain(session)} (${way})`,
    wrapper && `CLAUDE_SESSION_ID=${plain(wrapper)} (from the spawn wrapper)`,
    team && `ATM team: ${plain(team)}`,
    welcome && `Welcome: ${plain(welcome)}`,
  ].filter(Boolean);
  if (lines.length > 0) return { context: { name: "announcement", text: lines.join("\n"), priority: 100 } };
};

const LONGEST_LINE = 1_000;

/** A project's texts are written by others: one line each, and no tag. */
const plain = (text: string) => withoutTags(plainLine(text)).slice(0, LONGEST_LINE);

const LONGEST_LAST_WORDS = 300;

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  for (const problem of ctx.loaded.problems) noteProblem(problem);
  if (!ctx.input.session_id) return;
  register(ctx);
  exportToShell(ctx);
  const outcome = relayed(ctx, "session_start", {
    notice: refusedSettings(ctx),
    journal: [{ what: "session-start", source: ctx.input.source, ...whoOf(ctx) }],
    ...(ctx.pane && { after: () => colourPane(ctx, "done") }),
  });
  return withReplacement(ctx, outcome);
};

/** One line for the person, once for each content of the project's file. */
function refusedSettings({ paths, loaded }: Context): string | undefined {
  const { refusals, projectFile, personFile } = loaded;
  if (refusals.length === 0 || !projectFile) return undefined;
  const keys = refusals.map(({ name, why }) => `${name} (${why})`).join(", ");
  if (!isNewRefusal(paths, projectFile, keys)) return undefined;
  return plainLine(
    `Swarm ignores these settings of ${projectFile}: ${keys}. If you want them, put them into your own ${personFile}.`,
  );
}

function register(ctx: Parameters<typeof sessionStart>[0]): void {
  const { source, model } = ctx.input;
  const previous = rememberProcess(ctx);
  const fresh = freshRecord(ctx); // before the lock: it asks the system about the client's process
  beginSession(ctx.paths, agentKeyOf(ctx.input), (stored) => ({
    ...stored,
    ...fresh,
    model: model ?? stored?.model,
    source,
    previous: previous ?? stored?.previous,
    startedAt: stored?.startedAt ?? ctx.now.toISOString(),
    next: undefined, // after /clear a person may go back to it by /resume
    endedAt: undefined,
    endReason: undefined,
  }));
}

// Which process runs which session: how `/clear` is followed and how a crash is noticed.

/** Returns the session this process had before, if `/clear` or a resume changed it. */
function rememberProcess(ctx: Context): string | undefined {
  endKilledSessions(ctx);
  const { paths, clientPid: pid, pane, tmux } = ctx;
  const { team, agent } = ctx.identity;
  const session = ctx.input.session_id;
  const before = readProcess(paths, pid);
  const startedAt = startOf(pid);
  writeProcess(paths, { pid, startedAt, session, team, agent, pane, tmux });
  if (!before || before.session === session || before.startedAt !== startedAt) return undefined;
  const other = otherClientOf(paths, before);
  updateOther(paths, before.session, (old) => (other ? asRunBy(other, old) : { ...old, next: session }));
  return before.session;
}

/** A session that was killed is ended on record by the next one that starts. */
function endKilledSessions(ctx: Context): void {
  const processes = readProcesses(ctx.paths);
  for (const known of processes) {
    if (lifeOf(known) !== "gone") continue;
    const isPaneReused = known.pane && known.pane === ctx.pane && known.tmux === ctx.tmux;
    const why = isPaneReused ? "pane_reused" : "crashed";
    const other = otherClientOf(ctx.paths, known, processes);
    const isWritten = updateOther(ctx.paths, known.session, (record) =>
      other ? asRunBy(other, record) : asEnded(record, ctx.now, why),
    );
    if (!isWritten) continue; // left to the next session that starts
    removeProcess(ctx.paths, known.pid);
    if (known.tmux && known.pane) setPaneOptions(known.tmux, known.pane, PLAIN_PANE);
  }
}

const asEnded = (record: SessionRecord, at: Date, why: string): SessionRecord => ({
  ...record,
  state: "ended",
  status: "done",
  tool: undefined,
  prompt: undefined,
  endedAt: at.toISOString(),
  endReason: why,
});

/** One of two clients that ran the session has ended or left it. */
const asRunBy = ({ pid, startedAt, pane, tmux }: KnownProcess, record: SessionRecord): SessionRecord => ({
  ...record,
  pid,
  pidStartedAt: startedAt,
  pane,
  tmux,
});

const OTHERS_LOCK_WAIT_MS = 50;

/** The record of another session, unless its end is on record. False where that cannot be written, as while its lock is held: a hook
 *  that was killed leaves one, and this session's own start neither waits for it nor fails. */
function updateOther(paths: Paths, session: string, change: (record: SessionRecord) => SessionRecord) {
  if (whyNotSegment(session)) return true; // it has no record
  const changeOpen = (record?: SessionRecord) => (record && !record.endedAt ? change(record) : undefined);
  const update = () => {
    updateSession(paths, { session }, changeOpen, { waitMs: OTHERS_LOCK_WAIT_MS });
    return true;
  };
  return reported(() => ignoring(isLocked, update), `the record of session ${session}`) === true;
}

/** Later Bash calls know their session, team and name. */
function exportToShell(ctx: Context): void {
  if (!ctx.envFile) return;
  const known = {
    CLAUDE_SESSION_ID: wrapperOf(ctx) ?? ctx.input.session_id,
    CLAUDE_CODE_TEAM_NAME: ctx.identity.team,
    CLAUDE_CODE_AGENT_NAME: ctx.identity.agent,
  };
  const lines = Object.entries(known).map(
    ([name, value]) => value !== undefined && `export ${name}=${shellQuoted(value)}\n`,
  );
  appendText(ctx.envFile, lines.filter(Boolean).join(""));
}

const whoOf = ({ identity: { kind, team, agent: name } }: Context) => ({ kind, team, name });

export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) =>
  withReplacement(
    ctx,
    recordTransition(ctx, "prompt", { turnStartedAt: ctx.now.toISOString(), failure: undefined }),
  );
/** Says once that another session has become the member that this one was. */
function withReplacement(ctx: Context, outcome: Outcome | undefined): Outcome | undefined {
  const { formerly } = ctx.record ?? {};
  if (!formerly || formerly.isShown || ctx.input.agent_id) return outcome;
  const [team, agent] = [escapeLine(formerly.team), escapeLine(formerly.agent)];
  const what = formerly.isLead
    ? `leads the team ${team}: another session has taken the lead`
    : `speaks as ${agent} of team ${team}: another session has that name`;
  const text = `This session no longer ${what}. It gets no mail of the team; \`swarm join\` gives it a name of its own.`;
  const markShown = () =>
    updateSession(ctx.paths, agentKeyOf(ctx.input), (stored) =>
      stored?.formerly ? { ...stored, formerly: { ...stored.formerly, isShown: true } } : undefined,
    );
  return {
    ...outcome,
    context: { name: "team role", text, priority: 100 },
    after: (isHeard = true) => {
      outcome?.after?.(isHeard);
      if (isHeard) markShown();
    },
  };
}

/** Context given at a stop (mail, a budget warning) makes the agent go on. */
export const stop: Handler<typeof events.Stop> = (ctx) =>
  ctx.outcomes.some(({ context }) => context !== undefined)
    ? recordTransition(ctx, "prompt")
    : relayed(ctx, "stop", recordTransition(ctx, "turn-end"));
/** As after a success: the call is over, and with it its turn with the index of a checkout. */
export const postToolUseFailure: Handler<typeof events.PostToolUseFailure> = (ctx) =>
  recordTransition(ctx, "tool-failed", (stored) =>
    stored?.tool?.id === ctx.input.tool_use_id ? { tool: undefined, endedCall: stored?.tool } : {},
  );
export const permissionRequest: Handler<typeof events.PermissionRequest> = (ctx) => {
  const prompt = promptFor(ctx.input.tool_name, ctx.input.tool_input, ctx.now);
  return relayed(ctx, "permission_request", recordTransition(ctx, "waiting", { prompt }));
};

export const stopFailure: Handler<typeof events.StopFailure> = (ctx) =>
  recordTransition(ctx, "turn-failed", { failure: (toText(ctx.input.error) || "unknown").slice(0, 100) });
/** Also when one that has ended is resumed. */
export const subagentStart: Handler<typeof events.SubagentStart> = (ctx) =>
  recordTransition(ctx, "start", { turnStartedAt: ctx.now.toISOString(), endedAt: undefined });

export const notification: Handler<typeof events.Notification> = (ctx) => {
  const { notification_type: type } = ctx.input;
  if (type !== "idle_prompt") return asksForAttention(type) ? stillAsking(ctx) : undefined;
  // The client has been idle for a minute: only an interrupted turn is still open on record.
  const ifOpen = (stored?: SessionRecord) => (stored && isInTurn(stored) ? { tool: undefined } : undefined);
  return relayed(ctx, "notification_idle_prompt", recordTransition(ctx, "idle", ifOpen));
};

/** The client repeats a question that has been open for 6 s. The lead is notified of it now, not of those answered before. */
function stillAsking(ctx: Parameters<typeof notification>[0]): Outcome | undefined {
  const { notification_type: type, message, session_id: session } = ctx.input;
  if (!session) return undefined;
  const record = readSession(ctx.paths, agentKeyOf(ctx.input));
  const asked = record?.prompt ?? prompts.promptInside(ctx.paths, session);
  const isPermission = type === "permission_prompt" || type === "worker_permission_prompt";
  const prompt = asked ?? {
    kind: isPermission ? "permission" : "question",
    tool: type === "permission_prompt" ? record?.tool?.name : undefined,
    detail: type === "permission_prompt" ? undefined : message.slice(0, LONGEST_LAST_WORDS),
    since: ctx.now.toISOString(),
  };
  const outcome = recordTransition(ctx, "waiting", { prompt: { ...prompt, isReported: true } });
  return andThen(outcome, () => {
    if (type === "worker_permission_prompt") recordWorkerPrompt(ctx.paths, session, message, ctx.now);
    if (!prompt.isReported) prompts.notePrompt(ctx.paths, ctx.record, ctx.now);
  });
}

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  const { tool_name: name, tool_use_id: id, permission_mode: permission } = ctx.input;
  if (ASKS_NOTHING.has(name)) return recordTransition(ctx, "tool-end");
  const tool = { name, id, since: ctx.now.toISOString(), permission };
  return withReplacement(ctx, recordTransition(ctx, "tool-start", { tool }));
};

/** Runs beside the next call: only the call that the record names is over, another may have begun. */
export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) =>
  recordTransition(ctx, "tool-end", (stored) =>
    stored?.tool && stored.tool.id !== ctx.input.tool_use_id
      ? undefined
      : { tool: undefined, endedCall: stored?.tool ?? stored?.endedCall },
  );

/** Also fires for a compaction, which is no agent (`agent_type: ""`). */
export const subagentStop: Handler<typeof events.SubagentStop> = (ctx) => {
  if (!ctx.input.agent_type) return;
  const lastWords = ctx.input.last_assistant_message?.slice(0, LONGEST_LAST_WORDS);
  if (ctx.identity.kind !== "subagent") return recordTransition(ctx, "idle", { lastWords });
  return recordTransition(ctx, "end", { lastWords, endedAt: ctx.now.toISOString() });
};

export const teammateIdle: Handler<typeof events.TeammateIdle> = (ctx) => {
  const subagents = readSubagents(ctx.paths, ctx.input.session_id);
  const inside = subagents.find((one) => one.agent === ctx.identity.agent);
  const key = { ...agentKeyOf(ctx.input), agentId: ctx.input.agent_id ?? inside?.agentId };
  const outcome = recordTransition(ctx, "idle", { tool: undefined }, key);
  const journal = [...(outcome?.journal ?? []), { what: "teammate-idle", ...whoOf(ctx) }];
  return relayed(ctx, "teammate_idle", { ...outcome, journal });
};

/** The client gives its last hooks little time. */
const END_WAIT_MS = 50;

/** `clear` and `resume` end nothing: the same process goes on (Claude OS hooks). */
export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) => {
  const { session_id, reason } = ctx.input;
  if (!session_id || reason === "clear" || reason === "resume") return;
  const known = { session: session_id, pid: ctx.clientPid };
  const uncolour = ctx.pane && { after: () => colourPane(ctx) };
  const other = otherClientOf(ctx.paths, known);
  if (other) {
    const isWritten = updateOther(ctx.paths, session_id, (record) => asRunBy(other, record));
    if (!isWritten) return { ...uncolour }; // left to the next session that starts
    removeOwnProcess(ctx);
    // Of two clients that end at once, the last one to look finds no other.
    if (otherClientOf(ctx.paths, known)) return { ...uncolour };
  }
  recordEnd(ctx);
  removeOwnProcess(ctx);
  return relayed(ctx, "session_end", {
    journal: [{ what: "session-end", reason, ...whoOf(ctx) }],
    ...uncolour,
  });
};

/** Unless the client runs another session by now. */
function removeOwnProcess({ paths, clientPid, input }: Context): void {
  if (readProcess(paths, clientPid)?.session === input.session_id) removeProcess(paths, clientPid);
}

function recordEnd(ctx: Parameters<typeof sessionEnd>[0]): void {
  const known = ctx.record ?? freshRecord(ctx);
  const ended = (stored = known): SessionRecord => ({
    ...asEnded(stored, ctx.now, ctx.input.reason || "unknown"),
    lastSeen: ctx.now.toISOString(),
  });
  const key = agentKeyOf(ctx.input);
  unlessLocked(
    () => void updateSession(ctx.paths, key, ended, { waitMs: END_WAIT_MS }),
    // The end matters more than what another hook of this session writes.
    () => writeSession(ctx.paths, ended(readSession(ctx.paths, key))),
  );
}

/** For an ATM daemon and the readers of its log, where a project's `.atm.toml` or the variables show that ATM is in use. */
function relayed(ctx: Context, event: string, outcome: Outcome | undefined): Outcome | undefined {
  if (ctx.loaded.projectFile === undefined && ctx.atm.team === undefined) return outcome;
  return andThen(outcome, () => relay(ctx, event));
}

const andThen = (outcome: Outcome | undefined, work: () => void): Outcome => ({
  ...outcome,
  after: () => {
    outcome?.after?.();
    work();
  },
});

type Change = Partial<SessionRecord>;

/** Without a lock: the write replaces the whole record, and the next event repairs a lost state. `undefined` changes nothing. */
function recordTransition(
  ctx: Context,
  transition: Transition,
  change: Change | ((stored: SessionRecord | undefined) => Change | undefined) = {},
  key = agentKeyOf(ctx.input),
): Outcome | undefined {
  if (!key.session) return undefined;
  const stored = readSession(ctx.paths, key);
  const changed = typeof change === "function" ? change(stored) : change;
  if (!changed || (stored?.endedAt && !key.agentId)) return undefined;
  const record = {
    ...withTransition(stored ?? freshRecord(ctx), transition, ctx.now),
    permissionMode: ctx.input.permission_mode ?? stored?.permissionMode,
    prompt: transition === "waiting" ? stored?.prompt : undefined,
    ...changed,
  };
  writeSession(ctx.paths, record);
  if (!key.agentId) ctx.record = record;
  const journal = phaseNote(record, stored);
  const isColoured = ctx.pane !== undefined && record.status !== stored?.status && !key.agentId;
  const isAnswered = stored?.prompt !== undefined && record.prompt === undefined;
  if (!isColoured && !isAnswered) return journal && { journal };
  const after = () => {
    if (isColoured) colourPane(ctx, record.status);
    if (isAnswered) prompts.notePromptEnd(ctx.paths, stored, ctx.now);
  };
  return { journal, after };
}

function phaseNote(record: SessionRecord, stored: SessionRecord | undefined) {
  const state = phaseOf(record);
  if (stored && phaseOf(stored) === state) return undefined;
  const { team, agent: name, failure } = record;
  return [{ what: "state", state, team, name, ...(state === "failed" ? { failure } : {}) }];
}

function freshRecord(ctx: Context): SessionRecord {
  const { input } = ctx;
  const { parent, isParentLead, ...speaker } = ctx.identity;
  const at = ctx.now.toISOString();
  return {
    session: input.session_id,
    agentId: input.agent_id,
    ...speaker,
    mode: ctx.mode,
    permissionMode: input.permission_mode,
    cwd: ctx.cwd,
    state: "active",
    status: "done",
    startedAt: at,
    lastSeen: at,
    ...(!input.agent_id && {
      wrapper: wrapperOf(ctx),
      parent: ctx.isChild ? ctx.wrapperId : undefined,
      role: ctx.role,
      mission: ctx.missionId,
      client: ctx.clientVersion,
      pid: ctx.clientPid,
      pidStartedAt: startOf(ctx.clientPid),
      pane: ctx.pane,
      tmux: ctx.tmux,
      project: ctx.projectDir,
      transcript: input.transcript_path || undefined,
    }),
  };
}

/** `CLAUDE_SESSION_ID` names a wrapper's session, or, in a client started from an agent's Bash tool, that agent's. */
const wrapperOf = (ctx: Context) =>
  ctx.isChild || ctx.wrapperId === ctx.input.session_id ? undefined : ctx.wrapperId;

export const taskCreated: Handler<typeof events.TaskCreated> = (ctx) => taskNoted(ctx, "task-created");
export const preCompact: Handler<typeof events.PreCompact> = (ctx) =>
  noted(ctx, "compact-start", { trigger: ctx.input.trigger });
export const postCompact: Handler<typeof events.PostCompact> = (ctx) =>
  noted(ctx, "compact-end", { trigger: ctx.input.trigger });
export const configChange: Handler<typeof events.ConfigChange> = (ctx) =>
  noted(ctx, "config-change", { source: ctx.input.source, file: ctx.input.file_path });

/** Also fires at each turn end of a teammate that owns open work; only the file says whether it is done. */
export const taskCompleted: Handler<typeof events.TaskCompleted> = (ctx) => taskNoted(ctx, "task-completed");

const taskNoted = (ctx: Context<Base & { task_id: string; task_subject: string }>, what: string) =>
  noted(ctx, what, { task: ctx.input.task_id, subject: ctx.input.task_subject });

const noted = (ctx: Context, what: string, details: Record<string, unknown>): Outcome => ({
  journal: [{ what, ...details, ...whoOf(ctx) }],
});

// The reminder to set a status for the board, given once; its text is that of Claude OS hooks.
const REMIND_AFTER_MS = 120_000;

const REMINDER = `[CLAUDE OS SYS: INFO]: Consider setting a session status with status("what you're working on")
(In a shell: swarm status set "what you're working on")`;

export const statusReminder: Handler<typeof events.UserPromptSubmit> = (ctx) => {
  const { record, now, paths } = ctx;
  if (!isStatusUseful(ctx) || !record || record.statusText) return;
  const isDue = now.getTime() - Date.parse(record.startedAt) >= REMIND_AFTER_MS;
  if (!isDue || readAgentContext(paths, record.session, MAIN).remindedAt) return;
  const remindedAt = now.toISOString();
  updateAgentContext(paths, record.session, MAIN, (stored) => ({ ...stored, remindedAt }));
  return { context: { name: "status reminder", text: REMINDER, priority: 10 } };
};

/** Where the status may be of use: a team, a project with `.atm.toml`, a session started with a role. */
const isStatusUseful = (ctx: Context) =>
  ctx.loaded.projectFile !== undefined ||
  ctx.identity.team !== undefined ||
  ctx.role !== undefined ||
  (ctx.wrapperId !== undefined && !ctx.isChild);
