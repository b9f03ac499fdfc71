// The lists of cases under cases/ and measured/. A line is what is expected, a tab and the command or path:
//   pass<TAB>git status
//   git-discard ask/deny<TAB>git reset --hard
// The verdict is the rule, then the decision where a person can answer and where nobody can. ⏎ and ␍ stand for a line feed and a
// carriage return. Lists from 21 on were written from the guard's description alone, by authors who had not seen its code.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding, Situation, Verdict } from "../../lib/guard/situation.ts";
import { verdictOf } from "../../lib/guard/verdict.ts";

export type Case = { expected: string; command: string };
/** Where a person can answer, and where nobody can. */
type BothVerdicts = (text: string, situation: Situation) => (Verdict | undefined)[];

export const lists = (folder: string): string[] =>
  readdirSync(join(import.meta.dirname, folder)).map((file) => `${folder}/${file}`);

export const readCases = (file: string): Case[] =>
  readFileSync(join(import.meta.dirname, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [expected = "", command = ""] = line.split(/\t(.*)/s);
      return { expected, command: command.replaceAll("⏎", "\n").replaceAll("␍", "\r") };
    });

const commands = (folder: string, wanted: (expected: string) => boolean) =>
  lists(folder)
    .flatMap(readCases)
    .flatMap(({ expected, command }) => (wanted(expected) ? command : []));

export const stoppedCommands = (folder: string) => commands(folder, (expected) => expected !== "pass");
export const harmlessCommands = (folder: string) => commands(folder, (expected) => expected === "pass");

const inBoth = (situation: Situation): Situation[] => [situation, { ...situation, attendance: "unattended" }];

export const bothByJudge =
  (judge: (text: string, situation: Situation) => Verdict | undefined): BothVerdicts =>
  (text, situation) =>
    inBoth(situation).map((one) => judge(text, one));

/** What is found does not depend on who can answer: the command is walked once. */
export const bothByFindings =
  (find: (text: string, situation: Situation) => Finding[]): BothVerdicts =>
  (text, situation) => {
    const found = find(text, situation);
    return inBoth(situation).map((one) => verdictOf(found, one));
  };

/** The verdict as the lists write it. */
function verdictIn(text: string, judgeBoth: BothVerdicts, situation: Situation): string {
  const [attended, unattended] = judgeBoth(text, situation);
  if (!attended || !unattended) return attended || unattended ? "attended and unattended differ" : "pass";
  const rule = attended.rule === unattended.rule ? attended.rule : `${attended.rule}|${unattended.rule}`;
  return `${rule} ${attended.decision}/${unattended.decision}`;
}

/** The lines that are judged otherwise than their list says. */
export const disagreements = (
  cases: readonly Case[],
  judgeBoth: BothVerdicts,
  situation: Situation,
): string[] =>
  cases.flatMap(({ expected, command }) => {
    const actual = verdictIn(command, judgeBoth, situation);
    return actual === expected ? [] : [`expected ${expected}, got ${actual}: ${command}`];
  });
