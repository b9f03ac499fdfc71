import { runCommand } from "../lib/cli/command.ts";
import { sendVerb } from "../lib/mail/send.ts";

runCommand({
  usage: `swarm send <name>[@<team>] [text …] [--file FILE|-] [--summary TEXT] [--reply-to ID] [--team TEAM]
Puts a message into a member's inbox and wakes it. The text comes as words, from a file, or with --file - from stdin.
An answer settles what you were shown from that member; --reply-to names one message. swarm outbox shows what became of it.`,
  flags: {
    file: { type: "string" },
    summary: { type: "string" },
    "reply-to": { type: "string" },
    team: { type: "string" },
    "session-id": { type: "string" },
  },
  run: sendVerb,
});
