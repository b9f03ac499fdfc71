// `swarm pause` and `swarm unpause`: a person stops agents at their next tool call, and lets them go on.
import { existsSync } from "node:fs";
import { badCall, type Call } from "../../cli/command.ts";
import { requireMemberName, requireTeamName } from "../../cli/unknown-names.ts";
import { appendCommand } from "../../core/journal.ts";
import { asWord, cutAt, plainLine, plainLines } from "../../core/text.ts";
import { PERSON, shownAs } from "../../hook/context.ts";
import { appendMessage } from "../../mail/store/inbox.ts";
import { newMessage } from "../../mail/store/message.ts";
import { renewWatch, watchFilePath } from "../../mail/store/session-files.ts";
import {
  addPauses,
  isSameScope,
  type Pause,
  type PauseScope,
  pauseOf,
  readAllStopped,
  readPauses,
  readStopped,
  removePauses,
  removeStopped,
  type Stopped,
  stoppedAt,
  writeStopped,
} from "../../sessions/store/pauses.ts";
import {
  isOpenSession,
  lifeOfRecord,
  readSession,
  readSessions,
  sessionsBefore,
} from "../../sessions/store/sessions.ts";
import { isMember, leadOf, listTeams, memberNames, readTeam } from "../../teams/store/config.ts";
import { goOnText } from "./stopping.ts";
import { argumentsFor, pauseLine, pauseText, scopeText } from "./text.ts";

export type PauseCall = Call<{
  team: "text";
  all: "switch";
  why: "text";
  "session-id": "text";
}>;

const LONGEST_WHY = 300;

export function pauseVerb(call: PauseCall) {
  const { paths, now, flags } = call;
  if (call.words.length === 0 && !flags.all && flags.team === undefined && flags.why === undefined)
    return shown(call);
  const scopes = scopesOf(call);
  for (const scope of scopes) requireMayPause(call, scope);
  const why = cutAt(plainLine(flags.why ?? ""), LONGEST_WHY);
  const by = shownAs(call.identity, call.session, call.identity.team);
  const asked = scopes.map((scope) => ({
    ...scope,
    by,
    since: now.toISOString(),
    ...(why ? { why } : {}),
  }));
  const pauses = addPauses(paths, asked, (stored) => !isReserved(call, stored));
  for (const pause of asked) note(call, "paused", pause);
  const lines = pauses.map(
    (pause) =>
      `paused ${scopeText(pause)}: no tool call begins any more; \`swarm unpause ${argumentsFor(pause)}\` lets it go on`,
  );
  return { text: plainLines(lines), data: { paused: pauses } };
}

export function unpauseVerb(call: PauseCall) {
  const { paths, flags } = call;
  const scopes = scopesOf(call, readPauses(paths));
  const isMeant = (pause: Pause) => flags.all === true || scopes.some((scope) => isInside(pause, scope));
  for (const pause of readPauses(paths).filter(isMeant)) requireMayLift(call, pause);
  const lifted = removePauses(paths, isMeant);
  for (const pause of lifted) note(call, "unpaused", pause);
  const released = release(call);
  const held = scopes.flatMap((scope) => (flags.all ? [] : (pauseOf(paths, scope) ?? [])));
  const data = { lifted, released, stillPaused: held };
  const lines = [
    ...lifted.map((pause) => `unpaused ${scopeText(pause)}`),
    ...released.map(({ name, how }) => `  ${name}: ${how}`),
    ...held.map(
      (pause) => `still held: ${pauseText(pause)}; \`swarm unpause ${argumentsFor(pause)}\` lifts that`,
    ),
  ];
  const isAnyMeant = lifted.length > 0 || released.length > 0; // one that could not be woken before is tried again
  if (!isAnyMeant && held.length === 0) lines.push("nothing of that is paused");
  const isDone = isAnyMeant && released.every((one) => one.isGoingOn);
  return { text: plainLines(lines), data, exitCode: isDone ? 0 : 1 };
}

/** A team's scope covers the pauses of its members. */
const isInside = (pause: Pause, scope: PauseScope): boolean =>
  pause.session === scope.session &&
  pause.team === scope.team &&
  (scope.agent === undefined || pause.agent === scope.agent);

