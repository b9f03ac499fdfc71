// The events of a session that works on an effort, apart from its tool calls (tool-calls.ts).

import type { UpdateOptions } from "../core/json.ts";
import type { Paths } from "../core/paths.ts";
import { noteProblem } from "../core/process.ts";
import { toText } from "../core/text.ts";
import { type Context, runsInAnotherClient } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import { blockOnce } from "../hook/gate.ts";
import type { Outcome } from "../hook/outcome.ts";
import type { Handler } from "../hook/run.ts";
import { lifeOfRecord, readSession } from "../sessions/store/sessions.ts";
import { limitIn } from "../sessions/store/turn-end.ts";
import { lifeOf, signal } from "../system/processes.ts";
import {
  addInjection,
  agentOf,
  type Current,
  closeSession,
  contextShareOf,
  currentOf,
  deliver,
  findEffort,
  inWindow,
  linksOf,
  noteMessage,
  openSession,
  transcriptTail,
  withFiles,
} from "./sessions.ts";
import {
  type Dehydration,
  dropRestartPrompt,
  type Effort,
  type EffortSession,
  MOST_REQUIRED_FILES,
  readEffortSession,
  readEffortSessions,
  updateEffort,
  updateEffortSession,
  withMetadata,
  writeRestartPrompt,
} from "./store/efforts.ts";
import { readLogEntries, readSkillConfig } from "./store/project-files.ts";
import {
  closeWindow,
  heartbeatOf,
  isMain,
  type Link,
  mainAgentOf,
  readLink,
  readLoaded,
  windowAgents,
} from "./store/windows.ts";
import { agentLines, asSection, contextLine, HOW_TO_DEHYDRATE, rehydrate, skillAndPhase } from "./text.ts";

const LONGEST_NOTE = 500;
const MOST_TASKS = 100;

const linkOf = ({ effort, session }: Current): Link => ({ effort: effort.id, session });

/** Always opens a new session of the effort: a resumed or compacted window is a new window. */
export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const { paths, now } = ctx;
  const { source, session_id } = ctx.input;
  if (!session_id) return;
  const links = linksOf(paths, session_id, readSession(paths, { session: session_id })?.previous);
  const effort = findEffort(ctx, links, [ctx.projectDir ?? ctx.cwd]);
  if (!effort) return;
  closeGone(paths, effort.id, session_id, now);
  // This client's own last session on the effort: another client may have opened a newer one since.
  const after = links.find((link) => link.effort === effort.id)?.session;
  const opening = { agent: mainAgentOf(session_id), source, after, ending: source || "start", now };
  const opened = openSession(paths, effort.id, opening);
  if (!opened) return;
  dropRestartPrompt(paths, effort.id);
  return {
    ...deliver(ctx, opened, (pending) => rehydrate(ctx, opened, pending)),
    journal: [{ what: "effort-session", effort: effort.id, number: opened.session, source }],
  };
};

/** An in-process teammate has a start for each turn but keeps its window: from the second on it gets only the context line. */
export const subagentStart: Handler<typeof events.SubagentStart> = (ctx) => {
  const agent = agentOf(ctx.input);
  const parent = currentOf(ctx, mainAgentOf(agent.client));
  if (!parent || isMain(agent)) return;
  const { effort } = parent;
  if (ctx.identity.kind === "in-process" && currentOf(ctx)?.effort.id === effort.id)
    return { context: contextLine(ctx, effort, heartbeatOf(ctx.paths, agent)) };
  const { now, identity, input } = ctx;
  const who = { agent, source: identity.kind, agentType: input.agent_type };
  const opened = openSession(ctx.paths, effort.id, { ...who, after: parent.session, now });
  if (!opened) return;
  return {
    context: asSection(effort, [contextLine(ctx, effort), ...agentLines(opened)].join("\n")),
    journal: [{ what: "effort-session", effort: effort.id, number: opened.session, source: "subagent" }],
  };
};

export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = inWindow((ctx, current) => {
  const line = contextLine(ctx, current.effort, heartbeatOf(ctx.paths, current.agent));
  return deliver(ctx, current, (pending) => [line, ...pending].join("\n\n"));
});

export const postToolUseFailure: Handler<typeof events.PostToolUseFailure> = (ctx) => {
  const { tool_name: tool, error, is_interrupt: interrupted } = ctx.input;
  noteEvent(ctx, "failure", { tool, error: toText(error ?? "").slice(0, LONGEST_NOTE), interrupted });
};

export const notification: Handler<typeof events.Notification> = (ctx) => {
  const { notification_type: why, message } = ctx.input;
  noteEvent(ctx, "attention", { why, text: message.slice(0, LONGEST_NOTE) });
};

