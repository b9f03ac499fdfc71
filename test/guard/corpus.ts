// The lists of cases under cases/ and measured/. A line is what is expected, a tab and the command or path:
//   pass<TAB>git status
//   git-discard ask/deny<TAB>git reset --hard
// The verdict is the rule, then the decision where a person can answer and where nobody can. ⏎ and ␍ stand for a line feed and a
// carriage return. Lists from 21 on were written from the guard's description alone, by authors who had not seen its code.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Situation, Verdict } from "../../lib/guard/situation.ts";

export type Case = { expected: string; command: string };
type Judge = (text: string, situation: Situation) => Verdict | undefined;

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

/** The verdict as the lists write it. */
function verdictIn(text: string, judge: Judge, situation: Situation): string {
  const attended = judge(text, situation);
  const unattended = judge(text, { ...situation, attendance: "unattended" });
  if (!attended || !unattended) return attended || unattended ? "attended and unattended differ" : "pass";
  const rule = attended.rule === unattended.rule ? attended.rule : `${attended.rule}|${unattended.rule}`;
  return `${rule} ${attended.decision}/${unattended.decision}`;
}

/** The lines that are judged otherwise than their list says. */
export const disagreements = (cases: readonly Case[], judge: Judge, situation: Situation): string[] =>
  cases.flatMap(({ expected, command }) => {
    const actual = verdictIn(command, judge, situation);
    return actual === expected ? [] : [`expected ${expected}, got ${actual}: ${command}`];
  });
