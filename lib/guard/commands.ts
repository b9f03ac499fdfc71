// The verbs of `swarm` that belong to this domain.
import { command } from "../cli/command.ts";
import { guardVerb } from "./verbs.ts" with { loading: "lazy" };

export const commands = [
  command({
    name: "guard",
    summary: "what the command guard would say to a command, and its rules",
    usage: `swarm guard test [--powershell | --write] [--unattended] '<command or path>' | swarm guard rules
What the command guard would say, without running anything; exit code 1 when it would hold the call back.
"-" reads the command from stdin. --write asks about a path that a tool would write. --unattended answers for a session in which no person can answer.`,
    flags: { powershell: "switch", write: "switch", unattended: "switch" },
    words: { test: "any", rules: 0 },
    run: guardVerb,
  }),
];
