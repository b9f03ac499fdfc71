// What an effort shows to its agents: single lines, and all that a new window gets back.

import { pathFrom } from "../core/files.ts";
import { escapeLine, escapeXml } from "../core/text.ts";
import { localDay, localTime } from "../core/time.ts";
import { PERSON } from "../hook/identity.ts";
import { fitSections, type Section } from "../hook/outcome.ts";
import type {
  Dehydration,
  Effort,
  EffortMessage,
  EffortSession,
  GuardRule,
  Injection,
} from "./store/efforts.ts";
import { logPathOf, type Preload } from "./store/project-files.ts";

const USUAL_TEMPLATE = "what was done | what was found | what comes next";
const LONGEST_VALUE = 200;

/** How many tool calls without a log entry are allowed; 0 for any number. */
export const blockAfterOf = (effort: Effort, setting: number): number =>
  effort.metadata.blockAfter ?? setting;

/** The line of Engine hooks, word for word. */
export function contextLine(effort: Effort, heartbeat: number, blockAfter: number, now: Date): string {
  const parts = [
    `Time: ${clock(now)}`,
    `Session: ${short(pathFrom(effort.project, effort.dir))}`,
    `Skill: ${short(effort.skill)}`,
    `Phase: ${short(effort.phase ?? "none")}`,
    `Heartbeat: ${heartbeat}/${blockAfter}`,
  ];
  return `[Session Context] ${parts.join(" | ")}`;
}

export const clock = (at: Date): string => `${localDay(at)} ${localTime(at)}`;

export const short = (text: string): string => escapeLine(text.slice(0, LONGEST_VALUE));

const templateOf = (effort: Effort): string =>
  short(effort.skillConfig?.logTemplate ?? USUAL_TEMPLATE).replaceAll('"', "'");

export const howToLog = (effort: Effort): string => `swarm effort log "${templateOf(effort)}"`;

export const heartbeatBlock = (effort: Effort, heartbeat: number, blockAfter: number): string =>
  [
    `heartbeat-block: ${heartbeat}/${blockAfter} tool calls without logging in effort ${effort.id} (${short(effort.skill)}).`,
    `Write down where the work stands, then repeat the call. This clears it: ${howToLog(effort)}`,
    `Changed by effort.block_after in .atm.toml or settings.toml.`,
  ].join("\n");

export const heartbeatNear = (heartbeat: number, blockAfter: number, effort: Effort): string =>
  `[Heartbeat ${heartbeat}/${blockAfter}] Near the limit of calls without a log entry; ${howToLog(effort)} starts the count again.`;

export const overflowWarning = (share: number): string =>
  [
    `[Context ${Math.round(share)} %] This window will end soon; the effort goes on in the next one with what is written down now:`,
    'swarm effort dehydrate "what is done and known" --last "the last action" --next "a next step" --file <path it needs>',
    "(--next and --file may be repeated; the heartbeat does not count meanwhile.)",
  ].join("\n");

const header = (effort: Effort, session: number, previous: number | null): string =>
  [
    `Effort ${effort.id} goes on here: session ${effort.id}.${session}${previous === null ? "" : `, after ${effort.id}.${previous}`}.`,
    `Log: ${short(logPathOf(effort))}; written by: ${howToLog(effort)}`,
    'Other steps: swarm effort phase "…", swarm effort dehydrate "…", swarm effort finish "…".',
  ].join("\n");

export const asSection = (effort: Effort, text: string): Section => ({
  name: "effort",
  where: `swarm effort show ${effort.id}`,
  priority: 80,
  text,
});

export const injectionText = ({ id, text }: Injection): string =>
  `[Directive: ${escapeLine(id)}]\n${escapeXml(text)}`;

export const guardDenial = (rule: GuardRule, effort: number): string =>
  `${guardWarning(rule)}\nA rule of effort ${effort}; it is lifted by: swarm effort guard ${rule.id} --remove --effort ${effort}`;

export const guardWarning = (rule: GuardRule): string => `[Guard: ${rule.id}] ${escapeXml(rule.message)}`;

/**
 * Engine hooks allow 2,500 tokens, about 10,000 characters, where the client begins to cut; the rest is for what other features
 * add at a session start.
 */
const ROOM_CHARS = 7_500;
const LONGEST_LOADED = 8;

