// `swarm inbox` and `swarm outbox`: mail as a person or an agent lists it. Mail that is listed to its owner counts as shown.

import { badCall, type Call, refused } from "../cli/command.ts";
import { requireMemberName, requireTeamName } from "../cli/unknown-names.ts";
import { unlessLocked } from "../core/lock.ts";
import type { Paths } from "../core/paths.ts";
import { counted, plainLines, plainText, shortened, toText } from "../core/text.ts";
import { shownAs } from "../hook/context.ts";
import { hasReader, isNative, isRemote, memberNames, type Team } from "../teams/store/config.ts";
import { claimMail, markShown, readAllMail, readInbox } from "./store/inbox.ts";
import { listMailboxes } from "./store/mailbox-files.ts";
import { isUnread, type Message, stateOf } from "./store/message.ts";

type Flags = { all: "switch" } & Record<"team" | "agent" | "session-id", "text">;
type InboxCall = Call<Flags & { peek: "switch" }>;

/** The client cuts the output of a command at 30,000 characters, and what it cuts would count as read. */
const LONGEST_LISTING = 20_000;

export function inboxVerb(call: InboxCall) {
  const { team, agent, isOwn, names } = inboxOf(call);
  const [id] = call.words;
  const readMail = call.flags.all || id !== undefined ? readAllMail : readInbox;
  const mail = readMail(call.paths, team, agent);
  const isChosen = (message: Message) =>
    id === undefined ? call.flags.all || isUnread(message) : message.id === id;
  const chosen = mail.filter(isChosen);
  if (id !== undefined && chosen.length === 0) throw noMessage(id, names);
  const texts = fitting(chosen, call);
  const listed = chosen.slice(0, texts.length);
  const left = chosen.length - listed.length;
  const mark = isOwn && !call.flags.peek ? claimListed(call, team, agent, listed) : undefined;
  const next = call.flags.peek ? "swarm inbox --all shows everything" : "swarm inbox shows the next";
  if (left > 0) texts.push(`${counted(left, "message")} more unread: ${next}`);
  return {
    text: texts.join("\n\n") || nothingListed(call, mail),
    data: listed.map((message) => ({ ...message, state: stateOf(message, call.now) })),
    ...(mark && { after: mark }),
  };
}

/** The oldest that fit together, at least one; all of them where that was asked for. */
function fitting(messages: Message[], { flags, now }: InboxCall): string[] {
  const room = flags.all || flags.json ? Number.POSITIVE_INFINITY : LONGEST_LISTING;
  const texts: string[] = [];
  let length = 0;
  for (const message of messages) {
    const text = asText(message, now);
    length += text.length;
    if (texts.length > 0 && length > room) break;
    texts.push(text);
  }
  return texts;
}

/** A session whose mail is asked for has none before it is in a team. */
const teamFirst = (session: string | undefined) =>
  session
    ? "this session belongs to no team: `swarm create TEAM` or `swarm join TEAM --name NAME` comes first; of others: "
    : "";

function inboxOf({ paths, identity, flags, session }: InboxCall) {
  const team = flags.team ?? identity.team;
  const agent = flags.agent ?? identity.agent;
  if (!team || !agent) throw badCall(`whose inbox? ${teamFirst(session)}--team TEAM --agent NAME --peek`);
  const roster = requireTeamName(paths, team);
  requireMailbox(paths, team, agent, roster);
  const isElsewhere = roster.members.some((member) => isRemote(member) && member.name === agent);
  const isOwn = team === identity.team && agent === identity.agent && !isElsewhere;
  if (!isOwn && !flags.peek)
    throw badCall(`the inbox of ${agent} in team ${team} is not yours to mark as read; --peek looks at it`);
  return { team, agent, isOwn: isOwn && !isNative(team), names: memberNames(roster) };
}

