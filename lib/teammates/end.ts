// `swarm suspend`, `swarm kill` and `swarm stop`: end teammates and keep their entries, tasks, mail and conversations.

import { badCall } from "../cli/command.ts";
import { noMember } from "../cli/unknown-names.ts";
import { appendCommand } from "../core/journal.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import { elapsedMs, sleepSync } from "../core/process.ts";
import { counted, plainLine, plainLines } from "../core/text.ts";
import { shownAs } from "../hook/context.ts";
import { buryInbox } from "../mail/store/removed-members.ts";
import { lifeOfRecord, readSessions } from "../sessions/store/sessions.ts";
import { closeWindow, readWindows } from "../system/kitty.ts";
import { lifeOf, signal, startOf } from "../system/processes.ts";
import { closePane, readPanes } from "../system/tmux.ts";
import {
  isLead,
  isNative,
  isRemote,
  listTeams,
  type Member,
  memberOf,
  processLifeOf,
  readTeam,
  type Team,
  teammatesOf,
  updateTeam,
} from "../teams/store/config.ts";
import { windowMark } from "./backends.ts";
import type { CallOf } from "./commands.ts";
import { requireTeam, teamNameOf } from "./names.ts";
import { requireManager, whyMayNotManage } from "./policy.ts";
import { isSpawned, suspended, updateMember, withoutMember } from "./roster.ts";

export function suspendVerb(call: CallOf<"suspend">) {
  const name = teamNameOf(call, call.words[0]);
  const team = requireTeam(call, name);
  const { ended: endedLead } = call.flags;
  if (endedLead && (team.leadSessionId ?? endedLead) !== endedLead)
    return { text: `Nothing done: ${name} has another lead by now.`, data: { team: name, done: false } };
  requireManager(call, name);
  const already = team.status === "suspended";
  if (!already) markSuspended(call, name); // first, so that no member is started while others are ended
  const ended = endMembers(name, teammatesOf(team));
  const exitCode = ended.some(isStillRunning) ? 1 : 0;
  const what = already ? "was already suspended" : `is suspended; \`swarm resume ${name}\` brings it back`;
  const text = [`team ${name} ${what}`, endedText(ended)].filter(Boolean).join("\n");
  return { text, data: { team: name, ended }, exitCode };
}

/** Longer than a stale lock lasts: nobody waits for the background process that the lead's SessionEnd started. */
const MARK_WAIT_MS = 15_000;

function markSuspended(call: CallOf<"suspend">, name: string): void {
  const leadGoesOn = call.identity.isLead && call.identity.team === name && !call.flags.ended;
  const stays = leadGoesOn ? call.identity.agent : undefined;
  const mark = (stored: Team) => suspended(stored, call.now.toISOString(), stays);
  updateTeam(call.paths, name, mark, { waitMs: MARK_WAIT_MS });
}

const KILL_GRACE_MS = 2_000;

export function killVerb(call: CallOf<"kill">) {
  if (call.flags.all && call.words.length > 0)
    throw badCall("--all ends all teammates: leave the names out, or --all");
  const name = teamNameOf(call);
  const team = requireTeam(call, name);
  requireManager(call, name);
  const members = call.flags.all
    ? teammatesOf(team)
    : call.words.map((word) => findTeammate(team, name, word));
  if (members.length === 0) {
    const names = teammatesOf(team).map((one) => plainLine(one.name));
    const which = `which teammate? name one of: ${names.join(", ")}; or --all`;
    throw badCall(names.length > 0 ? which : `${name} has no teammates`);
  }
  // A lead that ends a teammate need not be notified of it.
  if (call.identity.isLead && call.identity.team === name)
    for (const member of runningClients(name, members)) markOffline(call.paths, name, member.name);
  const spawned = new Set(members.filter(isSpawned).map((member) => member.name));
  const ended = endMembers(name, members, KILL_GRACE_MS).map((one) => {
    if (one.how === "left alone") return one;
    if (isStillRunning(one)) {
      updateMember(call.paths, name, one.name, { status: memberOf(team, one.name)?.status });
      return one;
    }
    if (!spawned.has(one.name)) return removeJoined(call, name, one);
    markOffline(call.paths, name, one.name);
    return one;
  });
  // --all does not mean members that joined by themselves or run elsewhere.
  const isMeant = (one: EndedMember) => !call.flags.all || spawned.has(one.name);
  const hasFailed = ended.some((one) => isStillRunning(one) || (one.how === "left alone" && isMeant(one)));
  return { text: endedText(ended), data: { team: name, ended }, exitCode: hasFailed ? 1 : 0 };
}