export interface Memory {
  line: string;
  effort: Effort;
  session: EffortSession;
  previous: EffortSession | undefined;
  entries: string[];
  messages: EffortMessage[];
  injections: Injection[];
  preloads: Preload[];
}

/** What a new window gets back. When room is short the sections of lowest priority go first. */
export function rehydrate(memory: Memory, room = ROOM_CHARS): string {
  const { line, effort, session, preloads } = memory;
  const parts: (Section | undefined)[] = [
    { name: "effort", priority: 100, text: `${line}\n${header(effort, session.number, session.previous)}` },
    section("recovery", 90, recovery(memory)),
    section("directives queued", 85, memory.injections.map(injectionText).join("\n\n")),
    section("log", 70, logOf(memory), `swarm effort show ${effort.id}`),
    section("files to preload", 65, preloadList(preloads)),
    section("answers", 60, answers(memory.messages)),
    section("skill", 55, skillOf(effort)),
    section("directives", 50, pathsLine("Directives found on the way", effort.directives)),
    ...preloads.map((one, at) => contentOf(one, 40 - at)),
  ];
  return fitSections(
    parts.flatMap((part) => part ?? []),
    room,
  );
}

const section = (name: string, priority: number, text: string, where?: string): Section | undefined =>
  text ? { name, priority, text, where } : undefined;

/** What the agent wrote down, then a snapshot if it is newer. */
function recovery({ effort: { dehydrated: own }, previous }: Memory): string {
  const snapshot = previous?.dehydration;
  const newer = snapshot && (!own || snapshot.at > own.at) ? snapshot : undefined;
  const parts = [own, newer].flatMap((one) => (one ? dehydrationText(one) : []));
  return parts.length > 0 ? ["## Session Recovery (Dehydrated Context)", ...parts].join("\n") : "";
}

function dehydrationText(one: Dehydration): string {
  const steps = one.nextSteps.map((step) => `- ${escapeXml(step)}`);
  const lines = [
    `(${one.by === "snapshot" ? "snapshot of the files" : `written by ${one.by === PERSON ? "a person" : "the agent"}`}, ${short(one.at)})`,
    escapeXml(one.summary),
    ...(one.lastAction ? [`Last action: ${escapeXml(one.lastAction)}`] : []),
    ...(steps.length > 0 ? ["Next steps:", ...steps] : []),
    ...(one.handoverInstructions ? [`Handover: ${escapeXml(one.handoverInstructions)}`] : []),
    pathsLine("Files", one.requiredFiles),
  ];
  return lines.filter(Boolean).join("\n");
}

const logOf = ({ entries }: Memory) =>
  entries.length > 0
    ? ["## Log, last entries", ...entries.map((entry) => `- ${escapeXml(entry)}`)].join("\n")
    : "";

const pathsLine = (title: string, paths: readonly string[]) =>
  paths.length > 0 ? `${title}: ${paths.slice(-LONGEST_LOADED).map(short).join(", ")}` : "";

function preloadList(preloads: readonly Preload[]): string {
  const lines = preloads.map(({ path, why }) => `- ${short(path)}${why ? ` (${why})` : ""}`);
  return lines.length > 0 ? ["[Files to preload]:", ...lines].join("\n") : "";
}

export const preloadText = ({ path, text = "" }: Preload): string =>
  `[Preloaded: ${short(path)}]\n${escapeXml(text)}`;

const contentOf = (one: Preload, priority: number): Section | undefined =>
  one.text === undefined
    ? undefined
    : { name: short(one.path), where: "Read", priority, text: preloadText(one) };

interface Question {
  question: string;
  answer: string | null;
}

function answers(messages: readonly EffortMessage[]): string {
  const answered = messages
    .filter((one) => one.kind === "dialogue")
    .flatMap((one) => (one["questions"] as Question[] | undefined) ?? [])
    .flatMap(({ question, answer }) => (answer ? `- ${short(question)} → ${short(answer)}` : []));
  return answered.length > 0 ? ["The person answered:", ...answered.slice(-5)].join("\n") : "";
}

function skillOf({ skill, skillConfig }: Effort): string {
  if (!skillConfig) return "";
  const { file, description, phases } = skillConfig;
  const lines = [
    `Skill ${short(skill)}: ${short(file)}${description ? ` (${short(description)})` : ""}`,
    ...(phases.length > 0 ? [`Phases: ${phases.map(short).join(" → ")}`] : []),
  ];
  return lines.join("\n");
}
