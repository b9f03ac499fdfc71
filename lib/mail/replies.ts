// Which of the sender's own messages a new one answers: the one it names, or else all it was shown from that member.
import { badCall } from "../cli/command.ts";
import type { Paths } from "../core/paths.ts";
import { appendArchive, readArchive } from "./store/archive.ts";
import { type Message, markAnswered, readInbox } from "./store/inbox.ts";

export interface Exchange {
  paths: Paths;
  team: string;
  /** Who answers … */
  from: string;
  /** … whom. */
  to: string;
  replyTo: string | undefined;
}

const isOpen = (message: Message) => message.read && message.state !== "answered";

/** The id the new message carries as `replyTo`, if it is an answer. */
export function repliesTo({ paths, team, from, to, replyTo }: Exchange): string | undefined {
  const own = readInbox(paths, team, from);
  if (replyTo === undefined) return own.findLast((message) => isOpen(message) && message.from === to)?.id;
  const known = [...own, ...readArchive(paths, team, from)].some((message) => message.id === replyTo);
  if (!known) throw badCall(`there is no message ${replyTo} in your inbox: swarm inbox --all`);
  return replyTo;
}

/** After the answer is on its way: its question is settled, in the inbox or in the archive. */
export function settle({ paths, team, from, to, replyTo }: Exchange, answeredBy: string): void {
  const isMeant = (message: Message) =>
    replyTo === undefined ? message.from === to : message.id === replyTo;
  const settled = markAnswered(paths, team, from, isMeant, answeredBy);
  if (replyTo !== undefined && settled.length === 0)
    appendArchive(paths, team, from, [{ id: replyTo, state: "answered", answeredBy }]);
}
