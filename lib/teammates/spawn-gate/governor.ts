// The governor: caps on what lives, on how fast it grows, how deep and how dear. It warns when a cap is reached,
// asks the person for the one beyond it, and denies the rest.
import { escapeLine } from "../../core/text.ts";

export type CapRule = "max-teammates" | "max-spawns-per-hour" | "max-depth" | "max-premium";
export type Level = "warn" | "ask" | "deny";

export interface Load {
  rule: CapRule;
  cap: number | undefined;
  /** With the spawn in question. */
  count: number;
  /** Who counts, by name; for the words. */
  who?: readonly string[];
}

export interface Verdict {
  level: Level;
  rule: CapRule;
  text: string;
}

export interface Mate {
  name: string;
  type?: string;
  isIdle: boolean;
  /** How to reach it: `SendMessage(to: "alice", …)`. */
  call: string;
}

/** A cap of 0 means never; where nobody can answer, asking would be a denial in disguise. */
export function levelOf({ rule, cap, count }: Load, isAttended: boolean): Level | undefined {
  if (cap === undefined || count < cap) return undefined;
  if (count === cap) return rule === "max-depth" ? undefined : "warn";
  return cap > 0 && count === cap + 1 && isAttended ? "ask" : "deny";
}

const ORDER: readonly Level[] = ["deny", "ask", "warn"];

export function verdictOn(
  loads: readonly Load[],
  isAttended: boolean,
  mates: readonly Mate[],
): Verdict | undefined {
  const levels = loads.map((load) => levelOf(load, isAttended));
  const level = ORDER.find((one) => levels.includes(one));
  const load = loads[levels.indexOf(level)];
  return level && load ? { level, rule: load.rule, text: textOf(load, level, mates) } : undefined;
}

const some = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

const SUBJECTS: Record<CapRule, (load: Load) => string> = {
  "max-teammates": ({ count }) => `${some(count, "teammate")} alive at once`,
  "max-spawns-per-hour": ({ count }) => `${some(count, "spawn")} within an hour`,
  "max-depth": ({ count }) => `agents ${some(count, "level")} deep`,
  "max-premium": ({ count }) => `${some(count, "agent")} alive on a premium model`,
};

const settingOf = (rule: CapRule) => `gate.${rule.replaceAll("-", "_")}`;

function textOf(load: Load, level: Level, mates: readonly Mate[]): string {
  const subject = SUBJECTS[load.rule](load);
  const setting = settingOf(load.rule);
  const first = {
    warn: `Spawn gate: this makes ${subject}, which is the limit. The next one needs the person's consent.`,
    ask: `Spawn gate: this would make ${subject}; the limit is ${load.cap}. Spawn it anyway?`,
    deny: `BLOCKED: this would make ${subject}; the limit is ${load.cap}.`,
  }[level];
  const alive = load.who && load.who.length > 0 ? [`Alive: ${load.who.map(escapeLine).join(", ")}.`] : [];
  const idle = mates.filter((mate) => mate.isIdle);
  const instead = idle.length > 0 ? [`Idle, and can take the work: ${idle.map(mention).join("; ")}.`] : [];
  const how = `Limit: ${setting} (swarm config ${setting}); only your own settings.toml can raise it.`;
  return [first, ...alive, ...instead, how].join("\n");
}

const mention = ({ name, type, call }: Mate) =>
  `${escapeLine(name)}${type ? ` (${escapeLine(type)})` : ""}: ${escapeLine(call)}`;

const ANYBODY = new Set(["", "general-purpose"]);

/** An idle member of that name or role, to be messaged instead: a second alice would become alice-2. */
export function idleTwin(
  { name: wanted, type: role }: { name?: string; type: string },
  mates: readonly Mate[],
): string | undefined {
  if (!wanted) return undefined;
  const isNamesake = (name: string) =>
    name === wanted || (name.startsWith(`${wanted}-`) && /^\d+$/.test(name.slice(wanted.length + 1)));
  const twins = mates.filter(
    ({ name, type, isIdle }) => isIdle && (isNamesake(name) || (type === role && !ANYBODY.has(role))),
  );
  if (twins.length === 0) return undefined;
  return `Spawn gate: already in the team and idle: ${twins.map(mention).join("; ")}. A message costs no new agent.`;
}

export const isPremium = (model: string | undefined, premium: readonly string[]): boolean =>
  model !== undefined && premium.some((one) => one !== "" && model.toLowerCase().includes(one.toLowerCase()));
