// What members elsewhere wrote to members here: delivered by the function every local sender uses, removed from the relay only
// when it is on disk. A message that is known already is dropped.

import { hasCode, statIfThere } from "../core/files.ts";
import { addTo } from "../core/lists.ts";
import { appendMessage, inboxStamp, mailLimits, readAllMail, readOrigins } from "../mail/store/inbox.ts";
import { listMailboxes, mailboxFiles } from "../mail/store/mailbox-files.ts";
import { stateOf } from "../mail/store/message.ts";
import { isRemote, memberOf, readTeam } from "../teams/store/config.ts";
import { displayOf } from "./addresses.ts";
import { ageOf, hasPassed } from "./clock.ts";
import type { Engine } from "./engine.ts";
import type { Here } from "./here.ts";
import { applyLifecycle } from "./lifecycle.ts";
import { isTaken, type Letter } from "./mail-stream.ts";
import { type Address, isPlain, readSubject, receiptSubject } from "./names.ts";
import { applyReceipts } from "./outbound.ts";
import { noteSentReceipt, readSentReceipts } from "./store/relay.ts";
import { isName, lifecycle, type Mail, mail, parseAs, type Receipt, receipts } from "./wire.ts";

/** Short: a courier that waits for a lock does not renew its own. After that the message is spooled. */
const LOCK_WAIT_MS = 200;
const MOST_RECEIPTS = 200;
/** When the sender's machine takes none. */
const RECEIPTS_AGAIN_MS = 30_000;

export interface Counts {
  delivered: number;
  duplicates: number;
  refused: number;
  /** When something last came for each agent, on our clock. */
  lastPull: Record<string, string>;
  /** Why the relay takes no mail for a machine at present. */
  stuck: Record<string, string>;
}

export function inbound(here: Here, counts: Counts): (engine: Engine, letter: Letter) => Promise<void> {
  const known = new Map<string, Map<string, string>>();
  const idsOf = (agent: string) => {
    const ids = known.get(agent) ?? readOrigins(here.paths, here.team, agent);
    known.set(agent, ids);
    return ids;
  };
  return async (engine, letter) => {
    if (!(await take(engine, letter))) counts.refused++;
  };

  async function take(engine: Engine, message: Letter): Promise<boolean> {
    const delivery = readSubject(here.team, here.machine, message.subject);
    if (delivery?.kind === "receipts") {
      const said = checked(() => parseAs(receipts, message.text));
      if (said) applyReceipts(here, delivery.fromMachine, said.receipts);
      return said !== undefined;
    }
    if (delivery?.kind === "lifecycle") {
      const said = checked(() => parseAs(lifecycle, message.text));
      if (said) applyLifecycle(here, delivery.fromMachine, said.lines);
      return said !== undefined;
    }
    const sent = delivery && checked(() => parseAs(mail, message.text));
    if (delivery?.kind === "mail" && sent) await deliver(engine, delivery, sent, message);
    return sent !== undefined;
  }

  async function deliver(
    engine: Engine,
    { to, from }: { to: Address; from: Address },
    sent: Mail,
    message: Letter,
  ): Promise<unknown> {
    const refuse = (reason: string) =>
      sendReceipts(engine, here, from.machine, [{ id: sent.id, agent: to.agent, state: "refused", reason }]);
    const why = whyNoReader(here, to.agent, from.agent);
    if (why) return refuse(why);
    const ids = idsOf(to.agent);
    const key = idFor(ids, sent.id, from.machine);
    counts.lastPull[to.agent] = new Date().toISOString();
    if (ids.has(key)) {
      counts.duplicates++;
      return undefined;
    }
    const ageMs = ageOf(engine, message.at) + sent.ageMs;
    const { v: _, ageMs: __, ...rest } = sent;
    try {
      appendMessage(
        here.paths,
        here.team,
        to.agent,
        {
          ...rest,
          id: key,
          from: displayOf(here.paths, here.team, from),
          timestamp: new Date(Date.now() - ageMs).toISOString(),
          read: false,
          via: { ...from, id: sent.id, to: to.agent },
        },
        { waitMs: LOCK_WAIT_MS, limits: mailLimits(here.settings) },
      );
    } catch (error) {
      if (!hasCode(error, "EMAILBOXFULL")) throw error;
      return refuse((error as Error).message.slice(0, 500));
    }
    ids.set(key, from.machine);
    counts.delivered++;
    return undefined;
  }
}

