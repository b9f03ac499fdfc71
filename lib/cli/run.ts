// `swarm <verb> …`: finds the verb and runs it.

import { nearest } from "../core/nearest.ts";
import { plainLine } from "../core/text.ts";
import { print } from "../hook/stdio.ts";
import { type Answer, type AnyCommand, command, runCommand } from "./command.ts";

export function runCli(commands: readonly AnyCommand[], [asked = "help", ...args]: string[]): void {
  const name = { "--help": "help", "-h": "help", "--version": "version", "-v": "version" }[asked] ?? asked;
  const found = [...commands, help(commands)].find((one) => one.name === name);
  if (found) {
    runCommand(found, args);
    return;
  }
  const close = nearest(
    asked,
    commands.map((one) => one.name),
  );
  const hint = close.length > 0 ? `did you mean ${close.join(" or ")}?` : "swarm help lists them all";
  print(2, `swarm: there is no verb ${JSON.stringify(plainLine(asked))}; ${hint}\n`);
  process.exitCode = 2;
}

/** `swarm help [VERB]`. */
function help(commands: readonly AnyCommand[]): AnyCommand {
  const self: AnyCommand = command({
    name: "help",
    summary: "this page, or the page of one verb",
    usage: "swarm help [VERB]",
    run: ({ words: [asked] }): Answer => {
      const one = commands.find(({ name }) => name === asked);
      if (asked && !one) throw new Error(`there is no verb ${asked}; swarm help lists them all`);
      if (one) return { text: one.usage, data: { name: one.name, summary: one.summary, usage: one.usage } };
      const all = [...commands, self];
      const width = Math.max(...all.map(({ name }) => name.length));
      return {
        text: [
          "swarm <verb> … : many agents on one machine. `swarm help <verb>` tells more; `--json` works everywhere.",
          "",
          ...all.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
        ].join("\n"),
        data: Object.fromEntries(all.map(({ name, summary }) => [name, summary])),
      };
    },
  });
  return self;
}
