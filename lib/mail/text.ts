// Mail as its reader sees it: seed 001's words and tags to the letter, content escaped, and never longer than the room.

import { escapeLine, escapeXml } from "../core/text.ts";
import type { Message } from "./store/message.ts";

/** Less than the client's limit, so that other features' lines fit beside it. */
export const MAIL_ROOM = 8_000;
/** Around the messages: headings, and the lines about what was left. */
const FRAME_ROOM = 600;
const LONGEST_NAME = 100;

export interface Batch {
  messages: Message[];
  left: number;
  dead: Message[];
}

/** The oldest messages that fit together; the first one always, cut if it must be. */
export function fitting(queued: readonly Message[], room: number): Message[] {
  let left = room - FRAME_ROOM;
  const end = queued.findIndex((message, at) => {
    left -= tag(message, room).length + 2;
    return left < 0 && at > 0;
  });
  return end < 0 ? [...queued] : queued.slice(0, end);
}

/** What stands under seed 001's heading. */
export function unread(batch: Batch, room: number): string {
  const heading = `## Unread Messages (${batch.messages.length})`;
  return [
    ...(batch.messages.length > 0 ? [heading] : []),
    ...batch.messages.map((message) => tag(message, room)),
    ...leftOut(batch),
  ].join("\n\n");
}

/** An inbox may hold anything: a name as long as a book would push the closing tags out of the room. */
const short = (text: string) => escapeLine(text.slice(0, LONGEST_NAME));

function tag(message: Message, room: number): string {
  return [
    "<message>",
    `  <from>${short(message.from)}</from>`,
    `  <timestamp>${short(message.timestamp)}</timestamp>`,
    `  <content>${contentOf(message, room - FRAME_ROOM - 400)}</content>`,
    "</message>",
  ].join("\n");
}

/** Cut before escaping would split an entity; cut after it at the last whole character. */
function contentOf({ text, id }: Message, room: number): string {
  const whole = escapeXml(text);
  if (whole.length <= room) return whole;
  const head = whole.slice(0, room).replace(/&[a-z]{0,4}$|[\ud800-\udbff]$/, "");
  return `${head}\n[cut: the whole message is in \`swarm inbox ${short(id)}\`]`;
}

function leftOut({ left, dead }: Batch): string[] {
  return [
    ...(left > 0 ? [`${messages(left)} more unread: \`swarm inbox\` shows them.`] : []),
    ...(dead.length > 0
      ? [`${messages(dead.length)} too old to be delivered, put aside: \`swarm inbox --all\` shows them.`]
      : []),
  ];
}

const messages = (count: number) => (count === 1 ? "1 message" : `${count} messages`);

export const howToAnswer = (from: string): string => `Answer with: swarm send ${short(from)} "<text>"`;

export const MAIL_HAS_COME =
  "New mail has come. It stands beside this notice, or came with the step before it.";
