import { runCommand } from "../lib/cli/command.ts";
import { VERBS } from "../lib/cli/verbs.ts";

const width = Math.max(...VERBS.map(([verb]) => verb.length));

runCommand({
  usage: "swarm help",
  run: () => ({
    text: [
      "swarm <verb> … : many agents on one machine. `swarm <verb> --help` tells more; `--json` works everywhere.",
      "",
      ...VERBS.map(([verb, about]) => `  ${verb.padEnd(width)}  ${about}`),
    ].join("\n"),
    data: Object.fromEntries(VERBS),
  }),
});
