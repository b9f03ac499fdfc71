// What an effort shows to its agents, as far as several parts show it.

import { pathFrom } from "../core/files.ts";
import type { Settings } from "../core/settings.ts";
import { escapeLine, escapeXml } from "../core/text.ts";
import { localDay, localTime } from "../core/time.ts";
import type { Context } from "../hook/context.ts";
import type { Section } from "../hook/outcome.ts";
import type { Effort, GuardRule, Injection } from "./store/efforts.ts";
import type { Preload } from "./store/project-files.ts";

const USUAL_TEMPLATE = "what was done | what was found | what comes next";
const LONGEST_VALUE = 200;

/** How many tool calls without a log entry are allowed; 0 for any number. */
export const blockAfterOf = (effort: Effort, settings: Settings): number =>
  effort.metadata.blockAfter ?? settings["effort.block_after"];

/** The line of Engine hooks, word for word. */
export function contextLine({ settings, now }: Context, effort: Effort, heartbeat = 0): string {
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

/** A rule as `swarm effort` lists it. */
export function guardLine({ id, action, message, ...rule }: GuardRule): string {
  const when = (["tool", "input", "phase", "heartbeat", "context"] as const).flatMap((key) =>
    rule[key] === undefined ? [] : `${key}=${JSON.stringify(rule[key])}`,
  );
  return `${id}: ${action} when ${when.join(" ")}: ${message}`;
}
