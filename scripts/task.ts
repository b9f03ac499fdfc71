import { TASK_FLAGS, taskVerb } from "../lib/features/tasks/verb.ts";
import { withRelayedTasks } from "../lib/machines/verbs.ts";
import { runCommand } from "../lib/run/command.ts";

runCommand({
  usage: `swarm task create SUBJECT | list | show ID | claim [ID] | update ID | done ID | release ID | delete ID
create   [--description TEXT|-] [--active-form TEXT] [--owner NAME] [--blocked-by 1,2]
list     [--status STATUS] [--owner NAME | --mine] [--blocked]
claim    the task with this number, or the first that is yours or free; it stays yours while you give signs of life
update   [--status STATUS] [--owner NAME] [--comment TEXT] [--blocked-by 1,2] [--blocks 3] [--subject TEXT]
         [--description TEXT|-] [--active-form TEXT]; --owner "" makes it nobody's
done     completed, after the check in tasks.verify if there is one; says what it unblocked and tells the others
release  gives it back: pending, nobody's
STATUS   pending, in_progress, completed; also blocked and in_review, which the client does not know
Everywhere: --team NAME for another list, --as NAME to act for somebody (needed in an in-process teammate).`,
  flags: TASK_FLAGS,
  run: (call) =>
    withRelayedTasks(call, call.flags.team ?? call.identity.team, call.words[0] ?? "list", () =>
      taskVerb(call),
    ),
});
