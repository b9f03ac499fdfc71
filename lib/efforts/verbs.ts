// The verbs of `swarm effort`, one lazy part: `swarm send` and its like need none of it. First the steps of an effort (start, phase,
// log, dehydrate, finish), then what its agents will be shown or denied (preload, inject, guard); `show` and `list` are in show.ts.

import { resolve } from "node:path";
import { badCall } from "../cli/command.ts";
import { isBelow, makeDirectory, pathFrom, realPath } from "../core/files.ts";
import { dayOf, newId } from "../core/journal.ts";
import { asText, asTexts, parsedLine } from "../core/json.ts";
import { whyNotSegment } from "../core/paths.ts";
import { hasHidden, plainLines } from "../core/text.ts";
import { PERSON } from "../hook/context.ts";
import { activeEffort, callerOf, type EffortCall, numberOf, projectOf, textOf, theEffort } from "./caller.ts";
import { addInjection, closeSession, openSession, ownerOf } from "./sessions.ts";
import {
  appendEffortMessage,
  createEffort,
  type Dehydration,
  type Effort,
  type EffortTask,
  finishEffort,
  type GuardRule,
  MOST_REQUIRED_FILES,
  readEffortSessions,
  takeOrdinal,
  updateEffort,
  updateEffortSession,
  withMetadata,
} from "./store/efforts.ts";
import {
  appendLogEntry,
  logPathOf,
  readPreload,
  readSkillConfig,
  startLog,
  usualTaskDir,
  writeDebrief,
} from "./store/project-files.ts";
import { closeWindow, mainAgentOf, readLink, restartHeartbeat } from "./store/windows.ts";
import { blockAfterOf, clock, guardLine, howToLog, skillAndPhase } from "./text.ts";

export { list, show } from "./show.ts";

const LONGEST_PART_BYTES = 255;
const MOST_PHASES = 100;
// They are kept in the effort's record, which every hook reads and which no hook reads beyond 16 MB.
const LONGEST_PHASE = 1_000;
const LONGEST_NOTES = 100_000;
const SKILL = /^[A-Za-z0-9][\w.:-]{0,63}$/;

/** A task's directory gets its next effort, and the calling session works on it from now on. */
export function start(call: EffortCall) {
  const skill = call.words[1] ?? "";
  if (!SKILL.test(skill) || whyNotSegment(skill.replaceAll(":", "-")))
    throw badCall("which skill? a name like implement or fix");
  const { dir: asked = "" } = call.flags;
  if (hasHidden(asked) || asked.split("/").some((part) => Buffer.byteLength(part) > LONGEST_PART_BYTES))
    throw badCall("--dir holds hidden characters or is too long");
  const blockAfter = numberOf(call.flags["block-after"], "block-after");
  const before = activeEffort(call);
  const project = projectOf(call);
  const dir = taskDirectory(call, project, skill);
  const place = { dir, project, title: call.flags.title };
  const task = takeOrdinal(call.paths, place, call.now);
  // First: where it cannot be written, no effort is left behind that nobody knows of.
  startLog({ dir, skill, ordinal: task.lastOrdinal }, `${skill}${task.title ? `: ${task.title}` : ""}`);
  const effort = create(call, task, skill, blockAfter);
  // The effort the session worked on before stays active.
  const agent = call.session ? mainAgentOf(call.session) : undefined;
  const session =
    agent && openSession(call.paths, effort.id, { agent, source: "start", now: call.now })?.session;
  return { text: started(call, effort, session, before), data: { effort, session: session ?? null } };
}

function create(call: EffortCall, task: EffortTask, skill: string, blockAfter: number | undefined): Effort {
  const { paths, flags } = call;
  const at = call.now.toISOString();
  return createEffort(paths, (id) => ({
    id,
    task: task.id,
    dir: task.dir,
    project: task.project,
    skill,
    mode: flags.mode,
    ordinal: task.lastOrdinal,
    lifecycle: "active",
    phase: flags.phase,
    phases: flags.phase ? [{ phase: flags.phase, at }] : [],
    owner: ownerOf(call.fleetId, call.subject),
    skillConfig: readSkillConfig(paths, task.project, skill) ?? null,
    directives: [],
    preloads: [],
    loadedFiles: [],
    dehydrated: null,
    sessions: 0,
    metadata: { blockAfter, loading: flags.loading, guards: [], pendingInjections: [], completedTasks: [] },
    startedAt: at,
  }));
}

