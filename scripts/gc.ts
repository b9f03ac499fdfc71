import { runCommand } from "../lib/cli/command.ts";
import { GC_FLAGS, gcVerb } from "../lib/ops/upkeep/gc.ts";

runCommand({
  usage: `swarm gc [--days N] [--yes]
What is older than gc.keep_days (or N days) and nobody's any more: journal days, traces of ended sessions, damaged files, archived teams.
It shows them and asks; without a terminal it does nothing unless --yes says so.`,
  flags: GC_FLAGS,
  run: gcVerb,
});
