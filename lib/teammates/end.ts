// `swarm suspend` and `swarm kill`: end members and keep their entries, tasks, mail and conversations.

import { badCall, type Call } from "../cli/command.ts";
import { noMember } from "../cli/unknown-names.ts";
import { appendJournal } from "../core/journal.ts";
import { whyNotSegment } from "../core/paths.ts";
import { elapsedMs, sleepSync } from "../core/process.ts";
import { counted, plainLines } from "../core/text.ts";
import { shownAs } from "../hook/identity.ts";
import { buryInbox } from "../mail/store/inbox.ts";
import { lifeOfRecord, readSessions } from "../sessions/store/sessions.ts";
import { closeWindow, readWindows } from "../system/kitty.ts";
import { type Life, lifeOf, signal, startOf } from "../system/processes.ts";
import { closePane, readPanes } from "../system/tmux.ts";
import {
  isLead,
  isNative,
  isRemote,
  listTeams,
  type Member,
  memberOf,
  readTeam,
  type Team,
  updateTeam,
} from "../teams/store/config.ts";
import { windowMark } from "./backends.ts";
import { requireTeam, teamNameOf } from "./names.ts";
import { teamPolicy, whyMayNotManage } from "./policy.ts";
import { isSpawned, processLifeOf, suspended, withMember, withoutMember } from "./roster.ts";

export const SUSPEND_FLAGS = {
  team: "text",
  "session-id": "text",
  /** Set by the lead's SessionEnd: only if that session still leads. */
  ended: "text",
} as const;
type SuspendCall = Call<typeof SUSPEND_FLAGS>;

export function suspendVerb(call: SuspendCall) {
  const name = teamNameOf(call, call.words[0]);
  const team = requireTeam(call, name);
  if (call.flags.ended && team.leadSessionId !== call.flags.ended)
    return { text: `Nothing done: ${name} has another lead by now.`, data: { team: name, done: false } };
  requireManager(call, name);
  const already = team.status === "suspended";
  if (!already) markSuspended(call, name); // first, so that no member is started while others are ended
  const ended = endMembers(name, teammatesOf(team));
  const what = already ? "was already suspended" : `is suspended; \`swarm resume ${name}\` brings it back`;
  const text = [`team ${name} ${what}`, endedText(ended)].filter(Boolean).join("\n");
  return { text, data: { team: name, ended } };
}

/** Longer than a stale lock lasts: nobody waits for the background process that the lead's SessionEnd started. */
const MARK_WAIT_MS = 15_000;

function markSuspended(call: SuspendCall, name: string): void {
  const leadGoesOn = call.identity.isLead && call.identity.team === name && !call.flags.ended;
  updateTeam(
    call.paths,
    name,
    (stored) =>
      stored && suspended(stored, call.now.toISOString(), leadGoesOn ? call.identity.agent : undefined),
    { waitMs: MARK_WAIT_MS },
  );
}

export function requireManager(call: Pick<SuspendCall, "identity" | "loaded">, team: string): void {
  const refusal = whyMayNotManage(call.identity, team, teamPolicy(call.loaded.values.team, team));
  if (refusal) throw new Error(refusal);
}

export const teammatesOf = (team: Team): Member[] => team.members.filter((member) => !isLead(team, member));

export const KILL_FLAGS = { team: "text", all: "switch", "session-id": "text" } as const;

export const KILL_GRACE_MS = 2_000;

type KillCall = Call<typeof KILL_FLAGS>;

export function killVerb(call: KillCall) {
  const name = teamNameOf(call);
  const team = requireTeam(call, name);
  requireManager(call, name);
  const members = call.flags.all
    ? teammatesOf(team)
    : call.words.map((word) => findTeammate(team, name, word));
  if (members.length === 0)
    throw badCall(call.flags.all ? `${name} has no teammates` : "which teammate? name one, or use --all");
  // A lead that ends a teammate need not be notified of it.
  if (call.identity.isLead && call.identity.team === name)
    for (const member of members)
      if (isSpawned(member) && isMemberRunning(name, member)) markOffline(call, name, member.name);
  const ended = endMembers(name, members, KILL_GRACE_MS);
  const done = ended.map((one) => removeIfJoined(call, name, one, members) ?? one);
  for (const { name: agent, how } of ended) if (how === "ended") markOffline(call, name, agent);
  return { text: endedText(done), data: { team: name, ended: done } };
}