export const permissionRequest: Handler<typeof events.PermissionRequest> = (ctx) => {
  noteEvent(ctx, "attention", { why: "permission_request", tool: ctx.input.tool_name });
};

/** An agent without a window of its own counts to its session's main window. */
function noteEvent(ctx: Context, kind: string, details: object): Current | undefined {
  const current = currentOf(ctx) ?? currentOf(ctx, mainAgentOf(ctx.input.session_id));
  if (current) noteMessage(ctx, current, kind, details);
  return current;
}

export const stop: Handler<typeof events.Stop> = inWindow((ctx, current) => {
  const found = limitIn(transcriptTail(ctx));
  if (found) noteMessage(ctx, current, "limit", { ...found, text: found.text.slice(0, LONGEST_NOTE) });
  const share = contextShareOf(ctx, current);
  if (share === undefined) return;
  const contextUsage = Math.round(share);
  updateEffortSession(ctx.paths, linkOf(current), (stored) => ({ ...stored, contextUsage }));
});

export const teammateIdle: Handler<typeof events.TeammateIdle> = (ctx) => {
  const who = ctx.input.teammate_name ?? ctx.identity.agent ?? "a teammate";
  const current = noteEvent(ctx, "idle", { who, team: ctx.input.team_name });
  if (current) notifyCoordinator(ctx, current, `idle-${who}`, `${who} is idle.`);
};

/** Also fires at the end of each turn of a teammate with open work; only then it carries a permission mode. */
export const taskCompleted: Handler<typeof events.TaskCompleted> = (ctx) => {
  if (ctx.input.permission_mode !== undefined) return;
  const task = { id: ctx.input.task_id, subject: ctx.input.task_subject };
  const current = noteEvent(ctx, "task", { ...task, by: ctx.input.teammate_name });
  if (!current) return;
  updateEffort(ctx.paths, current.effort.id, (stored) => {
    const others = stored.metadata.completedTasks.filter((one) => one.id !== task.id);
    return withMetadata(stored, { completedTasks: [...others, task].slice(-MOST_TASKS) });
  });
};

/** Also fires for the compaction (`agent_type: ""`), which is no agent. */
export const subagentStop: Handler<typeof events.SubagentStop> = inWindow((ctx, current) => {
  const { effort, agent } = current;
  if (!ctx.input.agent_type || isMain(agent)) return;
  if (ctx.identity.kind !== "in-process") {
    closeSession(ctx.paths, linkOf(current), "subagent-stop", ctx.now);
    return closeWindow(ctx.paths, agent);
  }
  // It stops after every turn: its files go to the effort, its session stays open.
  const loaded = readLoaded(ctx.paths, agent);
  if (loaded.length > 0) updateEffort(ctx.paths, effort.id, (stored) => withFiles(stored, loaded));
});

/** Stores what our files know, asks the agent once to write down the rest, or ends the client so that a new one goes on. */
export const preCompact: Handler<typeof events.PreCompact> = inWindow((ctx, current) => {
  const way = ctx.settings["effort.precompact"];
  let held: Outcome | undefined;
  if (way === "kill" && ctx.input.trigger === "auto") held = killClient(ctx, current);
  if (way === "block") held = blockCompactionOnce(ctx, current);
  if (!held) snapshot(ctx, current);
  return held;
});

/** Also after `/clear`: the window is gone, though the client lives on. */
export const sessionEnd: Handler<typeof events.SessionEnd> = inWindow((ctx, current) => {
  if (runsInAnotherClient(ctx)) return;
  const { paths, now } = ctx;
  const reason = ctx.input.reason || "unknown";
  for (const agent of windowAgents(paths, ctx.input.session_id)) {
    const link = readLink(paths, agent);
    if (!link) continue;
    closeSession(paths, link, reason, now, AT_SESSION_END);
    if (!isMain(agent)) closeWindow(paths, agent); // the main link stays: a resumed client finds its effort by it
  }
  noteMessage(ctx, current, "session", { what: "ended", reason });
  if (reason === "clear" || reason === "resume") return;
  const { effort, session } = current;
  notifyCoordinator(ctx, current, `ended-${session}`, `Session ${effort.id}.${session} ended.`);
});

export const configChange: Handler<typeof events.ConfigChange> = inWindow((ctx, current) => {
  const { id, project, skill, skillConfig: before } = current.effort;
  const skillConfig = readSkillConfig(ctx.paths, project, skill) ?? null;
  if (JSON.stringify(skillConfig) === JSON.stringify(before)) return;
  updateEffort(ctx.paths, id, (stored) => ({ ...stored, skillConfig }));
  noteMessage(ctx, current, "config", { skill, file: skillConfig?.file });
});

