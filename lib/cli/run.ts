// `swarm <verb> …`: finds the verb and runs it.

import { takeProblems } from "../core/process.ts";
import { plainLine } from "../core/text.ts";
import { print, writeAll } from "../hook/environment.ts";
import {
  type Answer,
  type AnyCommand,
  badCall,
  type Caller,
  command,
  didYouMean,
  evaluate,
  failure,
  type Printed,
  quoted,
  thisProcess,
} from "./command.ts";

export function runCli(commands: readonly AnyCommand[], args: string[]): void {
  const result = evaluateCli(commands, args, thisProcess);
  if (result instanceof Promise) result.then(write);
  else write(result);
}

function write({ stdout, stderr, exitCode, after }: Printed): void {
  const isRead = writeAll(1, stdout);
  writeAll(2, stderr);
  process.exitCode = exitCode;
  try {
    if (isRead) after?.();
  } catch (error) {
    print(2, `swarm: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
  for (const problem of takeProblems()) print(2, `swarm: ${plainLine(problem)}\n`);
}

export function evaluateCli(
  commands: readonly AnyCommand[],
  [asked = "help", ...args]: string[],
  caller: () => Caller,
): Printed | Promise<Printed> {
  const name = { "--help": "help", "-h": "help", "--version": "version", "-v": "version" }[asked] ?? asked;
  const own = help(commands);
  const found = [...commands, own].find((one) => one.name === name);
  if (found) return evaluate(found, args, caller);
  return failure(noVerb(commands, asked), [asked, ...args].includes("--json"), own);
}

const noVerb = (commands: readonly AnyCommand[], asked: string): Error => {
  const names = [...commands.map(({ name }) => name), "help"];
  const close = didYouMean(asked, names) || "; swarm help lists them all";
  return badCall(`there is no verb ${quoted(asked)}${close}`);
};

function help(commands: readonly AnyCommand[]): AnyCommand {
  const self: AnyCommand = command({
    name: "help",
    summary: "this page, or the page of one verb",
    usage: "swarm help [VERB]",
    words: 1,
    run: ({ words: [asked] }): Answer => {
      const all = [...commands, self];
      const one = all.find(({ name }) => name === asked);
      if (asked && !one) throw noVerb(commands, asked);
      if (one) return { text: one.usage, data: { name: one.name, summary: one.summary, usage: one.usage } };
      const width = Math.max(...all.map(({ name }) => name.length));
      return {
        text: [
          "swarm <verb> … : many agents on one machine. `swarm help <verb>` tells more; `--json` works everywhere.",
          "Exit code 0: done; 1: refused or not found; 2: wrong usage. With --json an error is {error, hint} on stdout.",
          "",
          ...all.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
        ].join("\n"),
        data: Object.fromEntries(all.map(({ name, summary }) => [name, summary])),
      };
    },
  });
  return self;
}