/** A member that joined by itself cannot be started again: a dead one is removed, and its unread mail becomes dead letters. */
function removeIfJoined(
  call: KillCall,
  team: string,
  ended: EndedMember,
  members: Member[],
): EndedMember | undefined {
  const member = members.find((one) => one.name === ended.name);
  if (ended.how !== "was not running") return undefined;
  if (!member || isSpawned(member)) {
    markOffline(call, team, ended.name);
    return undefined;
  }
  updateTeam(call.paths, team, (stored) => stored && withoutMember(stored, ended.name));
  const dead = whyNotSegment(ended.name) ? 0 : buryInbox(call.paths, team, ended.name);
  const letters = counted(
    dead,
    "unread message is now a dead letter",
    "unread messages are now dead letters",
  );
  return { ...ended, why: dead > 0 ? `removed from the team; ${letters}` : "removed from the team" };
}

function findTeammate(team: Team, name: string, word: string): Member {
  const member = memberOf(team, word);
  if (!member)
    throw noMember(
      word,
      name,
      teammatesOf(team).map((one) => one.name),
    );
  if (isLead(team, member)) throw new Error("the lead cannot be killed; `swarm suspend` ends all teammates");
  return member;
}

export const markOffline = (call: Pick<KillCall, "paths">, team: string, agent: string) =>
  updateTeam(call.paths, team, (stored) => stored && withMember(stored, { name: agent, status: "offline" }));

export interface EndedMember {
  name: string;
  how: "ended" | "was not running" | "left alone";
  why?: string;
}

const GRACE_MS = 5_000;
const KILLED_WITHIN_MS = 1_000;
const POLL_MS = 50;

interface Target {
  name: string;
  process: { pid?: number; startedAt?: string };
  window?: { id: string; close: () => void };
  leftAlone?: string;
}

/** SIGTERM, then SIGKILL; only processes and windows that are proven to be the ones we started. */
export function endMembers(team: string, members: Member[], graceMs = GRACE_MS): EndedMember[] {
  const targets = members.map((member) => targetOf(team, member));
  const ours = targets.filter((target) => !target.leftAlone);
  const asked = ours.filter(({ process }) => signal(process, "SIGTERM"));
  waitFor(asked, graceMs);
  for (const { process, window } of ours) {
    signal(process, "SIGKILL");
    window?.close();
  }
  waitFor(asked, KILLED_WITHIN_MS);
  return targets.map((target) => resultOf(target, asked.includes(target)));
}

function waitFor(targets: Target[], ms: number): void {
  const deadline = elapsedMs() + ms;
  while (targets.some(isAlive) && elapsedMs() < deadline) sleepSync(POLL_MS);
}

const isAlive = ({ process }: Target) => lifeOf(process) === "alive";

function resultOf({ name, leftAlone, window }: Target, asked: boolean): EndedMember {
  if (leftAlone) return { name, how: "left alone", why: leftAlone };
  return { name, how: asked || window ? "ended" : "was not running" };
}

function targetOf(team: string, member: Member): Target {
  const { name, pid, pidStartedAt } = member;
  if (isRemote(member)) return { name, process: {}, leftAlone: `it runs on ${member.machine}` };
  const life = processLifeOf(member);
  if (!isSpawned(member))
    return hasEnded(member, life)
      ? { name, process: {} }
      : { name, process: {}, leftAlone: "it joined by itself" };
  const window = windowOf(team, member);
  if (life === "alive") return { name, process: { pid, startedAt: pidStartedAt }, window };
  // Where start times are unknown, our mark on the window identifies the process in it.
  if (window?.pid) return { name, process: { pid: window.pid, startedAt: startOf(window.pid) }, window };
  if (window || life === "gone" || !pid) return { name, process: {}, window };
  return { name, process: {}, leftAlone: `process ${pid} is not proven to be its client` };
}

/** Its process is gone, or its own end was seen. */
const hasEnded = ({ status }: Member, life: Life) =>
  life === "gone" || (status === "offline" && life !== "alive");

function windowOf(team: string, member: Member) {
  const { name, backend, socket, paneId, agentId = "" } = member;
  const mark = windowMark({ team, agent: name, agentId });
  if (backend === "tmux") {
    const pane = readPanes({ socket }).find((one) => one.mark === mark);
    const close = () => pane && closePane({ socket }, pane.id);
    return pane && { id: pane.id, pid: pane.dead ? undefined : pane.pid, close };
  }
  if (backend !== "kitty" || !socket) return undefined;
  // A window that a person opened with a copy of its environment has the mark too, and another number.
  const window = readWindows(socket).find((one) => one.mark === mark && one.id === paneId);
  return window && { id: window.id, pid: window.pid, close: () => closeWindow(socket, window.id) };
}

