// The sentences an effort shows to its agents.
import { relative } from "node:path";
import { escapeLine } from "../core/text.ts";
import type { Section } from "../hook/outcome.ts";
import { logPathOf } from "./store/artifacts.ts";
import type { Effort } from "./store/efforts.ts";

export const USUAL_TEMPLATE = "what was done | what was found | what comes next";
const LONGEST_VALUE = 200;

/** From so many calls on one is held back; 0 switches the block off. */
export const blockAfterOf = (effort: Effort, setting: number): number =>
  effort.metadata.blockAfter ?? setting;

/** Seed 003's line, to the letter. */
export function contextLine(effort: Effort, beats: number, blockAfter: number, now: Date): string {
  const parts = [
    `Time: ${clock(now)}`,
    `Session: ${short(shownDir(effort))}`,
    `Skill: ${short(effort.skill)}`,
    `Phase: ${short(effort.phase ?? "none")}`,
    `Heartbeat: ${beats}/${blockAfter}`,
  ];
  return `[Session Context] ${parts.join(" | ")}`;
}

const two = (value: number) => value.toString().padStart(2, "0");

export const clock = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;

export const short = (text: string): string => escapeLine(text.slice(0, LONGEST_VALUE));

function shownDir({ project, dir }: Effort): string {
  const way = relative(project, dir);
  return way.startsWith("..") ? dir : way || dir;
}

export const templateOf = (effort: Effort): string =>
  short(effort.skillConfig?.logTemplate ?? USUAL_TEMPLATE).replaceAll('"', "'");

export const howToLog = (effort: Effort): string => `swarm effort log "${templateOf(effort)}"`;

export const heartbeatBlock = (effort: Effort, beats: number, blockAfter: number): string =>
  [
    `heartbeat-block: ${beats}/${blockAfter} tool calls without logging in effort ${effort.id} (${short(effort.skill)}).`,
    `Write down where the work stands, then repeat the call. This clears it: ${howToLog(effort)}`,
    `Changed by effort.block_after in .atm.toml or settings.toml.`,
  ].join("\n");

export const heartbeatNear = (beats: number, blockAfter: number, effort: Effort): string =>
  `[Heartbeat ${beats}/${blockAfter}] Near the limit of calls without a log entry; ${howToLog(effort)} starts the count again.`;

export const overflowWarning = (share: number): string =>
  [
    `[Context ${Math.round(share)} %] This window will end soon; the effort goes on in the next one with what is written down now:`,
    'swarm effort dehydrate "what is done and known" --last "the last action" --next "a next step" --file <path it needs>',
    "(--next and --file may be repeated; the heartbeat does not count meanwhile.)",
  ].join("\n");

export const header = (effort: Effort, session: number, previous: number | null): string =>
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