function snapshot(ctx: Context, current: Current): void {
  const { effort, agent } = current;
  const [lastAction] = readLogEntries(effort, 1);
  const dehydration: Dehydration = {
    at: ctx.now.toISOString(),
    by: "snapshot",
    summary: `${skillAndPhase(effort)}: the window was compacted here; the log has ${lastAction ? "the rest" : "no entry yet"}.`,
    lastAction,
    nextSteps: effort.dehydrated?.nextSteps ?? [],
    requiredFiles: readLoaded(ctx.paths, agent).slice(-MOST_REQUIRED_FILES),
  };
  updateEffortSession(ctx.paths, linkOf(current), (stored) => ({ ...stored, dehydration }));
}

/** Once a window, and not at all when the agent has already written it down in this window. */
function blockCompactionOnce(ctx: Context, { effort, session, agent }: Current): Outcome | undefined {
  const started = readEffortSession(ctx.paths, effort.id, session)?.startedAt ?? "";
  if (effort.dehydrated && effort.dehydrated.at >= started) return undefined;
  const block = blockOnce(ctx, {
    reason: `precompact:${effort.id}.${session}`,
    text: `Effort ${effort.id} is not written down yet. Let the agent run: ${HOW_TO_DEHYDRATE}\nThen compact again; the second time it goes through. Changed by effort.precompact in settings.toml.`,
    allowance: 1,
  });
  if (!block) return undefined;
  const text = `A compaction was held back once so that this window can be written down first: ${HOW_TO_DEHYDRATE}`;
  addInjection(ctx.paths, effort.id, { id: "dehydrate", text, at: ctx.now.toISOString(), for: agent.client });
  return { ...block, loud: true };
}

const restartPrompt = (effort: Effort) => `# Restart of effort ${effort.id}

The client was ended before a compaction. Start it again in ${effort.project}; its first session goes on with the effort.

Prompt: Go on with effort ${effort.id} (${skillAndPhase(effort)}) from its log and the context of this session.
`;

/** Ends only the client that runs this hook, proven by pid and start time; without proof the caller takes a snapshot. */
function killClient(ctx: Context, current: Current): Outcome | undefined {
  const { effort, agent } = current;
  const client = { pid: ctx.record?.pid, startedAt: ctx.record?.pidStartedAt };
  if (client.pid !== ctx.clientPid || lifeOf(client) !== "alive") {
    noteProblem(`effort.precompact = "kill": the client of ${agent.client} is not proven ours; not ended`);
    return undefined;
  }
  const prompt = writeRestartPrompt(ctx.paths, effort.id, restartPrompt(effort));
  noteMessage(ctx, current, "session", { what: "killed before compaction" });
  closeSession(ctx.paths, linkOf(current), "precompact-kill", ctx.now);
  return {
    // The client takes a moment to end; without the denial it would compact meanwhile and start another window.
    deny: `This client ends here, before the compaction (effort.precompact = "kill" in settings.toml). Effort ${effort.id} goes on in the next one: ${prompt}`,
    rule: "effort:precompact-kill",
    loud: true,
    journal: [{ what: "effort-kill", effort: effort.id, pid: client.pid }],
    after: () => void signal(client, "SIGTERM"),
  };
}

/** Sessions of other clients that ended without an event. */
function closeGone(paths: Paths, effort: number, session: string, now: Date): void {
  for (const one of openElsewhere(paths, effort, session))
    if (isOver(paths, one.client)) closeSession(paths, { effort, session: one.number }, "gone", now);
}

const RECENT = 50;

/** Open windows of other clients, oldest first. Of a long effort only the newest sessions are read. */
const openElsewhere = (paths: Paths, effort: number, session: string): EffortSession[] =>
  readEffortSessions(paths, effort, RECENT).filter((one) => !one.endedAt && one.client !== session);

function isOver(paths: Paths, client: string): boolean {
  const record = readSession(paths, { session: client });
  return !record || record.next !== undefined || lifeOfRecord(record) === "gone";
}

/** The client gives all hooks at a session's end a second and a half. */
const AT_SESSION_END: UpdateOptions = { waitMs: 250, durable: "content" };

/** For the other client that leads the effort, that of the oldest main window still open: it gets this with its next tool call. */
function notifyCoordinator({ paths, now }: Context, current: Current, id: string, text: string) {
  const { effort, agent } = current;
  const others = openElsewhere(paths, effort.id, agent.client);
  const leads = others.find((one) => isMain(one) && !isOver(paths, one.client))?.client;
  if (leads) addInjection(paths, effort.id, { id, text, at: now.toISOString(), for: leads }, AT_SESSION_END);
}
