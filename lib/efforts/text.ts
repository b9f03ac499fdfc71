// What an effort shows to its agents: single lines, and all that a new window gets back.

import { pathFrom } from "../core/files.ts";
import type { Settings } from "../core/settings.ts";
import { escapeLine, escapeXml } from "../core/text.ts";
import { localDay, localTime } from "../core/time.ts";
import { PERSON } from "../hook/context.ts";
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
export const blockAfterOf = (effort: Effort, settings: Settings): number =>
  effort.metadata.blockAfter ?? settings["effort.block_after"];

/** The line of Engine hooks, word for word. */
export function contextLine(
  { settings, now }: { settings: Settings; now: Date },
  effort: Effort,
  heartbeat = 0,
): string {
  const parts = [
    `Time: ${clock(now)}`,
    `Session: ${short(pathFrom(effort.project, effort.dir))}`,
    `Skill: ${short(effort.skill)}`,
    `Phase: ${short(effort.phase ?? "none")}`,
    `Heartbeat: ${heartbeat}/${blockAfterOf(effort, settings)}`,
  ];
  return `[Session Context] ${parts.join(" | ")}`;
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
    HOW_TO_DEHYDRATE,
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

/** A rule as `swarm effort` lists it. */
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
const LONGEST_LOADED = 8;

interface Memory {
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
export function rehydrate(memory: Memory): string {
  const { line, effort, session, preloads } = memory;
  const parts: (Section | undefined)[] = [
    { name: "effort", priority: 100, text: `${line}\n${header(effort, session.number, session.previous)}` },
    section("recovery", 90, recovery(memory)),
    section("directives queued", 85, memory.injections.map(injectionText).join("\n\n")),
    section(
      "log",
      70,
      listed("## Log, last entries", memory.entries, (entry) => `- ${escapeXml(entry)}`),
      `swarm effort show ${effort.id}`,
    ),
    section("files to preload", 65, listed("[Files to preload]:", preloads, preloadLine)),
    section("answers", 60, answers(memory.messages)),
    section("skill", 55, skillOf(effort)),
    section("directives", 50, pathsLine("Directives found on the way", effort.directives)),
    ...preloads.map((one, at) =>
      section(short(one.path), 40 - at, one.text === undefined ? "" : preloadText(one), "Read"),
    ),
  ];
  return fitSections(
    parts.flatMap((part) => part ?? []),
    ROOM_CHARS,
  );
}

/** Empty where there are no items. */
const listed = <T>(title: string, items: readonly T[], line: (item: T) => string): string =>
  items.length > 0 ? [title, ...items.map(line)].join("\n") : "";

const section = (name: string, priority: number, text: string, where?: string): Section | undefined =>
  text ? { name, priority, text, where } : undefined;

/** What the agent wrote down, then a snapshot if it is newer. */
function recovery({ effort: { dehydrated: own }, previous }: Memory): string {
  const snapshot = previous?.dehydration;
  const newer = snapshot && (!own || snapshot.at > own.at) ? snapshot : undefined;
  const notes = [own, newer].flatMap((one) => one ?? []);
  return listed("## Session Recovery (Dehydrated Context)", notes, dehydrationText);
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

const pathsLine = (title: string, paths: readonly string[]) =>
  paths.length > 0 ? `${title}: ${paths.slice(-LONGEST_LOADED).map(short).join(", ")}` : "";

const preloadLine = ({ path, why }: Preload) => `- ${short(path)}${why ? ` (${why})` : ""}`;

export const preloadText = ({ path, text = "" }: Preload): string =>
  `[Preloaded: ${short(path)}]\n${escapeXml(text)}`;

function answers(messages: readonly EffortMessage[]): string {
  const answered = messages
    .filter((one) => one.kind === "dialogue")
    .flatMap((one) => (one["questions"] as { question: string; answer: string | null }[] | undefined) ?? [])
    .filter(({ answer }) => answer);
  return listed(
    "The person answered:",
    answered.slice(-5),
    ({ question, answer }) => `- ${short(question)} → ${short(answer ?? "")}`,
  );
}

function skillOf({ skill, skillConfig }: Effort): string {
  if (!skillConfig) return "";
  const { file, description, phases } = skillConfig;
  const head = `Skill ${short(skill)}: ${short(file)}${description ? ` (${short(description)})` : ""}`;
  return phases.length > 0 ? `${head}\nPhases: ${phases.map(short).join(" → ")}` : head;
}
