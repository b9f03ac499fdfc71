// What an effort shows to its agents.

import { pathFrom } from "../core/files.ts";
import type { Paths } from "../core/paths.ts";
import type { Settings } from "../core/settings.ts";
import { escapeLine, escapeXml } from "../core/text.ts";
import { localDay, localTime } from "../core/time.ts";
import { type Context, PERSON } from "../hook/context.ts";
import { fitSections, type Section } from "../hook/outcome.ts";
import type { Current, Opened } from "./sessions.ts";
import {
  type Dehydration,
  type Effort,
  type GuardRule,
  type Injection,
  readEffortMessages,
  readEffortSession,
} from "./store/efforts.ts";
import { logPathOf, type Preload, readLogEntries, readPreload } from "./store/project-files.ts";
import { claimOnce, preloadMark } from "./store/windows.ts";

const USUAL_TEMPLATE = "what was done | what was found | what comes next";
const LONGEST_VALUE = 200;

/** How many tool calls without a log entry are allowed; 0 for any number. */
export const blockAfterOf = (effort: Effort, settings: Settings): number =>
  effort.metadata.blockAfter ?? settings["effort.block_after"];

/** The line of Engine hooks, word for word. */
export function contextLine({ settings, now }: Context, effort: Effort, heartbeat = 0): string {
  const dir = short(pathFrom(effort.project, effort.dir));
  const work = `Skill: ${short(effort.skill)} | Phase: ${short(effort.phase ?? "none")}`;
  const count = `Heartbeat: ${heartbeat}/${blockAfterOf(effort, settings)}`;
  return `[Session Context] Time: ${clock(now)} | Session: ${dir} | ${work} | ${count}`;
}

export const skillAndPhase = ({ skill, phase }: Effort): string =>
  phase ? `${skill}, phase ${phase}` : skill;

export const clock = (at: Date): string => `${localDay(at)} ${localTime(at)}`;

export const short = (text: string): string => escapeLine(text.slice(0, LONGEST_VALUE));

export function howToLog({ skillConfig }: Effort): string {
  const template = short(skillConfig?.logTemplate ?? USUAL_TEMPLATE);
  return `swarm effort log "${template.replaceAll('"', "'")}"`;
}

export const HOW_TO_DEHYDRATE =
  'swarm effort dehydrate "what is done and known" --last "the last action" --next "a next step" --file <path it needs>';

export const asSection = (effort: Effort, text: string): Section => ({
  name: "effort",
  where: `swarm effort show ${effort.id}`,
  priority: 80,
  text,
});

export const injectionText = ({ id, text }: Injection): string =>
  `[Directive: ${escapeLine(id)}]\n${escapeXml(text)}`;

export const guardWarning = (rule: GuardRule): string => `[Guard: ${rule.id}] ${escapeXml(rule.message)}`;

export const preloadText = ({ path, text = "" }: Preload): string =>
  `[Preloaded: ${short(path)}]\n${escapeXml(text)}`;

export function guardLine({ id, action, message, ...rule }: GuardRule): string {
  const when = (["tool", "input", "phase", "heartbeat", "context"] as const).flatMap((key) =>
    rule[key] === undefined ? [] : `${key}=${JSON.stringify(rule[key])}`,
  );
  return `${id}: ${action} when ${when.join(" ")}: ${message}`;
}

/**
 * Engine hooks allow 2,500 tokens, about 10,000 characters, where the client begins to cut; the rest is for what other features
 * add at a session start.
 */
const ROOM_CHARS = 7_500;
const LOG_ENTRIES = 3;
const MOST_PATHS = 8;
const MOST_PRELOADS = 8;
const PRELOAD_BYTES = 6_000;

/** What a new window gets back, in the order of reading. When room is short, sections of lowest priority go first. */
export function rehydrate(ctx: Context, opened: Opened, injections: string[]): string {
  const { effort } = opened;
  const log = listed("## Log, last entries", readLogEntries(effort, LOG_ENTRIES), escapedItem);
  const preloads = preloadsAtStart(ctx.paths, opened);
  const sections: Section[] = [
    { name: "effort", priority: 100, text: `${contextLine(ctx, effort)}\n${header(opened)}` },
    { name: "recovery", priority: 90, text: recovery(ctx.paths, opened) },
    { name: "directives queued", priority: 85, text: injections.join("\n\n") },
    { name: "log", priority: 70, text: log, where: `swarm effort show ${effort.id}` },
    { name: "files to preload", priority: 65, text: listed("[Files to preload]:", preloads, preloadLine) },
    { name: "answers", priority: 60, text: answers(ctx.paths, effort) },
    { name: "skill", priority: 55, text: skillOf(effort) },
    { name: "directives", priority: 50, text: pathsLine("Directives found on the way", effort.directives) },
    ...preloads.map((one, at) => ({
      name: short(one.path),
      priority: 40 - at,
      text: one.text === undefined ? "" : preloadText(one),
      where: "Read",
    })),
  ];
  const filled = sections.filter(({ text }) => text);
  return fitSections(filled, ROOM_CHARS);
}

