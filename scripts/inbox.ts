import { runCommand } from "../lib/cli/command.ts";
import { inboxVerb } from "../lib/mail/inbox-list.ts";

runCommand({
  usage: `swarm inbox [ID] [--all] [--peek] [--team TEAM] [--agent NAME --peek]
Your unread mail, which then counts as read; --peek leaves it unread, --all adds the read and the archived.
With an ID that one message, whole. Another member's inbox is looked at with --agent NAME --peek, which marks nothing.`,
  flags: {
    all: { type: "boolean" },
    peek: { type: "boolean" },
    team: { type: "string" },
    agent: { type: "string" },
    "session-id": { type: "string" },
  },
  run: inboxVerb,
});