/** By its process or, where start times are unknown, by our mark on its window. */
export function isMemberRunning(team: string, member: Member): boolean {
  const life = processLifeOf(member);
  return life === "alive" || (life === "unknown" && windowOf(team, member)?.pid !== undefined);
}

export const endedText = (ended: EndedMember[]): string =>
  plainLines(ended.map(({ name, how, why }) => `  ${name}: ${how}${why ? ` (${why})` : ""}`));

// `swarm stop --all`: ends every client that swarm started, in all teams, and nothing else. Sessions that a person started or that
// joined by themselves are listed and left alone.

export const STOP_FLAGS = { all: "switch", "dry-run": "switch", "session-id": "text" } as const;
type StopCall = Call<typeof STOP_FLAGS>;

interface Ours {
  team: string;
  members: Member[];
}

interface LeftAlone {
  name: string;
  why: string;
}

export function stopVerb(call: StopCall) {
  if (!call.flags.all || call.words.length > 0)
    throw badCall("--all ends every client that swarm started; `swarm kill NAME` ends one");
  const { ours, leftAlone } = clientsOf(call);
  if (call.flags["dry-run"]) return dryRun(ours, leftAlone);
  const ended = ours.flatMap(({ team, members }) =>
    endMembers(team, members, KILL_GRACE_MS).map((one) => noted(call, team, one)),
  );
  const resume = ours.map(({ team }) => `\`swarm resume ${team}\``).join(", ");
  const lines = [
    ...(ended.length === 0 ? ["no client runs that swarm started"] : []),
    ...ended.map(({ name, how, why }) => `${name}: ${how}${why ? ` (${why})` : ""}`),
    ...leftAloneLines(leftAlone),
    ...(ended.length > 0 ? [`${resume} brings them back`] : []),
  ];
  return { text: plainLines(lines), data: { ended, leftAlone } };
}

function dryRun(ours: readonly Ours[], leftAlone: readonly LeftAlone[]) {
  const wouldEnd = ours.flatMap(({ team, members }) =>
    members.map(({ name, pid }) => ({ name: `${name}@${team}`, pid: pid ?? null })),
  );
  const lines = [
    ...(wouldEnd.length === 0 ? ["no client runs that swarm started"] : ["would end"]),
    ...wouldEnd.map(({ name, pid }) => `  ${name}${pid ? ` (process ${pid})` : ""}`),
    ...leftAloneLines(leftAlone),
  ];
  return { text: plainLines(lines), data: { wouldEnd, leftAlone } };
}

const leftAloneLines = (leftAlone: readonly LeftAlone[]): string[] =>
  leftAlone.map(({ name, why }) => `left alone: ${name} (${why})`);

function noted(call: StopCall, team: string, one: EndedMember): EndedMember {
  const { paths, now, session, identity } = call;
  const name = `${one.name}@${team}`;
  if (one.how !== "left alone") markOffline(call, team, one.name);
  if (one.how === "ended")
    appendJournal(paths, now, {
      event: "command",
      session: session ?? "",
      agent: shownAs(identity, session, identity.team),
      feature: "teammates",
      what: "stopped",
      team,
      name: one.name,
    });
  return { ...one, name };
}

/** Whom swarm started and may end for this caller, and who else runs here. */
function clientsOf(call: StopCall): { ours: Ours[]; leftAlone: LeftAlone[] } {
  const ours: Ours[] = [];
  const leftAlone: LeftAlone[] = [];
  const known = new Set<string>();
  for (const team of listTeams(call.paths)) {
    const members = isNative(team) ? [] : (readTeam(call.paths, team)?.members ?? []);
    const spawned = members.filter((one) => isSpawned(one) && isMemberRunning(team, one));
    for (const { sessionId } of spawned) if (sessionId) known.add(sessionId);
    const refusal = whyMayNotManage(call.identity, team, teamPolicy(call.loaded.values.team, team));
    const own = spawned.filter(({ sessionId }) => sessionId !== undefined && sessionId === call.session);
    const others = spawned.filter((one) => !own.includes(one));
    if (!refusal && others.length > 0) ours.push({ team, members: others });
    for (const { name } of refusal ? spawned : own)
      leftAlone.push({ name: `${name}@${team}`, why: refusal ?? "it called this" });
  }
  const running = readSessions(call.paths).filter(
    (record) => !record.next && !known.has(record.session) && lifeOfRecord(record) === "alive",
  );
  for (const { agent, team, session } of running)
    leftAlone.push({
      name: agent ? `${agent}@${team ?? "-"}` : `session ${session.slice(0, 8)}`,
      why: "swarm did not start it",
    });
  return { ours, leftAlone };
}
