// What a new window is told: the effort, what the last window wrote down, the log, the files. Within 2,500 tokens
// together with what other features say at a start, so the least important goes first when room is short.
import { escapeXml } from "../core/text.ts";
import { fitSections } from "../hook/fit.ts";
import { PERSON } from "../hook/identity.ts";
import type { Section } from "../hook/outcome.ts";
import type { Dialogue } from "./dialogue.ts";
import { injectionText } from "./injections.ts";
import type { Effort, Injection } from "./store/efforts.ts";
import type { EffortMessage } from "./store/messages.ts";
import type { Preload } from "./store/preloads.ts";
import type { Dehydration, EffortSession } from "./store/sessions.ts";
import { header, short } from "./text.ts";

/** 2,500 tokens at four characters would be 10,000, where the client begins to cut; others speak at a start as well. */
export const ROOM_CHARS = 7_500;
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

/** The agent's own words first; of the machine's snapshot only what is newer. */
function recovery({ effort: { dehydrated: own }, previous }: Memory): string {
  const snapshot = previous?.dehydration;
  const newer = snapshot && (!own || snapshot.at > own.at) ? snapshot : undefined;
  const parts = [own, newer].flatMap((one) => (one ? dehydrationText(one) : []));
  return parts.length > 0 ? ["## Session Recovery (Dehydrated Context)", ...parts].join("\n") : "";
}

export function dehydrationText(one: Dehydration): string {
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

/** What marks a file as shown in a window. */
export const preloadClaim = (path: string): string => `preload:${path}`;

export const preloadText = ({ path, text = "" }: Preload): string =>
  `[Preloaded: ${short(path)}]\n${escapeXml(text)}`;

const contentOf = (one: Preload, priority: number): Section | undefined =>
  one.text === undefined
    ? undefined
    : { name: short(one.path), where: "Read", priority, text: preloadText(one) };

function answers(messages: readonly EffortMessage[]): string {
  const said = messages
    .filter((one) => one.kind === "dialogue")
    .flatMap((one) => (one["questions"] as Dialogue["questions"] | undefined) ?? [])
    .flatMap(({ question, answer }) => (answer ? `- ${short(question)} → ${short(answer)}` : []));
  return said.length > 0 ? ["The person answered:", ...said.slice(-5)].join("\n") : "";
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
