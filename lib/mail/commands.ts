import { command } from "../cli/command.ts";
import { inboxVerb, outboxVerb } from "./list.ts";
import { broadcastVerb, sendVerb } from "./send.ts";
import { wakeVerb } from "./wake-up.ts";

export const commands = [
  command({
    name: "send",
    summary: "a message to a member of the team",
    usage: `swarm send <name>[@<team>] [text …] [--file FILE|-] [--summary TEXT] [--reply-to ID] [--routine] [--team TEAM]
Puts a message into a member's inbox and wakes it; with --routine it is shown with the member's next turn instead. team-lead is the lead,
whatever its name. The text comes as words, from a file, or with --file - from stdin.
Whatever you were shown from that member counts as answered; --reply-to answers one message only. swarm outbox shows its state.`,
    flags: {
      file: "text",
      summary: "text",
      "reply-to": "text",
      routine: "switch",
      team: "text",
      "session-id": "text",
    },
    words: "any",
    run: sendVerb,
  }),
  command({
    name: "broadcast",
    summary: "a message to all other members of the team",
    usage: `swarm broadcast [text …] [--file FILE|-] [--exclude NAME …] [--summary TEXT] [--team TEAM]
Sends the same message to every other member of the team and prints how many it reached.`,
    flags: { file: "text", exclude: "texts", summary: "text", team: "text", "session-id": "text" },
    words: "any",
    run: broadcastVerb,
  }),
  command({
    name: "inbox",
    summary: "unread mail; --all the read too",
    usage: `swarm inbox [ID] [--all] [--peek] [--team TEAM] [--agent NAME --peek]
Your unread mail, which then counts as read; --peek leaves it unread, --all adds the read and the archived.
Of much mail the oldest 20,000 characters, since clients cut a longer output; the rest stays unread. --all and --json show all of it.
With an ID that one message, whole. --agent NAME --peek shows another member's inbox and marks nothing.`,
    flags: { all: "switch", peek: "switch", team: "text", agent: "text", "session-id": "text" },
    words: 1,
    run: inboxVerb,
  }),
  command({
    name: "outbox",
    summary: "what became of the messages you sent",
    usage: `swarm outbox [--all] [--team TEAM --agent NAME]
Your messages and their states: queued, claimed (being shown), shown, answered, or dead (nobody will read it). To another machine:
queued, relayed, shown, answered, or refused with the reason.`,
    flags: { all: "switch", team: "text", agent: "text", "session-id": "text" },
    run: outboxVerb,
  }),
  command({
    name: "wake",
    summary: "types the wake-up line into the pane of an idle session",
    usage: `swarm wake AGENT|SESSION
Types the wake-up line into the tmux pane of an idle session, which then learns what finished for it.
Only for sessions that nothing else wakes: a session with a watched inbox is woken by its mail.`,
    words: 1,
    run: wakeVerb,
  }),
];
