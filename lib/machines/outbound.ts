// What members here wrote to members elsewhere: published in order, marked once the relay has it. Twice after a crash in between,
// which the relay and the receiver see by the message's id.
import { createHash } from "node:crypto";
import { type Message, stateOf } from "../parse/message.ts";
import { amendMessages } from "../store/amend-mail.ts";
import { appendArchive, readArchive } from "../store/archive.ts";
import { claimMail, inboxStamp, readInbox } from "../store/inbox.ts";
import { readTeam } from "../store/team.ts";
import { type RemoteMember, remoteMembers } from "./addresses.ts";
import type { Engine } from "./engine.ts";
import type { Here } from "./here.ts";
import { isRefusal } from "./mail-stream.ts";
import { mailSubject } from "./names.ts";
import { isName, type Mail, mail, type Receipt } from "./wire.ts";

const LONGEST_SENDER = 100;
/** So many are published before they are marked. */
const AT_ONCE = 100;

const waiting = (message: Message, now: Date) =>
  message.id !== "" && (stateOf(message, now) === "queued" || stateOf(message, now) === "claimed");

function queuedFor({ places, team }: Here, to: string, now = new Date()): Message[] {
  return readInbox(places, team, to).filter((message) => waiting(message, now));
}

export function outboxSize(here: Here): number {
  const config = readTeam(here.places, here.team);
  return config ? remoteMembers(config).reduce((sum, { name }) => sum + queuedFor(here, name).length, 0) : 0;
}

/** Looks again only where an inbox has changed since everything in it was sent. */
export function outbound(here: Here): (engine: Engine) => Promise<number> {
  const settled = new Map<string, string>();
  return async (engine) => {
    const config = readTeam(here.places, here.team);
    const changed = (config ? remoteMembers(config) : []).filter(
      ({ name }) => settled.get(name) !== inboxStamp(here.places, here.team, name),
    );
    const sent = await Promise.all(
      changed.map(async (member) => {
        const count = await sendTo(engine, here, member);
        const stamp = inboxStamp(here.places, here.team, member.name);
        if (queuedFor(here, member.name).length === 0) settled.set(member.name, stamp);
        return count;
      }),
    );
    return sent.reduce((sum, count) => sum + count, 0);
  };
}

/** One after the other: the relay stores them in the order in which they were written. */
async function sendTo(engine: Engine, here: Here, member: RemoteMember): Promise<number> {
  let sent = 0;
  nameTheNameless(here, member.name);
  for (;;) {
    const batch = queuedFor(here, member.name).slice(0, AT_ONCE);
    if (batch.length === 0) return sent;
    const fates = new Map<string, Partial<Message>>();
    try {
      for (const message of batch) fates.set(message.id, await publish(engine, here, member, message));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return sent + fates.size; // stays queued; others' mail goes on
    } finally {
      mark(here, member.name, fates);
    }
    sent += fates.size;
  }
}

/** An entry that a person or another program wrote may have no id; a claim gives it one. */
function nameTheNameless({ places, team }: Here, to: string): void {
  const isNameless = ({ id, read }: Message) => id === "" && !read;
  if (!readInbox(places, team, to).some(isNameless)) return;
  const now = new Date();
  const choose = (queued: Message[]) => queued.filter(isNameless);
  claimMail(places, team, to, { by: "courier", now, retentionDays: Number.POSITIVE_INFINITY, choose });
}

async function publish(
  { js }: Engine,
  { team, machine, secret }: Here,
  to: RemoteMember,
  message: Message,
): Promise<Partial<Message>> {
  const checked = mail.safeParse(onTheWire(message));
  if (!checked.success) return refusedAs(checked.error.issues[0]?.message ?? "cannot be sent");
  const from = { machine, agent: message.from.slice(0, LONGEST_SENDER) };
  await js.publish(mailSubject(team, to, from), JSON.stringify(checked.data), {
    msgID: publishId(secret, to, message.id),
  });
  return { read: true, state: "relayed", relayedTo: to.machine, relayedAt: new Date().toISOString() };
}

/** The same at every try. */
const publishId = (secret: string, { machine, agent }: RemoteMember, id: string): string =>
  createHash("sha256").update(`${secret} ${machine} ${agent} ${id}`).digest("base64url");

const refusedAs = (why: string) => ({
  read: true,
  state: "refused",
  reason: `the relay does not take it: ${why}`,
});

function onTheWire({ id, text, summary, color, kind, replyTo, timestamp }: Message): Mail {
  const ageMs = Math.max(0, Date.now() - Date.parse(timestamp)) || 0;
  const known = kind === "report" || kind === "system" ? kind : undefined;
  return { v: 1, id, text, summary, color, kind: known, replyTo, ageMs };
}

const mark = (here: Here, to: string, fates: ReadonlyMap<string, Partial<Message>>): void => {
  if (fates.size === 0) return;
  amendMessages(
    here.places,
    here.team,
    to,
    ({ id, state }) => (state === "relayed" ? undefined : fates.get(id)),
    here.keepRead,
  );
};

const RANK: Record<string, number> = { relayed: 1, shown: 2, answered: 3, refused: 3, dead: 3 };

/** What a receiver says of messages. Only of what went to its machine, and never backwards. */
export function applyReceipts(here: Here, fromMachine: string, receipts: readonly Receipt[]): void {
  for (const agent of new Set(receipts.map((one) => one.agent).filter(isName))) {
    const fates = new Map(
      receipts
        .filter((one) => one.agent === agent)
        .map(({ id, state, reason }) => [id, { read: true, state, ...(reason ? { reason } : {}) }]),
    );
    for (const inbox of [agent, `${agent}@${fromMachine}`]) settle(here, inbox, fromMachine, fates);
  }
}

type Fates = ReadonlyMap<string, Partial<Message> & { state: string }>;

/** The member may have left, or be called otherwise since: what counts is where the message went. */
function settle({ places, team, keepRead }: Here, inbox: string, fromMachine: string, fates: Fates): void {
  const fateOf = (message: Message) => {
    const fate = message["relayedTo"] === fromMachine ? fates.get(message.id) : undefined;
    return fate && (RANK[fate.state] ?? 0) > (RANK[message.state ?? ""] ?? 0) ? fate : undefined;
  };
  const isThere = readInbox(places, team, inbox).some(fateOf);
  const met = isThere ? amendMessages(places, team, inbox, fateOf, keepRead) : new Set<string>();
  if (met.size === fates.size) return;
  const archived = readArchive(places, team, inbox).filter(({ id }) => !met.has(id));
  const lines = archived.flatMap((message) => ({ fate: fateOf(message), id: message.id }));
  appendArchive(
    places,
    team,
    inbox,
    lines.flatMap(({ id, fate }) => (fate ? { id, ...fate } : [])),
  );
}