/** The directory is made before its links are resolved, so that each way to it names the same task. */
function taskDirectory({ flags, cwd, now }: EffortCall, project: string, skill: string): string {
  const name = `${dayOf(now)}-${skill.replace(/[^A-Za-z0-9]+/g, "-").toLowerCase()}`;
  const dir = flags.dir ? resolve(cwd, flags.dir) : usualTaskDir(project, name);
  makeDirectory(dir);
  return realPath(dir);
}

function started(call: EffortCall, effort: Effort, session?: number, before?: Effort): string {
  const limit = blockAfterOf(effort, call.loaded.values);
  const lines = [
    `effort ${effort.id} started: ${skillAndPhase(effort)}`,
    `task     ${effort.dir}`,
    `log      ${logPathOf(effort)}`,
    `session  ${session ? `${effort.id}.${session}` : "none yet: the next session in this project goes on with it"}`,
    `next     ${howToLog(effort)}${limit > 0 ? `, before every ${limit}th tool call` : ""}`,
  ];
  const end = `swarm effort finish --effort ${before?.id} ends it`;
  if (before) lines.push(`note     effort ${before.id} (${before.skill}) stays active; ${end}`);
  return plainLines(lines);
}

export function phase(call: EffortCall) {
  const text = textOf(call, "which phase", LONGEST_PHASE);
  const effort = theEffort(call);
  const at = call.now.toISOString();
  updateEffort(call.paths, effort.id, (stored) => ({
    ...withMetadata(stored, { loading: undefined }),
    phase: text,
    phases: [...stored.phases, { phase: text, at }].slice(-MOST_PHASES),
  }));
  note(call, effort, "phase", { from: effort.phase ?? null, to: text });
  return {
    text: `effort ${effort.id}: ${effort.phase ?? "no phase"} → ${text}`,
    data: { effort: effort.id, phase: text },
  };
}

export function log(call: EffortCall) {
  const text = textOf(call, "what happened");
  const effort = theEffort(call);
  const { name: by, window } = callerOf(call, effort, text);
  const file = appendLogEntry(effort, [clock(call.now), effort.phase, by].filter(Boolean).join(" · "), text);
  const lastLog = { at: call.now.toISOString(), by, text: text.slice(0, 500) };
  updateEffort(call.paths, effort.id, (stored) => ({
    ...withMetadata(stored, { loading: undefined }),
    lastLog,
  }));
  if (window) restartHeartbeat(call.paths, window.agent);
  return {
    text: `logged in ${file}${window ? "; the heartbeat starts again at 0" : ""}`,
    data: { effort: effort.id, file, ...lastLog },
  };
}

export function dehydrate(call: EffortCall) {
  const text = textOf(call, "what must the next window know", LONGEST_NOTES);
  const effort = theEffort(call);
  const dehydrated = dehydrationOf(call, text, effort);
  updateEffort(call.paths, effort.id, (stored) => ({ ...stored, dehydrated }));
  const { window } = callerOf(call, effort, text);
  if (window)
    updateEffortSession(call.paths, window.link, (stored) => ({ ...stored, dehydration: dehydrated }));
  return { text: `effort ${effort.id} is written down; the next window gets it back`, data: dehydrated };
}

/** Plain text and flags, or the whole payload as JSON. */
function dehydrationOf(call: EffortCall, text: string, effort: Effort): Dehydration {
  const { last, next = [], handover, file = [] } = call.flags;
  const given = parsedLine<Record<string, unknown>>(text);
  const textsOf = (key: string) => asTexts([given?.[key]].flat());
  const files = [...file.map((path) => resolve(call.cwd, path)), ...textsOf("requiredFiles")];
  return {
    at: call.now.toISOString(),
    by: call.identity.kind === "person" ? PERSON : "agent",
    summary: asText(given?.["summary"]) ?? text,
    lastAction: last ?? asText(given?.["lastAction"]),
    nextSteps: [...next, ...textsOf("nextSteps")],
    handoverInstructions: handover ?? asText(given?.["handoverInstructions"]),
    requiredFiles: files.slice(0, MOST_REQUIRED_FILES).map((path) => inProject(effort.project, path)),
  };
}

export function inProject(project: string, path: string): string {
  const full = resolve(project, path);
  return isBelow(full, project) ? pathFrom(project, full) : path;
}

