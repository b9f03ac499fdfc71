// Pauses in words. Pure.
import { asWord } from "../../core/text.ts";
import { age } from "../../core/time.ts";
import type { Pause, PauseScope } from "../../sessions/store/pauses.ts";

/** What is paused: `everything`, `team harbour`, `alice@harbour`, `session 1f2e3d4c`. */
export function scopeText({ team, agent, session }: PauseScope): string {
  if (session !== undefined) return `session ${session.slice(0, 8)}`;
  if (team === undefined) return "everything";
  return agent === undefined ? `team ${team}` : `${agent}@${team}`;
}

/** What `swarm unpause` is given for it. */
export function argumentsFor({ team, agent, session }: PauseScope): string {
  if (session !== undefined) return asWord(session.slice(0, 8));
  if (team === undefined) return "--all";
  return agent === undefined ? `--team ${asWord(team)}` : asWord(`${agent}@${team}`);
}

/** `Paused by person (everything): lunch` */
export const pauseText = (pause: Pause): string =>
  `Paused by ${pause.by} (${scopeText(pause)})${pause.why ? `: ${pause.why}` : ""}`;

export const pauseLine = (pause: Pause, now: Date): string =>
  `${scopeText(pause)}: paused by ${pause.by} ${age(pause.since, now)} ago${pause.why ? `: ${pause.why}` : ""}`;
