import { runCommand } from "../lib/cli/command.ts";
import { demo } from "../lib/ops/demo/demo.ts";

runCommand({
  usage: `swarm demo [--keep]
A lead and two teammates go through a day in a temporary home: every step is a real hook script or verb, shown with
what went in, what came out and how long it took. --keep leaves the home for a look.`,
  flags: { keep: { type: "boolean" } },
  run: demo,
});
