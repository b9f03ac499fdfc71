import { runCommand } from "../lib/cli/command.ts";
import { wakeVerb } from "../lib/mail/wake-verb.ts";

runCommand({
  usage: `swarm wake AGENT|SESSION
Types the wake-up line into the tmux pane of an idle session, which then learns what finished for it.
Only for sessions that nothing else wakes: a session with a watched inbox is woken by its mail.`,
  run: wakeVerb,
});