function preloadsAtStart(paths: Paths, { effort, agent }: Current): Preload[] {
  const { preloads, skillConfig, dehydrated } = effort;
  const wanted = [...preloads, ...(skillConfig?.preload ?? []), ...(dehydrated?.requiredFiles ?? [])];
  return [...new Set(wanted)].slice(0, MOST_PRELOADS).map((path) => {
    claimOnce(paths, agent, preloadMark(path));
    return readPreload(paths.home, effort, path, PRELOAD_BYTES);
  });
}

function header({ effort, session, previous }: Opened): string {
  const after = previous === null ? "" : `, after ${effort.id}.${previous}`;
  return `Effort ${effort.id} goes on here: session ${effort.id}.${session}${after}.
Log: ${short(logPathOf(effort))}; written by: ${howToLog(effort)}
Other steps: swarm effort phase "…", swarm effort dehydrate "…", swarm effort finish "…".`;
}

const listed = <T>(title: string, items: readonly T[], line: (item: T) => string): string =>
  items.length > 0 ? [title, ...items.map(line)].join("\n") : "";

const escapedItem = (text: string) => `- ${escapeXml(text)}`;

/** What the agent wrote down, then a snapshot if it is newer. */
function recovery(paths: Paths, { effort, previous }: Opened): string {
  const own = effort.dehydrated;
  const snapshot = previous === null ? null : readEffortSession(paths, effort.id, previous)?.dehydration;
  const newer = snapshot && (!own || snapshot.at > own.at) ? snapshot : null;
  const notes = [own, newer].filter((one) => one !== null);
  return listed("## Session Recovery (Dehydrated Context)", notes, dehydrationText);
}

function dehydrationText(one: Dehydration): string {
  const by = one.by === PERSON ? "a person" : "the agent";
  const lines = [
    `(${one.by === "snapshot" ? "snapshot of the files" : `written by ${by}`}, ${short(one.at)})`,
    escapeXml(one.summary),
    one.lastAction && `Last action: ${escapeXml(one.lastAction)}`,
    listed("Next steps:", one.nextSteps, escapedItem),
    one.handoverInstructions && `Handover: ${escapeXml(one.handoverInstructions)}`,
    pathsLine("Files", one.requiredFiles),
  ];
  return lines.filter(Boolean).join("\n");
}

const pathsLine = (title: string, paths: readonly string[]) =>
  paths.length > 0 ? `${title}: ${paths.slice(-MOST_PATHS).map(short).join(", ")}` : "";

const preloadLine = ({ path, why }: Preload) => `- ${short(path)}${why ? ` (${why})` : ""}`;

function answers(paths: Paths, { id }: Effort): string {
  const answered = readEffortMessages(paths, id)
    .filter((one) => one.kind === "dialogue")
    .flatMap((one) => (one["questions"] as { question: string; answer: string | null }[] | undefined) ?? [])
    .flatMap(({ question, answer }) => (answer ? `- ${short(question)} → ${short(answer)}` : []));
  return listed("The person answered:", answered.slice(-5), (line) => line);
}

function skillOf({ skill, skillConfig }: Effort): string {
  if (!skillConfig) return "";
  const { file, description, phases } = skillConfig;
  const head = `Skill ${short(skill)}: ${short(file)}${description ? ` (${short(description)})` : ""}`;
  return phases.length > 0 ? `${head}\nPhases: ${phases.map(short).join(" → ")}` : head;
}

export function agentLines({ effort, session, previous }: Opened): string[] {
  const { directives, metadata } = effort;
  return [
    `This agent works on effort ${effort.id}: session ${effort.id}.${session}, started from ${effort.id}.${previous}.`,
    `Log: ${short(logPathOf(effort))}; template: ${howToLog(effort)}`,
    ...(directives.length > 0 ? [`Directives: ${directives.map(short).join(", ")}`] : []),
    ...metadata.guards.map(guardWarning),
  ];
}