const isStillRunning = ({ how }: EndedMember) => how === "still running";

/** A member that joined by itself cannot be started again: it is removed, and its unread mail becomes dead letters. */
function removeJoined(call: CallOf<"kill">, team: string, ended: EndedMember): EndedMember {
  updateTeam(call.paths, team, (stored) => withoutMember(stored, ended.name));
  const dead = whyNotSegment(ended.name) ? 0 : buryInbox(call.paths, team, ended.name);
  const are = dead === 1 ? "is now a dead letter" : "are now dead letters";
  const letters = dead > 0 ? `; ${counted(dead, "unread message")} ${are}` : "";
  return { ...ended, why: `removed from the team${letters}` };
}

function findTeammate(team: Team, name: string, word: string): Member {
  const member = memberOf(team, word);
  const names = teammatesOf(team).map((one) => one.name);
  if (!member) throw noMember(word, name, names);
  if (isLead(team, member)) throw new Error("the lead cannot be killed; `swarm suspend` ends all teammates");
  return member;
}

const markOffline = (paths: Paths, team: string, name: string) =>
  updateMember(paths, team, name, { status: "offline" });

interface EndedMember {
  name: string;
  how: "ended" | "was not running" | "left alone" | "still running";
  why?: string;
}

const GRACE_MS = 5_000;
const KILLED_WITHIN_MS = 1_000;
const POLL_MS = 50;

interface Target {
  name: string;
  pid?: number;
  startedAt?: string;
  window?: { close: () => void };
  leftAlone?: string;
}

/** SIGTERM, then SIGKILL; only processes and windows that are proven to be the ones we started. */
export function endMembers(team: string, members: Member[], graceMs = GRACE_MS): EndedMember[] {
  const targets = members.map((member) => targetOf(team, member));
  const ours = targets.filter((target) => !target.leftAlone);
  const asked = ours.filter((target) => signal(target, "SIGTERM"));
  waitFor(asked, graceMs);
  for (const target of ours) {
    signal(target, "SIGKILL");
    target.window?.close();
  }
  waitFor(asked, KILLED_WITHIN_MS);
  return targets.map((target) => {
    const { name, leftAlone: why, window } = target;
    if (why) return { name, how: "left alone", why };
    if (lifeOf(target) === "alive")
      return { name, how: "still running", why: `process ${target.pid} could not be ended; end it by hand` };
    return { name, how: asked.includes(target) || window ? "ended" : "was not running" };
  });
}

function waitFor(targets: Target[], ms: number): void {
  const deadline = elapsedMs() + ms;
  const isAlive = (target: Target) => lifeOf(target) === "alive";
  while (targets.some(isAlive) && elapsedMs() < deadline) sleepSync(POLL_MS);
}

function targetOf(team: string, member: Member): Target {
  const { name, pid, pidStartedAt: startedAt, status } = member;
  if (isRemote(member)) return { name, leftAlone: `it runs on ${member.machine}` };
  const life = processLifeOf(member);
  if (!isSpawned(member)) {
    const hasEnded = life === "gone" || (status === "offline" && life !== "alive");
    return { name, leftAlone: hasEnded ? undefined : "it joined by itself" };
  }
  const window = windowOf(team, member);
  if (life === "alive") return { name, pid, startedAt, window };
  // Where start times are unknown, our mark on the window identifies the process in it.
  if (window?.pid) return { name, pid: window.pid, startedAt: startOf(window.pid), window };
  if (window || life === "gone" || !pid) return { name, window };
  return { name, leftAlone: `process ${pid} is not proven to be its client` };
}

