// `swarm send` and `swarm broadcast`: a message is accepted when it is on disk in its reader's inbox, or refused with a reason.

import { badCall, type Call } from "../cli/command.ts";
import { whyNotSegment } from "../core/paths.ts";
import { plainLines } from "../core/plain.ts";
import { elapsedMs } from "../core/stopwatch.ts";
import { isNative } from "../teams/store/native-teams.ts";
import { findMember, type Roster } from "../teams/store/roster.ts";
import { namesIn, senderIn, teamFor, whyUnknown } from "./address.ts";
import { draft } from "./draft.ts";
import { repliesTo, settle } from "./replies.ts";
import { appendMessage, type Message } from "./store/inbox.ts";
import { mailLimits } from "./store/limits.ts";

type SendFlags = Record<"file" | "summary" | "reply-to" | "team" | "session-id", { type: "string" }>;
type BroadcastFlags = Record<"file" | "summary" | "team" | "session-id", { type: "string" }> & {
  exclude: { type: "string"; multiple: true };
};

/** Then the message is spooled; a team of the client's has no spool, and there a lock that was left behind is waited out. */
const waitFor = (team: string) => (isNative(team) ? 15_000 : 3_000);
const LEAST_WAIT_MS = 300;

export function sendVerb(call: Call<SendFlags>) {
  const [address, ...words] = call.words;
  if (!address) throw badCall("to whom? swarm send <name> <text>");
  const [, to = "", ofTeam] = address.match(/^(.*?)(?:@([^@]*))?$/) ?? [];
  const { name, team } = teamFor(call, ofTeam ?? call.flags.team);
  const names = namesIn(team);
  if (!names.includes(to)) throw new Error(whyUnknown(to, name, names));
  const { id } = sent(call, name, to, words, names);
  return {
    text: `${id} to ${to}: queued${whenOffline(team, to)}`,
    data: { id, team: name, to, state: "queued" },
  };
}

function sent(call: Call<SendFlags>, team: string, to: string, words: string[], names: string[]): Message {
  const { paths, flags } = call;
  const from = senderIn(call, team);
  const message = draft(call, from, words);
  const isMember = call.identity.agent === from && names.includes(from) && !isNative(team);
  if (!isMember && flags["reply-to"]) throw badCall("--reply-to is for members of the team");
  const exchange = { paths, team, from, to, replyTo: flags["reply-to"] };
  const replyTo = isMember ? repliesTo(exchange) : undefined;
  appendMessage(paths, team, to, replyTo ? { ...message, replyTo } : message, {
    waitMs: waitFor(team),
    limits: mailLimits(call.loaded.values),
  });
  if (replyTo) settle(exchange, message.id);
  return message;
}

const whenOffline = (team: Roster, to: string) =>
  findMember(team, to)?.status === "offline" ? ` (${to} is offline and gets it when it starts)` : "";

export function broadcastVerb(call: Call<BroadcastFlags>) {
  const { name, team } = teamFor(call, call.flags.team);
  const names = namesIn(team);
  const from = senderIn(call, name);
  const message = draft(call, from, call.words);
  const without = new Set([from, ...excluded(call.flags.exclude ?? [], name, names)]);
  const others = names.filter((one) => !without.has(one));
  const skipped = others.flatMap((one) => whySkipped(one, name));
  const readers = others.filter((one) => !whyNotSegment(one));
  if (readers.length === 0) throw new Error(`nobody else is in team ${name}`);
  const giveUp = elapsedMs() + waitFor(name);
  const failed = readers.flatMap((to) =>
    tryAppend(call, name, to, message, Math.max(LEAST_WAIT_MS, giveUp - elapsedMs())),
  );
  const reached = readers.length - failed.length;
  return {
    text: plainLines([
      `${message.id} to ${reached} of ${readers.length}: ${readers.join(", ")}`,
      ...failed,
      ...skipped,
    ]),
    data: { id: message.id, team: name, to: readers, failed, skipped },
    exitCode: failed.length > 0 ? 1 : 0,
  };
}

/** 0.1.0 let such names into a team; no mail can be read under them. */
function whySkipped(member: string, team: string): string[] {
  const why = whyNotSegment(member);
  const name = JSON.stringify(member);
  return why
    ? [`skipped ${name}: the name ${why}; swarm cleanup ${team} --members --agent ${name} removes it`]
    : [];
}

function excluded(asked: readonly string[], team: string, names: readonly string[]): readonly string[] {
  const stranger = asked.find((name) => !names.includes(name));
  if (stranger !== undefined) throw badCall(whyUnknown(stranger, team, names));
  return asked;
}

/** One inbox that cannot be written must not keep the message from the others. */
function tryAppend(
  { paths, loaded }: Call<BroadcastFlags>,
  team: string,
  to: string,
  message: Message,
  waitMs: number,
): string[] {
  try {
    appendMessage(paths, team, to, message, { waitMs, limits: mailLimits(loaded.values) });
    return [];
  } catch (error) {
    return [`not to ${to}: ${(error as Error).message}`];
  }
}
