// What the doctor looks at, and what it found: what it is, what shows it, and what to do about it.
import type { Call } from "../../cli/command.ts";
import { firstOf, plainLines } from "../../core/text.ts";
import type { DOCTOR_FLAGS } from "../commands.ts";

export type DoctorCall = Call<typeof DOCTOR_FLAGS>;
/** What an examination without repairs needs. */
export type Looking = Omit<DoctorCall, "flags">;

export type Level = "bad" | "warn" | "ok";

export interface Finding {
  level: Level;
  what: string;
  evidence: string[];
  /** Empty where nothing needs to be done. */
  advice: string;
}

/** One finding, as a list: some examinations find none, some several. */
const finding =
  (level: Level) =>
  (what: string, evidence: string[], advice: string): Finding[] => [{ level, what, evidence, advice }];

export const bad = finding("bad");
export const warn = finding("warn");
export const ok = (what: string, ...evidence: string[]): Finding[] => finding("ok")(what, evidence, "");

/** A warning with the first of the evidence; none where there is no evidence. */
export const warnIfAny = (evidence: readonly string[], what: string, advice: string): Finding[] =>
  evidence.length > 0 ? warn(what, some(evidence), advice) : [];

const MOST_SHOWN = 5;

export const some = (all: readonly string[]): string[] => firstOf(all, MOST_SHOWN);

const INDENT = " ".repeat(6);

export const inWords = ({ level, what, evidence, advice }: Finding): string =>
  plainLines([
    `${level.padEnd(4)}  ${what}`,
    ...evidence.map((line) => `${INDENT}${line}`),
    ...(advice ? [`${INDENT}-> ${advice}`] : []),
  ]);