function windowOf(team: string, member: Member) {
  const { backend, socket, paneId } = member;
  const mark = windowMark(team, member);
  if (backend === "tmux") {
    const pane = readPanes({ socket })?.find((one) => one.mark === mark);
    return pane && { pid: pane.dead ? undefined : pane.pid, close: () => closePane({ socket }, pane.id) };
  }
  if (backend !== "kitty" || !socket) return undefined;
  // A window that a person opened with a copy of its environment has the mark too, and another number.
  const window = readWindows(socket).find((one) => one.mark === mark && one.id === paneId);
  return window && { pid: window.pid, close: () => closeWindow(socket, window.id) };
}

/** By its process or, where start times are unknown, by our mark on its window. */
export function isMemberRunning(team: string, member: Member): boolean {
  const life = processLifeOf(member);
  return life === "alive" || (life === "unknown" && windowOf(team, member)?.pid !== undefined);
}

/** Of these members, whom swarm started and who still run. */
export const runningClients = (team: string, members: readonly Member[]): Member[] =>
  members.filter((member) => isSpawned(member) && isMemberRunning(team, member));

export const endedText = (ended: EndedMember[]): string =>
  plainLines(ended.map((one) => `  ${endedLine(one)}`));

const endedLine = ({ name, how, why }: EndedMember) => `${name}: ${how}${why ? ` (${why})` : ""}`;

export function stopVerb(call: CallOf<"stop">) {
  if (!call.flags.all)
    throw badCall("--all ends every client that swarm started; `swarm kill NAME` ends one");
  const { ours, leftAlone } = clientsOf(call);
  const others = leftAlone.map(({ name, why }) => `left alone: ${name} (${why})`);
  if (ours.length === 0) others.unshift("no client runs that swarm started");
  if (call.flags["dry-run"]) {
    const wouldEnd = ours.flatMap(({ team, members }) =>
      members.map(({ name, pid }) => ({ name: `${name}@${team}`, pid: pid ?? null })),
    );
    const lines = wouldEnd.map(({ name, pid }) => `  ${name}${pid ? ` (process ${pid})` : ""}`);
    if (lines.length > 0) lines.unshift("would end");
    return { text: plainLines([...lines, ...others]), data: { wouldEnd, leftAlone } };
  }
  const ended = ours.flatMap(({ team, members }) =>
    endMembers(team, members, KILL_GRACE_MS).map((one) => noted(call, team, one)),
  );
  const resume = ours.map(({ team }) => `\`swarm resume ${team}\``).join(", ");
  const lines = [...ended.map(endedLine), ...others, ...(resume ? [`${resume} brings them back`] : [])];
  return {
    text: plainLines(lines),
    data: { ended, leftAlone },
    exitCode: ended.some(isStillRunning) ? 1 : 0,
  };
}

function noted(call: CallOf<"stop">, team: string, one: EndedMember): EndedMember {
  const { paths, session, identity } = call;
  const name = `${one.name}@${team}`;
  if (one.how === "ended" || one.how === "was not running") markOffline(paths, team, one.name);
  if (one.how === "ended")
    appendCommand(call, {
      agent: shownAs(identity, session, identity.team),
      feature: "teammates",
      what: "stopped",
      team,
      name: one.name,
    });
  return { ...one, name };
}

/** Whom swarm started and may end for this caller, and who else runs here. */
function clientsOf(call: CallOf<"stop">) {
  const ours: { team: string; members: Member[] }[] = [];
  const leftAlone: { name: string; why: string }[] = [];
  const known = new Set<string>();
  for (const team of listTeams(call.paths).filter((name) => !isNative(name))) {
    const spawned = runningClients(team, readTeam(call.paths, team)?.members ?? []);
    for (const { sessionId } of spawned) if (sessionId) known.add(sessionId);
    const refusal = whyMayNotManage(call, team);
    const isCaller = ({ sessionId }: Member) => sessionId !== undefined && sessionId === call.session;
    const kept = spawned.filter((one) => refusal || isCaller(one));
    const members = spawned.filter((one) => !kept.includes(one));
    if (members.length > 0) ours.push({ team, members });
    for (const { name } of kept)
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
