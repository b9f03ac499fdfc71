// Every verb of `swarm`, by domain.
import { command } from "../lib/cli/command.ts";
import { commands as context } from "../lib/context/commands.ts";
import { commands as efforts } from "../lib/efforts/commands.ts";
import { commands as guard } from "../lib/guard/commands.ts";
import { commands as machines, withRelay } from "../lib/machines/commands.ts";
import { commands as mail } from "../lib/mail/commands.ts";
import { commands as ops } from "../lib/ops/commands.ts";
import { commands as people } from "../lib/people/commands.ts";
import { commands as scratchpad } from "../lib/scratchpad/commands.ts";
import { commands as sessions } from "../lib/sessions/commands.ts";
import { commands as tasks } from "../lib/tasks/commands.ts";
import { commands as teammates } from "../lib/teammates/commands.ts";
import { commands as teams } from "../lib/teams/commands.ts";
import { commands as worktrees } from "../lib/worktrees/commands.ts";
import { version } from "../package.json";

export const COMMANDS = withRelay([
  ...teammates,
  ...mail,
  ...tasks,
  ...teams,
  ...worktrees,
  ...machines,
  ...people,
  ...sessions,
  ...context,
  ...efforts,
  ...scratchpad,
  ...guard,
  ...ops,
  command({
    name: "version",
    summary: "the version of this plugin",
    usage: "swarm version",
    run: () => ({ text: `swarm ${version}`, data: { version } }),
  }),
]);
