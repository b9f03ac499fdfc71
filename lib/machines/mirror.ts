// The team as the relay holds it, copied into the local files that everything else here reads: members of other machines and the
// lead into the config, tasks into the task list. Times are converted to our own clock.

import { ignoring } from "../core/files.ts";
import { isLocked } from "../core/lock.ts";
import { PERSON } from "../hook/context.ts";
import { appendMessage } from "../mail/store/inbox.ts";
import { ensureInbox } from "../mail/store/mailbox-files.ts";
import { newMessage } from "../mail/store/message.ts";
import { readSession, updateMembership } from "../sessions/store/sessions.ts";
import { mirrorLastId, mirrorTask, type Task } from "../tasks/store.ts";
import {
  isLead,
  isRemote,
  LEAD,
  type Member,
  type RemoteMember,
  readTeam,
  type Team,
  updateTeam,
} from "../teams/store/config.ts";
import { displayName, localMembers } from "./addresses.ts";
import { ageOf, type Change, type Clock } from "./clock.ts";
import type { Here } from "./here.ts";
import { type Address, readKey } from "./names.ts";
import * as wire from "./wire.ts";

export type Local = Pick<Here, "paths" | "team" | "machine">;

interface SeenMember {
  address: Address;
  news: wire.MemberNews;
  /** By the server's clock, in ms. */
  at: number;
}

export interface Seen {
  members: Map<string, SeenMember>;
  machines: Map<string, number>;
  /** The revision is the fencing token: the holder of an older one no longer leads. */
  lead?: wire.Lead & { token: number };
  config?: wire.TeamConfig;
  /** Not copied yet. */
  tasks: Map<string, Task | null>;
  /** The last task number that was given out; not copied yet. */
  lastTask?: number;
  refused: number;
}

export const nothingSeen = (): Seen => ({
  members: new Map(),
  machines: new Map(),
  tasks: new Map(),
  refused: 0,
});

/** What is known after these changes. */
export function seenIn(changes: readonly Change[]): Seen {
  const seen = nothingSeen();
  for (const change of changes) take(seen, change);
  return seen;
}

export function take(seen: Seen, change: Change): void {
  const key = readKey(change.key);
  try {
    if (!key) throw new Error("no such key");
    if (key.kind === "task") seen.tasks.set(key.id, wire.parseTask(change.text, key.id));
    else if (key.kind === "machine") {
      if (wire.parseAs(wire.machine, change.text).left) seen.machines.delete(key.machine);
      else seen.machines.set(key.machine, change.at);
    } else if (key.kind === "lead")
      seen.lead = { ...wire.parseAs(wire.lead, change.text), token: change.revision };
    else if (key.kind === "config") seen.config = wire.parseAs(wire.config, change.text);
    else if (key.kind === "last-task") seen.lastTask = wire.parseAs(wire.counter, change.text).last;
    else if (key.kind === "roster") takeMember(seen, change, key);
  } catch {
    seen.refused++;
  }
}

/** How mail shows members of other machines, and senders outside the team: no member may be called like one of these. */
const isReserved = (agent: string): boolean =>
  agent.includes("@") || agent.toLowerCase() === PERSON || /^solo(-|$)/i.test(agent);

/** Of one machine: every hook reads the config in which they are listed. */
const MOST_MEMBERS = 500;

function takeMember(seen: Seen, { key, text, at }: Change, { machine, agent }: Address): void {
  const news = wire.parseAs(wire.member, text);
  if (!wire.isName(agent)) throw new Error("no name");
  if (news.left) {
    seen.members.delete(key);
    return;
  }
  if (isReserved(agent)) throw new Error("no name of a member");
  if (!seen.members.has(key) && ownOn(seen, machine).length >= MOST_MEMBERS)
    throw new Error("too many members");
  seen.members.set(key, { address: { machine, agent }, news, at });
  seen.machines.set(machine, Math.max(at, seen.machines.get(machine) ?? 0));
}

/** Our own members as the relay lists them. */
export const ownOn = (seen: Seen, machine: string): string[] =>
  [...seen.members.values()].flatMap(({ address }) => (address.machine === machine ? address.agent : []));

/** Short: a courier that waits does not renew its own lock. */
const TASK_WAIT_MS = 100;

export function applyTasks({ paths, team }: Pick<Here, "paths" | "team">, seen: Seen): void {
  for (const [id, task] of [...seen.tasks])
    ignoring(isLocked, () => {
      mirrorTask(paths, team, id, task, TASK_WAIT_MS);
      seen.tasks.delete(id);
    });
  const { lastTask } = seen;
  if (lastTask !== undefined)
    ignoring(isLocked, () => {
      mirrorLastId(paths, team, lastTask, TASK_WAIT_MS);
      seen.lastTask = undefined;
    });
}

/** A sign of life alone rewrites the config no more often. */
const SIGN_EVERY_MS = 20_000;

/** Returns whether the config was written. */
export function applyTeam(here: Local, engine: Clock, seen: Seen): boolean {
  const { paths, team, machine } = here;
  const before = readTeam(paths, team);
  if (!before) return false;
  if (whoIsDeposed(before, machine, seen)) depose(here, before, seen);
  const now = Date.now();
  const wanted = (config: Team) =>
    withOthers(config, machine, seen, engine, (at) => now - ageOf(engine, at, now));
  const current = readTeam(paths, team) ?? before;
  if (isSame(current, wanted(current))) return false;
  const written = updateTeam(paths, team, wanted);
  for (const member of written?.members ?? []) if (isRemote(member)) ensureInbox(paths, team, member.name);
  return true;
}

