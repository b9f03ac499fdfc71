// `swarm send` and `swarm broadcast`: a message is accepted when it is on disk in its reader's mailbox, or refused with a reason.

import { resolve } from "node:path";
import { badCall, type Call, refused } from "../cli/command.ts";
import { noMember, requireTeamName, whichTeam } from "../cli/unknown-names.ts";
import { realPathWithin, syncDirectory } from "../core/files.ts";
import { whyNotSegment } from "../core/paths.ts";
import { elapsedMs } from "../core/process.ts";
import { plainLines } from "../core/text.ts";
import { PERSON, shownAs } from "../hook/context.ts";
import { readSession } from "../sessions/store/sessions.ts";
import {
  isNative,
  isRemote,
  listTeams,
  type Member,
  memberNames,
  memberOf,
  readTeam,
  type Team,
} from "../teams/store/config.ts";
import { nameIn, nameOnMachine, parsed } from "./addresses.ts";
import { appendMessage, broadcast, mailLimits, markAnswered, readAllMail, readInbox } from "./store/inbox.ts";
import { inboxesDir } from "./store/mailbox-files.ts";
import { isUnanswered, LONGEST_TEXT, type Message, newMessage } from "./store/message.ts";

type Flags = Record<"file" | "summary" | "team" | "session-id", "text">;
type SendCall = Call<Flags & Record<"reply-to", "text"> & { routine: "switch" }>;
type BroadcastCall = Call<Flags & { exclude: "texts" }>;
type MailCall = Call<Flags>;

/** After that the message is spooled. A team of the client's own has no spool: there an abandoned lock is waited out. */
const lockWaitMs = (team: string) => (isNative(team) ? 15_000 : 3_000);
const LEAST_WAIT_MS = 300;

export function sendVerb(call: SendCall) {
  const [address, ...words] = call.words;
  if (!address) throw badCall("to whom? swarm send <name> <text>");
  const { team, roster, to } = onMachine(call, address) ?? inTeam(call, address);
  const names = memberNames(roster);
  if (!names.includes(to)) throw unknownReader(to, team, names);
  const from = shownAs(call.identity, call.session, team);
  const message = compose(call, from, words, call.flags.routine);
  const isMember = call.identity.agent === from && names.includes(from) && !isNative(team);
  if (!isMember && call.flags["reply-to"]) throw badCall("--reply-to is for members of the team");
  const isFromReader = (one: Message) => one.from === to || one.from === address;
  const replyTo = isMember ? questionOf(call, team, from, isFromReader) : undefined;
  appendMessage(call.paths, team, to, replyTo ? { ...message, replyTo } : message, {
    waitMs: lockWaitMs(team),
    limits: mailLimits(call.loaded.values),
    check: () => requireReader(call, team, to),
  });
  // Without --reply-to an answer covers everything that was shown from that member.
  const isMeant = (one: Message) => (call.flags["reply-to"] ? one.id === replyTo : isFromReader(one));
  if (replyTo) markAnswered(call.paths, team, from, isMeant, message.id);
  return {
    text: `${message.id} to ${to}: queued${whenOffline(team, memberOf(roster, to))}`,
    data: { id: message.id, team, to, state: "queued" },
  };
}

function whenOffline(team: string, reader: Member | undefined): string {
  if (reader?.status !== "offline") return "";
  const isOurs = reader.backend !== undefined && reader.backend !== "joined" && !isRemote(reader);
  const how = isOurs ? `; \`swarm resume ${team}\` starts it` : "";
  return ` (${reader.name} is offline and gets it when it starts${how})`;
}

/** `bob`, or `bob@team`. */
function inTeam(call: SendCall, address: string) {
  const { name, ofTeam } = parsed(address);
  const { team, roster } = findTeam(call, ofTeam ?? call.flags.team);
  return { team, roster, to: nameIn(roster, name) };
}

function onMachine(call: SendCall, address: string) {
  const team = call.flags.team ?? call.identity.team;
  const roster = team && address.includes("@") ? readTeam(call.paths, team) : undefined;
  const to = team && roster && nameOnMachine(call.paths, team, roster, address);
  return to ? { team, roster, to } : undefined;
}

/** The message this one answers: the one that --reply-to names, else the last unanswered one from its reader. */
function questionOf(
  { paths, flags }: SendCall,
  team: string,
  from: string,
  isFromReader: (one: Message) => boolean,
): string | undefined {
  const id = flags["reply-to"];
  if (id === undefined)
    return readInbox(paths, team, from).findLast(
      (message) => isUnanswered(message) && isFromReader(message) && message.id !== "",
    )?.id;
  if (!readAllMail(paths, team, from).some((message) => message.id === id))
    throw badCall(`there is no message ${id} in your inbox: swarm inbox --all`);
  return id;
}