/** `undefined` for what is not as it should be. */
function checked<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** An id that mail of another machine already has gets a suffix: no machine can make another's mail look like a duplicate. */
function idFor(ids: ReadonlyMap<string, string>, id: string, machine: string): string {
  const origin = ids.get(id);
  return origin === undefined || origin === machine ? id : idFor(ids, `${id}-${machine}`, machine);
}

function whyNoReader({ paths, team, machine }: Here, agent: string, from: string): string | undefined {
  if (!isName(agent) || !isName(from)) return "no such name";
  const config = readTeam(paths, team);
  const member = config && memberOf(config, agent);
  return member && !isRemote(member) ? undefined : `there is no ${agent} of team ${team} on ${machine}`;
}

const ENDS = new Set<string>(["shown", "answered", "dead"]);

/** Reports to senders elsewhere what became of their mail here, each state once. */
export function receiptsOut(here: Here): (engine: Engine) => Promise<void> {
  const sent = readSentReceipts(here.paths, here.team);
  const looked = new Map<string, { stamp: string; failedAt?: number }>();
  return async (engine) => {
    // Also of those who are no members any more: what they left unread is a dead letter.
    for (const name of listMailboxes(here.paths, here.team)) {
      const stamp = mailStamp(here, name);
      const before = looked.get(name);
      const isDue =
        before?.failedAt !== undefined && hasPassed(RECEIPTS_AGAIN_MS, before.failedAt, Date.now());
      if (before?.stamp === stamp && !isDue) continue;
      let failedAt: number | undefined;
      for (const [machine, due] of dueOf(here, name, sent))
        if (!(await isReported(engine, machine, due))) failedAt = Date.now();
      looked.set(name, { stamp, failedAt });
    }
  };

  async function isReported(engine: Engine, machine: string, due: Receipt[]): Promise<boolean> {
    for (let at = 0; at < due.length; at += MOST_RECEIPTS) {
      const batch = due.slice(at, at + MOST_RECEIPTS);
      if (!(await sendReceipts(engine, here, machine, batch))) return false;
      for (const one of batch) {
        sent.set(keyOf(machine, one), one.state);
        noteSentReceipt(here.paths, here.team, keyOf(machine, one), one.state);
      }
    }
    return true;
  }
}

/** An answer to archived mail changes the archive alone. */
const mailStamp = ({ paths, team }: Here, agent: string): string =>
  `${inboxStamp(paths, team, agent)} ${statIfThere(mailboxFiles(paths, team, agent).archive)?.size}`;

const keyOf = (machine: string, { id, agent }: Receipt) => `${machine} ${agent} ${id}`;

function dueOf(
  { paths, team }: Here,
  agent: string,
  sent: ReadonlyMap<string, string>,
): Map<string, Receipt[]> {
  const due = new Map<string, Receipt[]>();
  const now = new Date();
  for (const message of readAllMail(paths, team, agent)) {
    const { via } = message;
    const state = stateOf(message, now);
    if (!via?.machine || !via.id || !ENDS.has(state)) continue;
    // Its sender keeps it under the name it was sent to, which its reader may have changed since.
    const receipt = { id: via.id, agent: via.to ?? agent, state: state as Receipt["state"] };
    // An inbox is a file that others write too: what no courier wrote has no sender to hear of it.
    if (!isPlain(via.machine) || !receipts.safeParse({ v: 1, receipts: [receipt] }).success) continue;
    if (sent.get(keyOf(via.machine, receipt)) === state) continue;
    addTo(due, via.machine, receipt);
  }
  return due;
}

const sendReceipts = (
  engine: Engine,
  { team, machine }: Here,
  to: string,
  list: Receipt[],
): Promise<boolean> => isTaken(engine, receiptSubject(team, to, machine), { v: 1, receipts: list });
