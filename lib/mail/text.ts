// Mail as its reader sees it: the words and tags of Claude Swarm hooks, content escaped, and never longer than the room.

import { counted, escapeLine, escapeXml } from "../core/text.ts";
import type { Claimed } from "./store/inbox.ts";
import type { Message } from "./store/message.ts";

/** Less than the client's limit, so that the texts of other features fit as well. */
export const MAIL_ROOM = 8_000;
/** For the headings, and the lines about what was left out. */
const FRAME_ROOM = 600;
/** For the tags around one message's content. */
const TAG_ROOM = 400;
const LONGEST_NAME = 100;

/** The oldest messages that fit together; the first one always, cut if it must be. */
export function fitting(queued: readonly Message[], room: number): Message[] {
  let left = room - FRAME_ROOM;
  const end = queued.findIndex((message, at) => {
    left -= tag(message, room).length + 2;
    return left < 0 && at > 0;
  });
  return end < 0 ? [...queued] : queued.slice(0, end);
}

export function mailText(mail: Claimed, room: number): string {
  const heading = `## Unread Messages (${mail.messages.length})`;
  return [
    ...(mail.messages.length > 0 ? [heading] : []),
    ...mail.messages.map((message) => tag(message, room)),
    ...leftOut(mail),
  ].join("\n\n");
}

/** Inboxes can hold anything: a very long name would push the closing tags out of the room. */
const short = (text: string) => escapeLine(text.slice(0, LONGEST_NAME));

function tag(message: Message, room: number): string {
  return [
    "<message>",
    `  <from>${short(message.from)}</from>`,
    `  <timestamp>${short(message.timestamp)}</timestamp>`,
    `  <content>${contentOf(message, room - FRAME_ROOM - TAG_ROOM)}</content>`,
    "</message>",
  ].join("\n");
}

/** Cut after escaping, at the last whole character: an entity or a surrogate pair must not be split. */
function contentOf({ text, id }: Message, room: number): string {
  const whole = escapeXml(text);
  if (whole.length <= room) return whole;
  const head = whole.slice(0, room).replace(/&[a-z]{0,4}$|[\ud800-\udbff]$/, "");
  return `${head}\n[cut: the whole message is in \`swarm inbox ${short(id)}\`]`;
}

function leftOut({ left, dead }: Claimed): string[] {
  return [
    ...(left > 0 ? [`${counted(left, "message")} more unread: \`swarm inbox\` shows them.`] : []),
    ...(dead.length > 0
      ? [
          `${counted(dead.length, "message")} too old to be delivered, put aside: \`swarm inbox --all\` shows them.`,
        ]
      : []),
  ];
}

export const howToAnswer = (from: string): string => `Answer with: swarm send ${short(from)} "<text>"`;

export const MAIL_HAS_COME =
  "New mail has come. It is delivered with this notice, or was delivered with the step before it.";
