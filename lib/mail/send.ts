// `swarm send` and `swarm broadcast`: a message is accepted when it is on disk in its reader's inbox, or refused with a reason.

import { resolve } from "node:path";
import { badCall, type Call } from "../cli/command.ts";
import { readText } from "../core/files.ts";
import { newId } from "../core/journal.ts";
import { nearest } from "../core/nearest.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import { plainLine, plainLines } from "../core/text.ts";
import { elapsedMs } from "../core/time.ts";
import { PERSON, shownAs } from "../hook/identity.ts";
import { isNative, leadOf, listTeams, memberOf, readTeam, type Team } from "../teams/store/config.ts";
import { appendArchive, readArchive } from "./store/archive.ts";
import { appendMessage, type Message, markAnswered, readInbox } from "./store/inbox.ts";
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

const whenOffline = (team: Team, to: string) =>
  memberOf(team, to)?.status === "offline" ? ` (${to} is offline and gets it when it starts)` : "";

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

// Who writes to whom, in which team: from the call, the caller's identity, or the only team there is.
type Flags = Record<"file" | "summary" | "team" | "session-id", { type: "string" }>;
export type MailCall = Pick<
  Call<Flags>,
  "paths" | "cwd" | "flags" | "identity" | "session" | "stdin" | "now"
>;

export function teamFor(call: MailCall, asked: string | undefined): { name: string; team: Team } {
  const name = asked ?? call.identity.team ?? onlyTeam(call);
  const team = readTeam(call.paths, name);
  if (!team) throw new Error(`there is no team ${name}${withFallback(nearest(name, listTeams(call.paths)))}`);
  return { name, team };
}

function onlyTeam(call: MailCall): string {
  const teams = listTeams(call.paths).filter((name) => !isNative(name));
  if (teams.length === 1 && teams[0]) return teams[0];
  throw badCall(`which team? --team ${teams.join(" | ") || "NAME (there is none yet)"}`);
}

export const namesIn = (team: Team): string[] => [
  ...new Set([...team.members.map((member) => member.name), ...(team.leadSessionId ? [leadOf(team)] : [])]),
];

export function whyUnknown(to: string, team: string, names: readonly string[]): string {
  if (to === PERSON)
    return `${PERSON} is whoever wrote from a terminal and has no inbox: answer in your own session, where the person reads it`;
  const known = names.length > 0 ? `; members: ${names.map(plainLine).join(", ")}` : "";
  return `there is no ${to} in team ${team}${withFallback(nearest(to, names))}${known}`;
}

const withFallback = (near: string[]) =>
  near.length > 0 ? `; nearest: ${near.map(plainLine).join(", ")}` : "";

/** Nobody outside the team can take a member's name, and no agent passes as the person. */
export const senderIn = ({ identity, session }: MailCall, team: string): string =>
  shownAs(identity, session, team);

// A message before it is sent: its text from the words, a file or stdin, checked.
const LONGEST_MESSAGE = 100_000;

export function draft(call: MailCall, from: string, words: readonly string[]): Message {
  return {
    id: newId(call.now),
    from,
    text: textOf(call, words),
    ...(call.flags.summary ? { summary: call.flags.summary } : {}),
    timestamp: call.now.toISOString(),
    read: false,
  };
}

function textOf(call: MailCall, words: readonly string[]): string {
  const { file } = call.flags;
  if (file !== undefined && words.length > 0) throw badCall("either a text or --file, not both");
  const text = file === undefined ? words.join(" ") : contentOf(call, file).replace(/\n+$/, "");
  if (text.trim() === "")
    throw badCall("the message is empty; its text comes as words, or by --file FILE, or --file - (stdin)");
  if (text.length > LONGEST_MESSAGE)
    throw badCall(
      `the message has ${text.length} characters, more than ${LONGEST_MESSAGE}: send the path of a file instead`,
    );
  return text;
}

function contentOf(call: MailCall, file: string): string {
  if (file === "-") return call.stdin();
  const text = readText(resolve(call.cwd, file));
  if (text === undefined) throw badCall(`there is no file ${file}`);
  return text;
}

// Which of the sender's own messages a new one answers: the one it names, or else all it was shown from that member.
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
