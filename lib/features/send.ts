// `swarm send` and `swarm broadcast`: a message is accepted when it is on disk in its reader's inbox, or refused with a reason.
import { badCall, type Call } from "../run/command.ts";
import { appendMessage, type Message } from "../store/inbox.ts";
import { isNative } from "../store/native-teams.ts";
import { inRoster, type Roster } from "../store/roster.ts";
import { elapsedMs } from "../store/stopwatch.ts";
import { type MailCall, namesIn, onMachine, senderIn, teamFor, whyUnknown } from "./send/address.ts";
import { draft } from "./send/draft.ts";
import { repliesTo, settle } from "./send/replies.ts";

type SendFlags = Record<"file" | "summary" | "reply-to" | "team" | "session-id", { type: "string" }>;
type BroadcastFlags = Record<"file" | "summary" | "team" | "session-id", { type: "string" }> & {
  exclude: { type: "string"; multiple: true };
};

/** No turn waits for a verb: a crowd at an inbox is sat out, and so is a lock that a dead process left behind. */
const PATIENCE_MS = 15_000;
const LEAST_PATIENCE_MS = 300;

export function sendVerb(call: Call<SendFlags>) {
  const [address, ...words] = call.words;
  if (!address) throw badCall("to whom? swarm send <name> <text>");
  const [, named = "", ofTeam] = address.match(/^(.*?)(?:@([^@]*))?$/) ?? [];
  const elsewhere = onMachine(call, address);
  const { name, team } = elsewhere ?? teamFor(call, ofTeam ?? call.flags.team);
  const names = namesIn(team);
  const to = elsewhere?.to ?? named;
  if (!names.includes(to)) throw new Error(whyUnknown(to, name, names));
  const { id } = sent(call, name, to, words, names);
  return {
    text: `${id} to ${to}: queued${whenOffline(team, to)}`,
    data: { id, team: name, to, state: "queued" },
  };
}

function sent(call: Call<SendFlags>, team: string, to: string, words: string[], names: string[]): Message {
  const { places, flags } = call;
  const from = senderIn(call, team);
  const message = draft(call, from, words);
  const isMember = names.includes(from) && !isNative(team);
  if (!isMember && flags["reply-to"]) throw badCall("--reply-to is for members of the team");
  const exchange = { places, team, from, to, replyTo: flags["reply-to"] };
  const replyTo = isMember ? repliesTo(exchange) : undefined;
  appendMessage(places, team, to, replyTo ? { ...message, replyTo } : message, {
    waitMs: PATIENCE_MS,
  });
  if (replyTo) settle(exchange, message.id);
  return message;
}

const whenOffline = (team: Roster, to: string) =>
  inRoster(team, to)?.status === "offline" ? ` (${to} is offline and gets it when it starts)` : "";

export function broadcastVerb(call: Call<BroadcastFlags>) {
  const { name, team } = teamFor(call, call.flags.team);
  const names = namesIn(team);
  const from = senderIn(call, name);
  const message = draft(call, from, call.words);
  const without = new Set([from, ...excluded(call.flags.exclude ?? [], name, names)]);
  const readers = names.filter((one) => !without.has(one));
  if (readers.length === 0) throw new Error(`nobody else is in team ${name}`);
  const giveUp = elapsedMs() + PATIENCE_MS;
  const failed = readers.flatMap((to) =>
    tryAppend(call, name, to, message, Math.max(LEAST_PATIENCE_MS, giveUp - elapsedMs())),
  );
  const reached = readers.length - failed.length;
  return {
    text: [`${message.id} to ${reached} of ${readers.length}: ${readers.join(", ")}`, ...failed].join("\n"),
    data: { id: message.id, team: name, to: readers, failed },
    exitCode: failed.length > 0 ? 1 : 0,
  };
}

function excluded(asked: readonly string[], team: string, names: readonly string[]): readonly string[] {
  const stranger = asked.find((name) => !names.includes(name));
  if (stranger !== undefined) throw badCall(whyUnknown(stranger, team, names));
  return asked;
}

/** One inbox that cannot be written must not keep the message from the others. */
function tryAppend(
  { places }: MailCall,
  team: string,
  to: string,
  message: Message,
  waitMs: number,
): string[] {
  try {
    appendMessage(places, team, to, message, { waitMs });
    return [];
  } catch (error) {
    return [`not to ${to}: ${(error as Error).message}`];
  }
}
