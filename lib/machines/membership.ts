// How a machine joins a relayed team and leaves it. The first one brings the team to the relay; the others bring it from there.

import type { Paths } from "../core/paths.ts";
import { createTaskList, idsIn, lastId, notesOf, readSoundTask, type Task } from "../tasks/store.ts";
import { leadOf, readTeam, type Team } from "../teams/store/config.ts";
import { createTeamDirectory } from "../teams/store/directory.ts";
import { localMembers } from "./addresses.ts";
import { ageOf } from "./clock.ts";
import { statusWriter } from "./courier.ts";
import { farewell, forgetOthers } from "./departure.ts";
import { closeEngine, type Engine, measureClock, openEngine, readAll } from "./engine.ts";
import { hereOf } from "./here.ts";
import { applyTasks, type Seen, seenIn } from "./mirror.ts";
import { KEYS } from "./names.ts";
import { commitTask, createConfig, skipNumbers } from "./operations.ts";
import { type Relay, readRelay, removeRelay, writeRelay } from "./store/relay.ts";
import { teamCourier } from "./team-courier.ts";
import { canonical, LEFT, LONGEST_DESCRIPTION, SIGN, config as teamConfig } from "./wire.ts";

/** A machine that gave a sign within this time is there. */
const PRESENT_MS = 120_000;

interface Joined {
  /** True for the machine that brought the team to the relay. */
  isFirst: boolean;
  machines: string[];
  /** Names that are on two machines. */
  clashes: string[];
  server: Engine["server"];
}

export async function joinRelay(paths: Paths, relay: Relay): Promise<Joined> {
  refuseSecondName(paths, relay);
  const engine = await openEngine(relay, undefined, true);
  try {
    const seen = await seenOn(engine);
    engine.clockMs = await measureClock(engine.kv, clockKey(relay), LEFT);
    refuseTaken(paths, relay, engine, seen);
    const local = readTeam(paths, relay.team);
    if (!seen.config && !local)
      throw new Error(
        `neither the relay nor this machine knows a team ${relay.team}; \`swarm create ${relay.team}\` makes one`,
      );
    const isThere = seen.config && seen.lead;
    const isFirst = !isThere && local !== undefined && (await bring(paths, engine, relay, local));
    const now = isFirst ? seen : await seenOn(engine);
    if (!isFirst) fetchTeam(paths, relay, now);
    writeRelay(paths, relay);
    await engine.kv.put(KEYS.machine(relay.machine), SIGN);
    const courier = teamCourier(hereOf(paths, relay));
    await courier.round(engine);
    const say = statusWriter(paths, relay.team, courier);
    say.connected(engine);
    say.broken(undefined);
    const others = [...now.members.values()]
      .map(({ address }) => address)
      .filter(({ machine }) => machine !== relay.machine);
    const mine = new Set(localMembers(readTeam(paths, relay.team)).map(({ name }) => name));
    return {
      isFirst,
      machines: [...now.machines.keys()].filter((name) => name !== relay.machine).sort(),
      clashes: others
        .filter(({ agent }) => mine.has(agent))
        .map(({ agent, machine }) => `${agent}@${machine}`),
      server: engine.server,
    };
  } finally {
    await closeEngine(engine);
  }
}

const seenOn = async (engine: Engine): Promise<Seen> => seenIn((await readAll(engine)).changes);

/** No sign of life: one that is not taken in would keep its own name taken. No member is called like that. */
const clockKey = ({ machine }: Relay) => KEYS.member({ machine, agent: "clock@" });

/** Under the old one its members would stay on the relay, and its mail would wait there. */
function refuseSecondName(paths: Paths, { team, machine }: Relay): void {
  const present = readRelay(paths, team)?.machine;
  if (present !== undefined && present !== machine)
    throw new Error(
      `this machine is ${present} in the team ${team}; \`swarm relay leave --team ${team}\` first`,
    );
}

/** Two machines of one name would take each other's mail. */
function refuseTaken(paths: Paths, { team, machine }: Relay, engine: Engine, seen: Seen): void {
  const sign = seen.machines.get(machine);
  if (sign === undefined || readRelay(paths, team)?.machine === machine) return;
  const ageMs = ageOf(engine, sign);
  if (ageMs < PRESENT_MS)
    throw new Error(
      `a machine called ${machine} is in the team ${team} already (last sign ${Math.round(ageMs / 1000)} s ago); --machine NAME gives this one another name`,
    );
}

async function bring(paths: Paths, engine: Engine, { team, machine }: Relay, local: Team): Promise<boolean> {
  const { description, leadAgentId, createdAt } = local;
  const at = new Date().toISOString();
  const config = teamConfig.parse({
    v: 1,
    name: team,
    description: description?.slice(0, LONGEST_DESCRIPTION),
    leadAgentId,
    createdAt: isoOf(createdAt),
  });
  const tasks = soundTasks(paths, team);
  await skipNumbers(engine, lastId(paths, team)); // before others can ask for one
  return createConfig(engine, config, { v: 1, machine, agent: leadOf(local), at }, async () => {
    for (const task of tasks) {
      const older = await commitTask(engine, task.id, null, task);
      if (older) await commitTask(engine, task.id, older.present, task);
    }
  });
}

/** Throws where one cannot be read: it would be missing on the relay, and nobody would hear of it. */
const soundTasks = (paths: Paths, team: string): Task[] =>
  idsIn(paths, team).flatMap((id) => readSoundTask(paths, team, id) ?? []);

const isoOf = (time: string | number | undefined): string | undefined =>
  time === undefined || Number.isNaN(new Date(time).getTime()) ? undefined : new Date(time).toISOString();

/** An older copy of a task on the relay, from before a machine left or its address changed. */
function isCopy(task: Task, there: Task | null | undefined): boolean {
  if (!there) return false;
  const [mine, theirs] = [notesOf(task), notesOf(there)];
  return mine.createdAt === undefined
    ? canonical(task) === canonical(there)
    : mine.createdAt === theirs.createdAt && mine.createdBy === theirs.createdBy;
}

function fetchTeam(paths: Paths, { team }: Relay, seen: Seen): void {
  const wasHere = readRelay(paths, team) !== undefined;
  const isDeleted = ({ id }: Task) => wasHere && seen.tasks.get(id) === null;
  const own = soundTasks(paths, team).filter(
    (task) => !isDeleted(task) && !isCopy(task, seen.tasks.get(task.id)),
  );
  if (own.length > 0)
    throw new Error(
      `this machine has ${own.length} task${own.length > 1 ? "s" : ""} of its own in the list ${team} (#${own[0]?.id} first), and the relay has another list: finish or delete them first`,
    );
  const { description, createdAt, leadAgentId } = seen.config ?? {};
  if (!readTeam(paths, team))
    createTeamDirectory(
      paths,
      team,
      { name: team, description, createdAt, leadAgentId, status: "active", members: [] },
      () => createTaskList(paths, team),
    );
  applyTasks({ paths, team }, seen);
}

/** What waits for this machine on the relay stays there until it is too old. */
export async function leaveRelay(paths: Paths, relay: Relay): Promise<string | undefined> {
  const why = await sayFarewell(paths, relay).catch((error: Error) => error.message);
  forgetOthers(paths, relay.team);
  removeRelay(paths, relay.team);
  return why ? `${why}; the others see ${relay.machine} as silent` : undefined;
}

async function sayFarewell(paths: Paths, relay: Relay): Promise<undefined> {
  const engine = await openEngine(relay);
  try {
    await farewell(engine, paths);
  } finally {
    await closeEngine(engine);
  }
}
