// What members here wrote to members elsewhere: published in order, marked once the relay has it. Published again after a crash in
// between, which the relay and the receiver recognise by the message's id.
import { createHash } from "node:crypto";
import { isLocked } from "../core/lock.ts";
import { claimMail, inboxStamp, markFates, readInbox } from "../mail/store/inbox.ts";
import { type Fate, type Message, stateOf } from "../mail/store/message.ts";
import { type RemoteMember, readTeam } from "../teams/store/config.ts";
import { remoteMembers } from "./addresses.ts";
import type { Engine } from "./engine.ts";
import type { Here } from "./here.ts";
import { isRefusal } from "./mail-stream.ts";
import { isPlain, mailSubject } from "./names.ts";
import { isName, LONGEST_MS, type Mail, mail, type Receipt, withoutUnfit } from "./wire.ts";

const LONGEST_SENDER = 100;
/** Then marks are spooled: a courier that waits does not renew its own lock. */
const LOCK_WAIT_MS = 200;
/** So many are published before they are marked. */
const AT_ONCE = 100;

function queuedFor({ paths, team }: Pick<Here, "paths" | "team">, to: string, now = new Date()): Message[] {
  return readInbox(paths, team, to).filter((message) =>
    ["queued", "claimed"].includes(stateOf(message, now)),
  );
}

export function outboxSize(here: Pick<Here, "paths" | "team">): number {
  const config = readTeam(here.paths, here.team);
  return config ? remoteMembers(config).reduce((sum, { name }) => sum + queuedFor(here, name).length, 0) : 0;
}

/** Looks again only where a mailbox has changed since everything in it was sent. `stuck` is the reason by machine while the relay takes none. */
export function outbound(here: Here, stuck: Record<string, string>): (engine: Engine) => Promise<number> {
  const settled = new Map<string, string>();
  return async (engine) => {
    const config = readTeam(here.paths, here.team);
    const remotes = remoteMembers(config);
    for (const machine of Object.keys(stuck))
      if (!remotes.some((one) => one.machine === machine)) delete stuck[machine]; // it has left
    const changed = remotes.filter(
      ({ name }) => settled.get(name) !== inboxStamp(here.paths, here.team, name),
    );
    const sent = await Promise.all(
      changed.map(async (member) => {
        const count = await sendTo(engine, here, member, stuck);
        const stamp = inboxStamp(here.paths, here.team, member.name);
        if (queuedFor(here, member.name).length === 0) settled.set(member.name, stamp);
        return count;
      }),
    );
    return sent.reduce((sum, count) => sum + count, 0);
  };
}

/** One after the other: the relay stores them in the order in which they were written. */
async function sendTo(
  engine: Engine,
  here: Here,
  member: RemoteMember,
  stuck: Record<string, string>,
): Promise<number> {
  let sent = 0;
  giveIds(here, member.name);
  for (;;) {
    const batch = queuedFor(here, member.name)
      .filter(({ id }) => id !== "")
      .slice(0, AT_ONCE);
    if (batch.length === 0) return sent;
    const fates: Fate[] = [];
    try {
      for (const message of batch) fates.push(await publish(engine, here, member, message));
      delete stuck[member.machine];
    } catch (error) {
      if (!isRefusal(error)) throw error;
      stuck[member.machine] = (error as Error).message.slice(0, 200);
      return sent + fates.length; // stays queued; mail to other members goes on
    } finally {
      markFates(here.paths, here.team, member.name, fates, here.settings["mail.keep_read"], LOCK_WAIT_MS);
    }
    sent += fates.length;
  }
}

/** An entry that a person or another program wrote may have no id. A claim gives it one, with a later look where that is not possible now. */
function giveIds({ paths, team }: Here, to: string): void {
  const hasNoId = ({ id, read }: Message) => id === "" && !read;
  if (!readInbox(paths, team, to).some(hasNoId)) return;
  try {
    claimMail(paths, team, to, {
      by: "courier",
      now: new Date(),
      choose: (queued) => queued.filter(hasNoId),
      waitMs: LOCK_WAIT_MS,
    });
  } catch (error) {
    if (!isLocked(error)) throw error;
  }
}

async function publish(
  { js }: Engine,
  { team, machine, secret }: Here,
  to: RemoteMember,
  message: Message,
): Promise<Fate> {
  const { id, text } = message;
  const checked = mail.safeParse({ ...withoutUnfit(mail, onTheWire(message)), id, text });
  if (!checked.success) {
    const reason = `the relay does not take it: ${checked.error.issues[0]?.message ?? "cannot be sent"}`;
    return { id, fields: { state: "refused", reason } };
  }
  const from = { machine, agent: senderOf(message).slice(0, LONGEST_SENDER) };
  await js.publish(mailSubject(team, to, from), JSON.stringify(checked.data), {
    msgID: publishId(secret, to, id),
  });
  const relayedAt = new Date().toISOString();
  return { id, fields: { state: "relayed", relayedTo: to.machine, relayedAt } };
}

/** Mail from elsewhere goes on from here where its reader, the lead, is on another machine by now: perhaps not for the first time. */
function senderOf({ from, via }: Message): string {
  if (!via || !isName(via.agent) || !isPlain(via.machine)) return from;
  return via.agent.includes("@") ? via.agent : `${via.agent}@${via.machine}`;
}

/** The same at every try. */
const publishId = (secret: string, { machine, agent }: RemoteMember, id: string): string =>
  createHash("sha256").update(`${secret} ${machine} ${agent} ${id}`).digest("base64url");

function onTheWire({ id, text, summary, color, kind, replyTo, routine, timestamp }: Message): Mail {
  const ageMs = Math.min(LONGEST_MS, Math.max(0, Date.now() - Date.parse(timestamp))) || 0;
  const known = kind === "report" || kind === "system" ? kind : undefined;
  return { v: 1, id, text, summary, color, kind: known, replyTo, routine, ageMs };
}

/** What a receiver says of messages; it counts only for what went to its machine. */
export function applyReceipts(here: Here, machine: string, receipts: readonly Receipt[]): void {
  for (const agent of new Set(receipts.map((one) => one.agent).filter(isName))) {
    const fates = receipts
      .filter((one) => one.agent === agent)
      .map(({ id, state, reason }): Fate => ({ id, machine, fields: { state, ...(reason && { reason }) } }));
    // The member may have left since, or have another name here by now.
    for (const mailbox of [agent, `${agent}@${machine}`].filter(isName))
      markFates(here.paths, here.team, mailbox, fates, here.settings["mail.keep_read"], LOCK_WAIT_MS);
  }
}