export function broadcastVerb(call: BroadcastCall) {
  const { team, roster } = findTeam(call, call.flags.team);
  const names = memberNames(roster);
  const from = shownAs(call.identity, call.session, team);
  const message = compose(call, from, call.words);
  const exclude = call.flags.exclude ?? [];
  const unknown = exclude.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownReader(unknown, team, names);
  const others = names.filter((name) => name !== from && !exclude.includes(name));
  const readers = others.filter((name) => !whyNotSegment(name));
  if (readers.length === 0)
    throw refused(`nobody else is in team ${team}`, "`swarm spawn NAME` opens a teammate");
  const failed = sendToEach(call, team, roster, readers, message);
  const skipped = others.flatMap((name) => whySkipped(name, team));
  const reached = readers.length - failed.length;
  return {
    text: plainLines([
      `${message.id} to ${reached} of ${readers.length}: ${readers.join(", ")}`,
      ...failed,
      ...skipped,
    ]),
    data: { id: message.id, team, to: readers, failed, skipped },
    exitCode: failed.length > 0 ? 1 : 0,
  };
}

/** To more readers at once a broadcast is one file. */
const FEW_READERS = 30;

/** One inbox that cannot be written must not keep the message from the others. The directory is synced once: that halves the time. */
function sendToEach(
  { paths, loaded }: BroadcastCall,
  team: string,
  roster: Team,
  readers: string[],
  message: Message,
): string[] {
  const limits = mailLimits(loaded.values);
  const remote = new Set(roster.members.filter(isRemote).map(({ name }) => name)); // couriers watch inboxes
  const local =
    isNative(team) || readers.length <= FEW_READERS ? [] : readers.filter((to) => !remote.has(to));
  const reached = broadcast(paths, team, local, message, limits);
  const others = readers.filter((to) => !reached.has(to));
  const giveUp = elapsedMs() + lockWaitMs(team);
  const failed = others.flatMap((to) => {
    const waitMs = Math.max(LEAST_WAIT_MS, giveUp - elapsedMs());
    const check = () => requireReader({ paths }, team, to);
    try {
      appendMessage(paths, team, to, message, { waitMs, limits, syncsLater: true, check });
      return [];
    } catch (error) {
      return `not to ${to}: ${(error as Error).message}`;
    }
  });
  if (failed.length < others.length) syncDirectory(inboxesDir(paths, team));
  return failed;
}

/** Version 0.1.0 accepted member names that cannot be the name of an inbox. */
function whySkipped(member: string, team: string): string[] {
  const why = whyNotSegment(member);
  const name = JSON.stringify(member);
  return why
    ? [`skipped ${name}: the name ${why}; swarm cleanup ${team} --members --agent ${name} removes it`]
    : [];
}

/** The team that was asked for, else the caller's, else the only one there is. */
function findTeam(call: MailCall, asked: string | undefined): { team: string; roster: Team } {
  const team = asked ?? call.identity.team ?? onlyTeam(call);
  return { team, roster: requireTeamName(call.paths, team) };
}

function onlyTeam(call: MailCall): string {
  const teams = listTeams(call.paths).filter((name) => !isNative(name));
  if (teams.length === 1 && teams[0]) return teams[0];
  throw teams.length > 0 ? badCall(`which team? --team ${teams.join(" | ")}`) : whichTeam(call);
}

/** The client rewrites its own configs in place: there a look may find less than there is. */
function requireReader({ paths }: Pick<MailCall, "paths">, team: string, to: string): void {
  const names = isNative(team) ? [to] : memberNames(requireTeamName(paths, team));
  if (!names.includes(to)) throw unknownReader(to, team, names);
}

const unknownReader = (to: string, team: string, names: readonly string[]): Error =>
  to === PERSON
    ? refused(
        `${PERSON} stands for a person at a terminal and has no inbox`,
        "answer in your own session, where the person reads it",
      )
    : noMember(to, team, names);

const compose = (call: MailCall, from: string, words: readonly string[], routine?: boolean): Message =>
  newMessage({ from, text: textOf(call, words), at: call.now, summary: call.flags.summary, routine });

function textOf(call: MailCall, words: readonly string[]): string {
  const { file } = call.flags;
  if (file !== undefined && words.length > 0) throw badCall("either a text or --file, not both");
  const text = file === undefined ? words.join(" ") : contentOf(call, file).replace(/\n+$/, "");
  if (text.trim() === "")
    throw badCall("the message is empty; its text comes as words, or by --file FILE, or --file - (stdin)");
  if (text.length > LONGEST_TEXT)
    throw badCall(
      `the message has ${text.length} characters, more than ${LONGEST_TEXT}: send the path of a file instead`,
    );
  return text;
}

function contentOf(call: MailCall, file: string): string {
  if (file === "-") return call.stdin();
  const text = call.readInput(file);
  if (call.session && !realPathWithin(resolve(call.cwd, file), readableBy(call, call.session)))
    throw new Error(
      `${file} is outside this session's project and the temporary directory; send its path instead, or its text with --file -`,
    );
  return text;
}

/** An allow rule lets agents run `swarm send` unasked: it must not show a file that the client would ask about. */
function readableBy({ paths, projectDir, cwd }: MailCall, session: string): string[] {
  const record = readSession(paths, { session });
  return [record?.project ?? projectDir ?? record?.cwd ?? cwd, paths.tmp];
}