function shown({ paths, now }: PauseCall) {
  const pauses = readPauses(paths);
  const stopped = pauses.length === 0 ? [] : readAllStopped(paths).filter((one) => !one.isReleased);
  const lines = [
    ...pauses.map((pause) => pauseLine(pause, now)),
    ...stopped.map((one) => `  ${nameOf(one)} stopped at ${stoppedAt(one)}`),
  ];
  return { text: plainLines(lines) || "nothing is paused", data: { pauses, stopped } };
}

function note(call: PauseCall, what: string, pause: Pause): void {
  appendCommand(call, {
    agent: shownAs(call.identity, call.session, call.identity.team),
    feature: "pause",
    what,
    scope: scopeText(pause),
    ...(pause.why ? { reason: pause.why } : {}),
  });
}

// Which agents are meant

/** `pauses` are those that may be lifted: what they hold may have ended or left its team since. */
function scopesOf(call: PauseCall, pauses: readonly Pause[] = []): PauseScope[] {
  const { words, flags } = call;
  if (flags.all) {
    if (words.length > 0 || flags.team !== undefined)
      throw badCall("--all means everything: leave the rest out");
    return [{}];
  }
  if (words.length > 0) return withoutRepetitions(words.map((word) => scopeOf(call, word, pauses)));
  if (flags.team === undefined) throw badCall("which agents? names, --team TEAM or --all");
  if (!pauses.some(({ team }) => team === flags.team)) requireTeamName(call.paths, flags.team);
  return [{ team: flags.team }];
}

const withoutRepetitions = (scopes: readonly PauseScope[]): PauseScope[] =>
  scopes.filter((scope, n) => scopes.findIndex((other) => isSameScope(other, scope)) === n);

/** `alice` in the team that is meant or the only one that has her, `alice@harbour`, or the beginning of a session's id. */
function scopeOf(call: PauseCall, word: string, pauses: readonly Pause[]): PauseScope {
  if (word === "") throw badCall("an agent's name is empty");
  const at = word.lastIndexOf("@");
  const [agent, team] = at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, call.flags.team];
  if (team !== undefined) {
    if (!pauses.some((pause) => isInside(pause, { team, agent })))
      requireMemberName(agent, team, memberNames(requireTeamName(call.paths, team)));
    return { team, agent };
  }
  const own = call.identity.team;
  const teams = listTeams(call.paths).filter((name) => isMember(readTeam(call.paths, name), agent));
  if (own !== undefined && teams.includes(own)) return { team: own, agent };
  if (teams.length > 1)
    throw badCall(`${agent} could be ${teams.map((name) => `${agent}@${name}`).join(" or ")}`);
  return teams[0] !== undefined ? { team: teams[0], agent } : sessionScope(call, word, pauses);
}

function sessionScope({ paths }: PauseCall, word: string, pauses: readonly Pause[]): PauseScope {
  const isMeant = ({ session }: PauseScope) => session?.startsWith(word) === true;
  const held = pauses.filter(isMeant);
  const open = readSessions(paths).filter((record) => isOpenSession(record) && isMeant(record));
  const found = held.length > 0 ? held : open;
  const [only, another] = found;
  if (!only?.session) throw new Error(`there is no agent and no open session ${JSON.stringify(word)}`);
  if (another) throw badCall(`${word} could be ${found.map(({ session }) => session).join(" or ")}`);
  const chain = pauses.length > 0 ? sessionsBefore(paths, only.session) : []; // paused before a `/clear`
  const session = pauses.find((pause) => pause.session && chain.includes(pause.session))?.session;
  if (session) return { session };
  return only.team && only.agent ? { team: only.team, agent: only.agent } : { session: only.session };
}

// Who may

/** A person may pause anything, a lead its own team, a session outside any team what a person asks it to. */
function requireMayPause({ identity, paths }: PauseCall, { team }: PauseScope): void {
  if (!identity.agent || !identity.team) return;
  if (identity.isLead && team === identity.team) return;
  const roster = readTeam(paths, identity.team);
  const lead = leadOf(roster);
  const ask = isMember(roster, lead) ? `ask ${lead} (\`swarm send ${asWord(lead)} "…"\`)` : "it has no lead";
  throw new Error(
    identity.isLead
      ? `you lead ${identity.team} and may pause that: --team ${asWord(identity.team)}, or its agents by name`
      : `${identity.agent} does not lead ${identity.team}: ${ask}`,
  );
}