export function finish(call: EffortCall) {
  const { paths, now } = call;
  const effort = theEffort(call);
  const { id } = effort;
  const text = call.words.length > 1 ? textOf(call, "what came out of it") : undefined;
  if (text) {
    const { name } = callerOf(call, effort, text);
    appendLogEntry(effort, `${clock(now)} · finished · ${name}`, text);
    writeDebrief(effort, text);
  }
  note(call, effort, "session", { what: "effort finished" });
  finishEffort(paths, id, now);
  // No window is left behind that a later tool call would have to read.
  for (const one of readEffortSessions(paths, id)) {
    if (!one.endedAt) closeSession(paths, { effort: id, session: one.number }, "effort-finished", now);
    if (readLink(paths, one)?.effort === id) closeWindow(paths, one);
  }
  return {
    text: `effort ${id} (${effort.skill}) is finished; its log stays at ${logPathOf(effort)}`,
    data: { effort: id, lifecycle: "finished" },
  };
}

function note(call: EffortCall, effort: Effort, kind: string, details: object): void {
  const { name: voice, window } = callerOf(call, effort);
  const from = { session: window?.link.session ?? null, voice };
  appendEffortMessage(call.paths, effort.id, { at: call.now.toISOString(), kind, ...from, ...details });
}

const MOST_PRELOADS = 16;
const MOST_GUARDS = 50;
const LONGEST_TEXT = 6_000;
const ID = /^[A-Za-z0-9][\w.-]{0,63}$/;

export function preload(call: EffortCall) {
  const effort = theEffort(call);
  const named = call.words.slice(1).map((path) => realPath(resolve(call.cwd, path)));
  const paths = [...new Set(named.map((path) => inProject(effort.project, path)))];
  if (paths.length === 0) return listed("preloads", effort.preloads);
  for (const path of call.flags.remove ? [] : paths) {
    const { why } = readPreload(call.paths.home, { ...effort, preloads: paths }, path, 1);
    if (why) throw badCall(`${path} cannot be preloaded: ${why}`);
  }
  const changed = updateEffort(call.paths, effort.id, (stored) => {
    const others = stored.preloads.filter((path) => !paths.includes(path));
    const preloads = call.flags.remove ? others : [...others, ...paths];
    if (preloads.length > MOST_PRELOADS) throw badCall(`at most ${MOST_PRELOADS} files are preloaded`);
    return { ...stored, preloads };
  });
  return listed("preloads", changed?.preloads ?? []);
}

const listed = (name: string, values: string[]) => ({
  text: plainLines(values) || `no ${name}`,
  data: { [name]: values },
});

export function inject(call: EffortCall) {
  const text = textOf(call, "which text");
  if (text.length > LONGEST_TEXT) throw badCall(`at most ${LONGEST_TEXT} characters; preload a file instead`);
  const effort = theEffort(call);
  const id = call.flags.id ?? newId(call.now);
  if (!ID.test(id)) throw badCall("--id is made of letters, digits, dots and dashes");
  addInjection(call.paths, effort.id, { id, text, at: call.now.toISOString() });
  return {
    text: `${id} waits; the agent on effort ${effort.id} gets it once, with its next tool call or prompt`,
    data: { effort: effort.id, id },
  };
}

export function guard(call: EffortCall) {
  const effort = theEffort(call);
  const id = call.words[1];
  if (id === undefined) return shown(effort.metadata.guards);
  if (!ID.test(id)) throw badCall("a rule's name is made of letters, digits, dots and dashes");
  const rule = call.flags.remove ? undefined : ruleOf(call, id);
  const changed = updateEffort(call.paths, effort.id, (stored) => {
    const others = stored.metadata.guards.filter((one) => one.id !== id);
    if (call.flags.remove && others.length === stored.metadata.guards.length)
      throw new Error(`effort ${effort.id} has no rule ${id}`);
    if (rule && others.length >= MOST_GUARDS) throw badCall(`at most ${MOST_GUARDS} rules`);
    return withMetadata(stored, { guards: rule ? [...others, rule] : others });
  });
  return shown(changed?.metadata.guards ?? []);
}

function ruleOf({ flags }: EffortCall, id: string): GuardRule {
  const { tool, input, phase, message } = flags;
  const heartbeat = numberOf(flags.heartbeat, "heartbeat");
  const context = numberOf(flags.context, "context");
  if ([tool, input, phase, heartbeat, context].every((one) => one === undefined))
    throw badCall("when? give --tool, --input, --phase, --heartbeat or --context");
  if (!message) throw badCall("--message is what the agent reads");
  if (flags.deny === flags.warn) throw badCall("either --deny or --warn");
  return { id, tool, input, phase, heartbeat, context, message, action: flags.deny ? "deny" : "warn" };
}

const shown = (guards: GuardRule[]) => ({
  text: plainLines(guards.map(guardLine)) || "no guard rules",
  data: { guards },
});
