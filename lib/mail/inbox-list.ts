// `swarm inbox`: a member's mail as a person or an agent reads it. What is shown to its owner counts as shown.

import { badCall, type Call } from "../cli/command.ts";
import { plainText } from "../core/text.ts";
import { isNative } from "../teams/store/config.ts";
import { readArchive } from "./store/archive.ts";
import { claimMail, markShown, readInbox } from "./store/inbox.ts";
import { isUnread, type Message, stateOf } from "./store/message.ts";
import { isLocked } from "./store/slots.ts";

type Flags = { all: { type: "boolean" }; peek: { type: "boolean" } } & Record<
  "team" | "agent" | "session-id",
  { type: "string" }
>;

export function inboxVerb(call: Call<Flags>) {
  const { team, agent, isOwn } = whose(call);
  const mail = readInbox(call.paths, team, agent);
  const archived = call.flags.all || call.words.length > 0 ? readArchive(call.paths, team, agent) : [];
  const shown = chosen(call, [...archived, ...mail]);
  if (isOwn && !call.flags.peek) take(call, team, agent, shown);
  return {
    text: shown.map((message) => asText(message, call.now)).join("\n\n") || nothing(call, mail),
    data: shown.map((message) => ({ ...message, state: stateOf(message, call.now) })),
  };
}

function take(call: Call<Flags>, team: string, agent: string, shown: Message[]): void {
  const { paths, now, loaded } = call;
  const ids = new Set(claimed(call, team, agent, shown).map((message) => message.id));
  const keepRead = loaded.values["mail.keep_read"];
  const retentionDays = loaded.values["mail.retention_days"];
  if (ids.size > 0) markShown(paths, team, agent, { ids, now, keepRead, retentionDays });
}

/** An inbox that another process holds can be read all the same; its marks are spooled. */
function claimed(call: Call<Flags>, team: string, agent: string, shown: Message[]): Message[] {
  const isShown = (message: Message) =>
    shown.some((one) => one.id === message.id && one.text === message.text);
  const by = call.session ?? "swarm inbox";
  const choose = (queued: Message[]) => queued.filter(isShown);
  try {
    return claimMail(call.paths, team, agent, { by, now: call.now, choose }).messages;
  } catch (error) {
    if (!isLocked(error)) throw error;
    return shown.filter((message) => isUnread(message) && message.id !== "");
  }
}

function whose(call: Call<Flags>): { team: string; agent: string; isOwn: boolean } {
  const { identity, flags } = call;
  const team = flags.team ?? identity.team;
  const agent = flags.agent ?? identity.agent;
  if (!team || !agent) throw badCall("whose inbox? --team TEAM --agent NAME --peek");
  const isOwn = team === identity.team && agent === identity.agent;
  if (!isOwn && !flags.peek)
    throw badCall(`the inbox of ${agent} in team ${team} is not yours to mark as read; --peek looks at it`);
  return { team, agent, isOwn: isOwn && !isNative(team) };
}

function chosen({ words, flags }: Call<Flags>, mail: Message[]): Message[] {
  const [id] = words;
  if (id === undefined) return flags.all ? mail : mail.filter(isUnread);
  const found = mail.filter((message) => message.id === id);
  if (found.length === 0) throw new Error(`there is no message ${id}`);
  return found;
}

function nothing({ flags }: Call<Flags>, mail: Message[]): string {
  return flags.all || mail.length === 0
    ? "no mail"
    : `no unread mail (${mail.length} read; --all shows them)`;
}

/** The text is indented: no line of it can pass as the head of another message. */
function asText(message: Message, now: Date): string {
  const { id, from, timestamp, kind, text } = message;
  const head = [id || "-", `from ${from}`, timestamp, stateOf(message, now), ...(kind ? [kind] : [])];
  return [
    plainText(head.join("  ")).replace(/\n/g, " "),
    ...plainText(text)
      .split("\n")
      .map((line) => `  ${line}`),
  ].join("\n");
}