/** What a person has paused goes on only by a person. */
const isReserved = ({ identity }: PauseCall, pause: Pause): boolean =>
  pause.by === PERSON && identity.kind !== "person";

function requireMayLift(call: PauseCall, pause: Pause): void {
  if (isReserved(call, pause))
    throw new Error(
      `a person has paused ${scopeText(pause)}: only a person lifts that, with \`swarm unpause ${argumentsFor(pause)}\` in a terminal of their own`,
    );
  requireMayPause(call, pause);
}

// Going on

interface Released {
  name: string;
  how: string;
  /** False where it stands still all the same until somebody does something about it. */
  isGoingOn: boolean;
}

const nameOf = ({ team, agent, session }: Stopped): string =>
  agent ? (team ? `${agent}@${team}` : agent) : `session ${session.slice(0, 8)}`;

/** Those that were stopped and are covered by no pause any more. */
function release(call: PauseCall): Released[] {
  const pauses = readPauses(call.paths);
  return readAllStopped(call.paths)
    .filter((one) => !one.isReleased && !pauseOf(call.paths, ownerOf(call, one), pauses))
    .map((one) => ({ name: nameOf(one), ...releaseOrWhyNot(call, one) }));
}

type Release = Omit<Released, "name">;

const goesOn = (how: string): Release => ({ how, isGoingOn: true });

/** One that cannot be woken must not keep the others stopped; the next `swarm unpause` tries it again. */
function releaseOrWhyNot(call: PauseCall, stopped: Stopped): Release {
  try {
    return releaseOne(call, stopped);
  } catch (error) {
    return { how: `not woken: ${(error as Error).message}; the same command tries again`, isGoingOn: false };
  }
}

/** A subagent was stopped as part of its session. */
function ownerOf({ paths }: PauseCall, stopped: Stopped): PauseScope {
  const { session, team, agent, kind } = stopped;
  return { session, team, agent: kind === "subagent" ? readSession(paths, { session })?.agent : agent };
}

function releaseOne(call: PauseCall, stopped: Stopped): Release {
  const { paths, now } = call;
  const { session, agentId, team, agent, kind } = stopped;
  if (!agentId) return wake(call, stopped);
  if (kind === "in-process" && team && agent) {
    const isThere = readTeam(paths, team) !== undefined;
    const text = goOnText(stopped, now);
    const message = newMessage({ from: "swarm", text, summary: "the pause is over", at: now });
    if (isThere) appendMessage(paths, team, agent, message);
    removeStopped(paths, session, agentId);
    return goesOn(isThere ? "woken by a message" : "its team is gone");
  }
  removeStopped(paths, session, agentId);
  // A subagent's end is final: its parent is to decide what becomes of its work, and may have been idle all the while.
  const parents = readStopped(paths, session);
  const hears = "it has ended; its parent hears of it";
  if (parents && parents.kind !== FOR_PARENT) return goesOn(hears);
  const { how, isGoingOn } = wake(call, asParents(stopped, parents));
  return isGoingOn ? goesOn(hears) : { how: `it has ended; its parent: ${how}`, isGoingOn };
}

/** The kind of what a parent hears of its subagents: it was not stopped itself. */
const FOR_PARENT = "session";

/** `before`: what it is to hear of other subagents. */
function asParents({ session, at, agent = "", ...stopped }: Stopped, before: Stopped | undefined): Stopped {
  const subagent = `the subagent ${agent}`;
  return {
    ...{ session, at, kind: FOR_PARENT },
    tool: before ? `${stoppedAt(before)} and ${subagent}` : subagent,
    about: `it stopped at ${stoppedAt({ session, at, ...stopped })} and has ended`,
  };
}

function wake({ paths }: PauseCall, stopped: Stopped): Release {
  const { session } = stopped;
  writeStopped(paths, { ...stopped, isReleased: true });
  const record = readSession(paths, { session });
  if (!record || lifeOfRecord(record) === "gone")
    return goesOn("its client has ended; it hears of it when it is resumed");
  if (!existsSync(watchFilePath(paths, session)))
    return { how: "nothing can wake it (mail.deliver): give it a prompt", isGoingOn: false };
  try {
    renewWatch(paths, session);
  } catch (error) {
    writeStopped(paths, stopped);
    throw error;
  }
  return goesOn("woken");
}
