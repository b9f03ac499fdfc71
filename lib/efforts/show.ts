// `swarm effort show` and `list`: one effort with its three layers, or all of them.
import { contextOfSession } from "../context/store/window.ts";
import type { Paths } from "../core/paths.ts";
import { plainLines, shortened } from "../core/text.ts";
import { readSession } from "../sessions/store/sessions.ts";
import { type EffortCall, effortHere } from "./caller.ts";
import {
  type Effort,
  type EffortMessage,
  type EffortSession,
  readActiveEfforts,
  readEffortMessages,
  readEffortSessions,
  readEfforts,
  readEffortTask,
} from "./store/efforts.ts";
import { listArtifacts, logPathOf } from "./store/project-files.ts";
import {
  firedMark,
  heartbeatOf,
  isClaimed,
  isMain,
  mainAgentOf,
  OVERFLOW,
  preloadMark,
  readLink,
} from "./store/windows.ts";
import { blockAfterOf, guardLine } from "./text.ts";

const MESSAGES = 10;
const SESSIONS = 8;
const LONGEST_LINE = 120;

export function show(call: EffortCall) {
  const effort = effortHere(call, call.words[1] ?? call.flags.effort);
  const none = "no active effort here; begin one with: swarm effort start <skill>";
  if (!effort) return { text: none, data: { task: null, effort: null, session: null } };
  const data = factsOf(call, effort);
  return { text: page(data, blockAfterOf(effort, call.loaded.values)), data };
}

type Facts = ReturnType<typeof factsOf>;

/** With what the source document's tool-call answer has, for the main window of the calling session. */
function factsOf(call: EffortCall, effort: Effort) {
  const { paths, session, loaded } = call;
  const agent = session ? mainAgentOf(session) : undefined;
  const link = agent && readLink(paths, agent);
  const isOpen = agent !== undefined && link?.effort === effort.id;
  const is = (name: string) => isOpen && isClaimed(paths, agent, name);
  const record = session ? readSession(paths, { session }) : undefined;
  const use = record && contextOfSession(call, record);
  return {
    task: readEffortTask(paths, effort.task) ?? null,
    effort,
    session: isOpen ? link.session : null,
    sessions: readEffortSessions(paths, effort.id).map((one) => withCount(paths, one)),
    artifacts: listArtifacts(effort),
    messages: readEffortMessages(paths, effort.id).slice(-MESSAGES),
    heartbeatCount: isOpen ? heartbeatOf(paths, agent) : 0,
    /** In percent. */
    contextUsage: use ? Math.round(use.share * 10) / 10 : null,
    overflowWarning: is(OVERFLOW) || (use?.share ?? 0) >= loaded.values["effort.overflow_warn"],
    firedRules: effort.metadata.guards.filter((rule) => is(firedMark(rule))).map(({ id }) => id),
    pendingPreloads: effort.preloads.filter((path) => !is(preloadMark(path))),
  };
}

/** The count of an open window is in its counter, that of a closed one in its record. */
const withCount = (paths: Paths, one: EffortSession): EffortSession =>
  one.endedAt ? one : { ...one, heartbeat: heartbeatOf(paths, one) };

function page({ effort, sessions, artifacts, messages }: Facts, limit: number): string {
  const { metadata, lastLog, dehydrated } = effort;
  const { fleet, team, agent } = effort.owner;
  const last = lastLog && `${lastLog.at}  ${lastLog.by}: ${oneLine(lastLog.text)}`;
  const rows: [string, (string | undefined)[]][] = [
    ["effort", [`${effort.id}  ${effort.skill}  ${effort.lifecycle}  phase: ${effort.phase ?? "none"}`]],
    ["task", [effort.dir]],
    ["owner", [agent && `${agent}@${team ?? "-"}`, fleet && `AGENT_ID ${fleet}`]],
    ["artifacts", artifacts],
    ["last log", [last ?? `none in ${logPathOf(effort)}`]],
    ["sessions", sessions.slice(-SESSIONS).map((one) => sessionLine(one, limit))],
    ["written down", [dehydrated ? `${dehydrated.at}  ${oneLine(dehydrated.summary)}` : undefined]],
    ["preloads", effort.preloads],
    ["directives", effort.directives],
    ["guards", metadata.guards.map(guardLine)],
    ["waiting", metadata.pendingInjections.map((one) => `${one.id}: ${oneLine(one.text)}`)],
    ["tasks done", metadata.completedTasks.map((one) => `#${one.id} ${oneLine(one.subject)}`)],
    ["messages", messages.map(messageLine)],
  ];
  const lines = rows.flatMap(([title, values]) =>
    values.filter(Boolean).map((value, at) => `${(at ? "" : title).padEnd(13)}${value}`),
  );
  return plainLines(lines);
}

const oneLine = (text: string) => shortened(text.replace(/\s+/g, " "), LONGEST_LINE);

function sessionLine(one: EffortSession, limit: number): string {
  const who = isMain(one) ? "" : `  ${one.agentType ?? one.voice}`;
  const after = one.previous === null ? "" : `, after ${one.effort}.${one.previous}`;
  const end = one.endedAt ? `ended ${one.endedAt} (${one.endReason})` : "open";
  const full = one.contextUsage === null ? "" : `  context ${one.contextUsage} %`;
  return `${one.effort}.${one.number}${who}  ${one.source ?? "?"}${after}  ${end}  heartbeat ${one.heartbeat ?? 0}/${limit}${full}`;
}

function messageLine({ at, kind, session, voice, ...details }: EffortMessage): string {
  const rest = Object.entries(details).flatMap(([name, value]) =>
    (value ?? "") === "" ? [] : `${name}=${JSON.stringify(value)}`,
  );
  return oneLine(`${at}  ${kind}  ${voice}  ${rest.join(" ")}`);
}

export function list(call: EffortCall) {
  const efforts = call.flags.all ? readEfforts(call.paths) : readActiveEfforts(call.paths);
  const lines = efforts.map(({ id, lifecycle, skill, phase = "none", owner, dir }) => {
    const who = owner.agent ?? owner.fleet ?? "-";
    return `${id}  ${lifecycle}  ${skill}  phase: ${phase}  ${who}  ${dir}`;
  });
  const none = call.flags.all ? "no effort yet" : "no active effort (--all shows the finished ones)";
  return { text: plainLines(lines) || none, data: efforts };
}