/** A removed member may still have mail. */
function requireMailbox(paths: Paths, team: string, agent: string, roster: Team): void {
  if (!listMailboxes(paths, team).includes(agent)) requireMemberName(agent, team, memberNames(roster));
}

const noMessage = (id: string, names: readonly string[]): Error => {
  const message = `there is no message ${id}`;
  return names.includes(id)
    ? refused(message, `\`swarm inbox --agent ${id} --peek\` shows what waits for ${id}`)
    : new Error(message);
};

/** Claims what is listed; what it returns marks it once it is printed. A process that is killed before that has only claimed it. */
function claimListed(
  { paths, now, session, loaded }: InboxCall,
  team: string,
  agent: string,
  listed: Message[],
) {
  const isListed = ({ id, text }: Message) => listed.some((one) => one.id === id && one.text === text);
  const by = session ?? "swarm inbox";
  const choose = (queued: Message[]) => queued.filter(isListed);
  const claimed = unlessLocked(
    () => claimMail(paths, team, agent, { by, now, choose }).messages,
    // Another process holds the inbox: the mail is listed all the same, and its marks are spooled.
    () => listed.filter((message) => isUnread(message) && message.id !== ""),
  );
  const ids = claimed.map(({ id }) => id);
  if (ids.length === 0) return undefined;
  const { "mail.keep_read": keepRead, "mail.retention_days": retentionDays } = loaded.values;
  return () => markShown(paths, team, agent, { ids, now, keepRead, retentionDays });
}

const nothingListed = ({ flags }: InboxCall, mail: Message[]): string =>
  flags.all || mail.length === 0 ? "no mail" : `no unread mail (${mail.length} read; --all shows them)`;

/** The text is indented so that no line of it can pass as the head of another message. */
function asText(message: Message, now: Date): string {
  const { id, from, timestamp, kind, text } = message;
  const head = [id || "-", `from ${from}`, timestamp, stateOf(message, now), ...(kind ? [toText(kind)] : [])];
  return `${plainText(head.join("  ")).replace(/\n/g, " ")}\n${plainText(text).replace(/^/gm, "  ")}`;
}

type OutboxCall = Call<Flags>;

const USUAL_LINES = 30;
const LONGEST_LINE = 80;

export function outboxVerb(call: OutboxCall) {
  const team = call.flags.team ?? call.identity.team;
  if (!team) throw badCall(`whose outbox? ${teamFirst(call.session)}--team TEAM [--agent NAME]`);
  const roster = requireTeamName(call.paths, team);
  if (call.flags.agent !== undefined) requireMailbox(call.paths, team, call.flags.agent, roster);
  const from = call.flags.agent ?? shownAs(call.identity, call.session, team);
  const rows = listMailboxes(call.paths, team)
    .flatMap((to) => sentTo(call, team, from, to, hasReader(roster, to)))
    .sort((a, b) => a.timestamp.localeCompare(b.timestamp));
  const shown = call.flags.all ? rows : rows.slice(-USUAL_LINES);
  const lines = shown.map(
    ({ id, timestamp, to, state, reason, text }) =>
      `${id}  ${timestamp}  to ${to}  ${state}${reason ? ` (${toText(reason)})` : ""}  ${text}`,
  );
  if (rows.length > shown.length) lines.unshift(`(${rows.length - shown.length} older; --all shows them)`);
  return { text: plainLines(lines) || "nothing sent yet", data: shown };
}

/** Mail that waits for a removed member is dead. */
const sentTo = (call: OutboxCall, team: string, from: string, to: string, isAwaited: boolean) =>
  readAllMail(call.paths, team, to)
    .filter((message) => message.from === from)
    .map((message) => {
      const { id, timestamp, reason } = message;
      const state = stateOf(message, call.now);
      const text = shortened(plainText(message.text).split("\n")[0] ?? "", LONGEST_LINE);
      return { id, timestamp, to, state: state === "queued" && !isAwaited ? "dead" : state, reason, text };
    });
