// What a person (or a lead) has paused, and where each paused agent was stopped. Only functions: hooks load this lazily, while
// something is paused.
//
// A hook writes down where an agent stopped and then looks once more whether the pause still holds; who lifts a pause removes it first
// and then looks for stopped agents. So nobody stays stopped whom no pause covers.

import { rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { ifThere, namesIn, removeFile, stemsIn, writeJson } from "../../core/files.ts";
import { readJson } from "../../core/json.ts";
import { withLock } from "../../core/lock.ts";
import { type Paths, pausesPath, segment, swarmPath } from "../../core/paths.ts";
import { reported } from "../../core/process.ts";
import { listOf, maybeFlag, maybeText, object, someText } from "../../core/shape.ts";
import { isAnythingPaused, sessionsBefore } from "./sessions.ts";

const pauseShape = object({
  team: maybeText,
  agent: maybeText,
  session: maybeText,
  /** `person`, or the agent that leads the team. */
  by: someText,
  since: someText,
  why: maybeText,
});
export type Pause = ReturnType<typeof pauseShape>;

/** Everything where it names nothing, a team, one agent of a team, or one session with all that runs in it. */
export type PauseScope = Pick<Pause, "team" | "agent" | "session">;

export const readPauses = (paths: Paths): Pause[] =>
  isAnythingPaused(paths) ? (readJson(pausesPath(paths), listOf(pauseShape)) ?? []) : [];

export const isSameScope = (a: PauseScope, b: PauseScope): boolean =>
  a.team === b.team && a.agent === b.agent && a.session === b.session;

/** A second pause of the same scope keeps the time of the first, or leaves it as it is. Returns what holds now for these scopes. */
export function addPauses(
  paths: Paths,
  added: readonly Pause[],
  mayReplace: (stored: Pause) => boolean = () => true,
): Pause[] {
  let holding: Pause[] = [];
  changePauses(paths, (stored) => {
    holding = added.map((one) => {
      const first = stored.find((other) => isSameScope(one, other));
      if (!first) return one;
      return mayReplace(first) ? { ...one, since: first.since } : first;
    });
    return [...stored.filter((one) => !added.some((other) => isSameScope(one, other))), ...holding];
  });
  return holding;
}

export function removePauses(paths: Paths, isLifted: (pause: Pause) => boolean): Pause[] {
  let removed: Pause[] = [];
  changePauses(paths, (stored) => {
    removed = stored.filter(isLifted);
    return stored.filter((one) => !isLifted(one));
  });
  return removed;
}

function changePauses(paths: Paths, change: (stored: Pause[]) => Pause[]): void {
  const path = pausesPath(paths);
  withLock(path, (held) => {
    const changed = change(readPauses(paths));
    if (changed.length > 0) return writeJson(path, changed, { durable: true, beforeRename: held.check });
    held.check();
    removeFile(path);
  });
}

/** The widest pause that covers an agent, by its name in a team (a subagent's is its parent's), or what runs in a session. */
export function pauseOf(
  paths: Paths,
  { session, team, agent }: PauseScope,
  pauses: readonly Pause[] = readPauses(paths),
): Pause | undefined {
  const covers = (pause: Pause): boolean => {
    if (pause.session !== undefined)
      return session !== undefined && sessionsBefore(paths, session).includes(pause.session);
    if (pause.team === undefined) return true;
    return pause.team === team && (pause.agent === undefined || pause.agent === agent);
  };
  const width = ({ team, agent, session }: Pause) =>
    Number(team !== undefined) + Number(agent !== undefined) + 3 * Number(session !== undefined);
  return pauses.filter(covers).sort((a, b) => width(a) - width(b))[0];
}

/** Where a paused agent stopped. */
const stoppedShape = object({
  session: someText,
  /** Set for an agent inside the session. */
  agentId: maybeText,
  kind: someText,
  team: maybeText,
  agent: maybeText,
  at: someText,
  /** The call that was refused, and what it was about. */
  tool: someText,
  about: maybeText,
  /** `#3 parse the header` */
  task: maybeText,
  /** Its pause is over and it has not gone on yet. */
  isReleased: maybeFlag,
});
export type Stopped = ReturnType<typeof stoppedShape>;

const stoppedDir = (paths: Paths) => swarmPath(paths, "paused");
const stoppedPath = (paths: Paths, session: string, agentId = "main") =>
  swarmPath(paths, "paused", segment(session), `${segment(agentId)}.json`);

export const readStopped = (paths: Paths, session: string, agentId?: string): Stopped | undefined =>
  readJson(stoppedPath(paths, session, agentId), stoppedShape);

export const writeStopped = (paths: Paths, stopped: Stopped): void =>
  writeJson(stoppedPath(paths, stopped.session, stopped.agentId), stopped);

export function removeStopped(paths: Paths, session: string, agentId?: string): void {
  const path = stoppedPath(paths, session, agentId);
  removeFile(path);
  ifThere(() => rmdirSync(dirname(path)), "ENOTEMPTY", "EEXIST"); // others of the session may have stopped
}

export const readAllStopped = (paths: Paths): Stopped[] =>
  namesIn(stoppedDir(paths)).flatMap((session) => {
    const directory = `${stoppedDir(paths)}/${session}`;
    return stemsIn(directory, ".json").flatMap(
      (agentId) => reported(() => readJson(`${directory}/${agentId}.json`, stoppedShape)) ?? [],
    );
  });

/** `Bash (npm test), task #3 parse the header` */
export const stoppedAt = ({ tool, about, task }: Stopped): string =>
  `${tool}${about ? ` (${about})` : ""}${task ? `, task ${task}` : ""}`;