function withOthers(
  config: Team,
  machine: string,
  seen: Seen,
  { clockMs }: Clock,
  toLocal: (at: number) => number,
): Team {
  const others = [...seen.members.values()].filter(({ address }) => address.machine !== machine);
  const isElsewhere = seen.lead !== undefined && seen.lead.machine !== machine;
  const locals = localMembers(config).filter((member) => !(isElsewhere && isLead(config, member)));
  const names = new Set(locals.map(({ name }) => name));
  // Who leads keeps its name, whatever others call themselves, and also while it is not listed.
  const addresses = [...others.map(({ address }) => address), ...(seen.lead ? [seen.lead] : [])];
  const nameOf = (address: Address) => {
    if (isTheLead(address)) return displayName(address, names, [address]);
    return address.agent === LEAD ? `${LEAD}@${address.machine}` : displayName(address, names, addresses);
  };
  const isTheLead = ({ machine: on, agent }: Address) =>
    seen.lead?.machine === on && seen.lead.agent === agent;
  const remotes = others
    .filter(({ address }) => wire.isName(nameOf(address))) // with its machine a name may be too long
    .map(({ address, news, at }) =>
      mirrored(address, isTheLead(address) ? news : withoutLead(config, news), nameOf(address), {
        lastSeen: news.ageMs === undefined ? undefined : toLocal(at) - news.ageMs,
        machineSeen: toLocal(seen.machines.get(address.machine) ?? at),
        clockAheadMs: Math.round((clockMs - (news.clockMs ?? clockMs)) / 1_000) * 1_000 || undefined,
      }),
    )
    .sort((a, b) => a.name.localeCompare(b.name));
  return {
    ...config,
    ...(isElsewhere ? { leadSessionId: undefined } : {}),
    members: [...locals, ...remotes],
  };
}

/** The key on the relay says who leads, not a member of itself. */
const withoutLead = ({ leadAgentId }: Team, news: wire.MemberNews): wire.MemberNews => ({
  ...news,
  agentId: news.agentId === leadAgentId ? undefined : news.agentId,
  agentType: news.agentType === LEAD ? undefined : news.agentType,
});

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

function mirrored(
  { machine, agent }: Address,
  { v: _, ageMs: __, left: ___, clockMs: ____, ...news }: wire.MemberNews,
  name: string,
  times: { lastSeen: number | undefined; machineSeen: number; clockAheadMs: number | undefined },
): RemoteMember {
  return {
    ...news,
    name,
    machine,
    agent,
    lastSeen: iso(times.lastSeen),
    machineSeen: iso(times.machineSeen),
    clockAheadMs: times.clockAheadMs,
  };
}

const TIMES = ["lastSeen", "machineSeen"] as const;

/** Times that moved by less than a sign's interval are no change. */
function isSame(a: Team, b: Team): boolean {
  if (wire.canonical(a, TIMES) !== wire.canonical(b, TIMES)) return false;
  return b.members.every((member) => {
    const before = a.members.find(({ name }) => name === member.name);
    return TIMES.every((key) => {
      const [was, is] = [before?.[key], member[key]].map((at) => Date.parse(String(at ?? "")));
      return Number.isNaN(is) || Math.abs((is as number) - (was as number)) < SIGN_EVERY_MS;
    });
  });
}

/** A lead here that the relay does not know as such any more. */
function whoIsDeposed(config: Team, machine: string, { lead }: Seen): Member | undefined {
  if (!lead || lead.machine === machine) return undefined;
  return localMembers(config).find((member) => isLead(config, member));
}

/** Whether `applyTeam` is going to take the lead from a session here. */
export function isDeposing({ paths, team, machine }: Local, seen: Seen): boolean {
  const config = readTeam(paths, team);
  return config !== undefined && whoIsDeposed(config, machine, seen) !== undefined;
}

function freeName({ members }: Team, wanted: string, n = 1): string {
  const name = n > 1 ? `${wanted}-${n}` : wanted;
  return members.some((one) => one.name === name) ? freeName({ members }, wanted, n + 1) : name;
}

/** The session stays in the team under a name of its own and learns it by mail; mail to the lead follows the lead. */
function depose({ paths, team, machine }: Local, config: Team, { lead, config: shared }: Seen): void {
  const old = localMembers(config).find((member) => isLead(config, member));
  if (!old || !lead) return;
  const session = config.leadSessionId ?? old.sessionId;
  const name = freeName(config, `${old.name}-${machine}`.slice(0, 90));
  updateTeam(paths, team, (stored) => {
    const kept = stored.members.filter((member) => member.name !== old.name || isRemote(member));
    const itself = { ...old, name, agentId: `${name}@${team}`, agentType: undefined };
    return {
      ...stored,
      leadSessionId: undefined,
      leadAgentId: shared?.leadAgentId ?? stored.leadAgentId,
      members: session ? [...kept, itself] : kept,
    };
  });
  if (!session) return;
  const renamed = { agent: name, isLead: false, kind: "named" };
  if (readSession(paths, { session }))
    updateMembership(paths, session, (stored) => stored && { ...stored, ...renamed });
  ensureInbox(paths, team, name);
  const text = `You no longer lead ${team}: ${lead.agent} on ${lead.machine} does (token ${lead.token}). You are ${name} now. Do not give out work in the lead's name; \`swarm lead show ${team}\` shows who leads.`;
  const note = { from: LEAD, text, at: new Date(), kind: "system", summary: "you no longer lead" } as const;
  appendMessage(paths, team, name, newMessage(note));
}
