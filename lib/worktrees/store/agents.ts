// Which agents work in a repository: one small file for each agent, named by its tree, so that a directory listing answers the
// usual question, "is anybody else here?". An agent is a client session or an in-process teammate; subagents act for their session.
import type { FileKind } from "../../core/file-kind.ts";
import { namesIn, removeFile, writeJson } from "../../core/files.ts";
import { readJson } from "../../core/json.ts";
import { type Paths, segment, whyNotSegment } from "../../core/paths.ts";
import { once, oncePer } from "../../core/process.ts";
import { maybeText, object, someText } from "../../core/shape.ts";
import {
  inProcessName,
  isProbablyAlive,
  latestRecord,
  lifeOfRecord,
  readSession,
  type SessionRecord,
} from "../../sessions/store/sessions.ts";
import { hashOf, repositoriesDir, repositoryPath, type Tree } from "./repository.ts";

export const PRESENCE_FILES: FileKind = {
  name: "agents in repositories",
  path: "swarm/repositories/<repository>/agents/",
  ends: "age",
};

/** Who acts: a session, or an in-process teammate inside it. */
export interface Agent {
  session: string;
  /** The in-process teammate's id inside its session. */
  agentId?: string;
}

interface Payload {
  session_id: string;
  agent_id?: string;
  agent_type?: string;
}

export function agentOf({ session_id, agent_id, agent_type }: Payload): Agent {
  const name = agent_id === undefined ? undefined : inProcessName(agent_id);
  return name !== undefined && name === agent_type
    ? { session: session_id, agentId: agent_id }
    : { session: session_id };
}

/** One word, for the ledger and for file names. */
export const keyOf = ({ session, agentId }: Agent): string =>
  agentId === undefined ? segment(session) : `${segment(session)}+${segment(agentId)}`;

export function agentOfKey(key: string): Agent {
  const at = key.indexOf("+"); // not in a session's id, but a teammate's name may have one
  return at < 0 ? { session: key } : { session: key.slice(0, at), agentId: key.slice(at + 1) };
}

const directoryOf = (paths: Paths, tree: Pick<Tree, "common">) => repositoryPath(paths, tree, "agents");
const nameOf = (agent: Agent, top: string) => `${hashOf(top).slice(0, 8)}.${keyOf(agent)}.json`;

const shape = object({ session: someText, agentId: maybeText, tree: someText, since: someText });

/** The files of agents in this repository. With only one's own there is nobody else. */
export const presenceIn = (paths: Paths, tree: Pick<Tree, "common">): string[] =>
  namesIn(directoryOf(paths, tree));

const endOf = (agent: Agent) => `.${keyOf(agent)}.json`;

/** Somebody else may be there: whether they are alive is for `liveAgentsIn` to say. */
export function hasOthers(names: readonly string[], agent: Agent): boolean {
  const own = endOf(agent);
  return names.some((name) => !name.endsWith(own));
}

/** In any tree of the repository. */
export const isAnywhere = (names: readonly string[], agent: Agent): boolean => {
  const own = endOf(agent);
  return names.some((name) => name.endsWith(own));
};

/** Another agent works in this very tree. */
export const isOccupied = (names: readonly string[], agent: Agent, top: string): boolean =>
  names.some((name) => name.startsWith(`${hashOf(top).slice(0, 8)}.`) && !name.endsWith(endOf(agent)));

export const isPresent = (names: readonly string[], agent: Agent, top: string): boolean =>
  names.includes(nameOf(agent, top));

/** An agent works in one tree of a repository at a time. Returns the files there are now. */
export function writePresence(paths: Paths, tree: Tree, agent: Agent, now: Date): string[] {
  const directory = directoryOf(paths, tree);
  const name = nameOf(agent, tree.top);
  writeJson(`${directory}/${name}`, { ...agent, tree: tree.top, since: now.toISOString() });
  const end = endOf(agent);
  const isFormer = (one: string) => one !== name && one.endsWith(end);
  const names = namesIn(directory);
  for (const one of names.filter(isFormer)) removeFile(`${directory}/${one}`);
  return names.filter((one) => !isFormer(one));
}

export interface LiveAgent extends Agent {
  key: string;
  /** How others call it: its name in the team, or `solo-` and the beginning of its session's id. */
  name: string;
  team?: string;
  /** The top level of the tree it works in. */
  tree: string;
  /** Where its session started. */
  startedIn?: string;
}

/** Everybody alive in the repository, the caller included. Files of those proven gone are removed. */
export const liveAgentsIn = (paths: Paths, tree: Pick<Tree, "common">, now: Date): LiveAgent[] =>
  liveAgentsOf(paths, directoryOf(paths, tree), now);

/** The live agents of a repository beside the caller, read as far as they are asked for: there may be hundreds. */
export interface Others {
  isAny: () => boolean;
  all: () => LiveAgent[];
  /** The one with this key, or whose key this was before a `/clear`. */
  withKey: (key: string) => LiveAgent | undefined;
}

/** `names` are those of `presenceIn`. */
export function othersIn(
  paths: Paths,
  tree: Pick<Tree, "common">,
  names: readonly string[],
  caller: Agent,
  now: Date,
): Others {
  const directory = directoryOf(paths, tree);
  const [own, ownEnd] = [keyOf(caller), endOf(caller)];
  const others = names.filter((name) => !name.endsWith(ownEnd));
  const at = oncePer((name: string) => {
    const live = liveAgentAt(paths, `${directory}/${name}`, now);
    return live?.key === own ? undefined : live;
  });
  const ofFile = (key: string) => others.find((name) => name.endsWith(`.${key}.json`));
  return {
    isAny: () => others.some(at),
    all: once(() => distinct(others.flatMap((name) => at(name) ?? []))),
    withKey: oncePer((key: string) => {
      const name = ofFile(currentKey(paths, key)) ?? ofFile(key);
      return name === undefined ? undefined : at(name);
    }),
  };
}

/** The key that an agent has now: after `/clear` its older entries have another session's id. */
export function currentKey(paths: Paths, key: string): string {
  const latest = latestOf(paths, agentOfKey(key));
  return latest ? keyOf(latest) : key;
}

/** Of every repository, the live agents; for the doctor. */
export const liveAgentsEverywhere = (paths: Paths, now: Date): LiveAgent[][] =>
  namesIn(repositoriesDir(paths)).map((name) =>
    liveAgentsOf(paths, `${repositoriesDir(paths)}/${name}/agents`, now),
  );

const liveAgentsOf = (paths: Paths, directory: string, now: Date): LiveAgent[] =>
  distinct(namesIn(directory).flatMap((name) => liveAgentAt(paths, `${directory}/${name}`, now) ?? []));

/** After `/clear` an agent may have two files; that of its present session counts. */
function distinct(agents: readonly (LiveAgent & { isCurrent: boolean })[]): LiveAgent[] {
  const found = new Map<string, LiveAgent>();
  for (const { isCurrent, ...agent } of agents)
    if (isCurrent || !found.has(agent.key)) found.set(agent.key, agent);
  return [...found.values()];
}

function liveAgentAt(
  paths: Paths,
  path: string,
  now: Date,
): (LiveAgent & { isCurrent: boolean }) | undefined {
  const present = path.endsWith(".json") ? readJson(path, shape) : undefined;
  if (!present) return undefined;
  const agent = latestOf(paths, present);
  if (!agent || !isProbablyAlive(agent.record, now.getTime())) {
    if (!agent || isGone(agent.record)) removeFile(path);
    return undefined;
  }
  const { session, agentId, record } = agent;
  return {
    session,
    agentId,
    key: keyOf({ session, agentId }),
    name: shownName(record),
    team: record.team,
    tree: present.tree,
    startedIn: record.cwd,
    isCurrent: session === present.session,
  };
}

type Known = Agent & { record: SessionRecord };

/** Under the id its session has now, after every `/clear`. */
export function latestOf(paths: Paths, { session, agentId }: Agent): Known | undefined {
  if (whyNotSegment(session) || (agentId !== undefined && whyNotSegment(agentId))) return undefined;
  const latest = latestRecord(paths, session);
  if (!latest || agentId === undefined) return latest && { session: latest.session, record: latest };
  const inside = readSession(paths, { session, agentId });
  if (!inside) return undefined;
  // An in-process teammate runs in its session's process.
  const { pid, pidStartedAt, endedAt = inside.endedAt } = latest;
  return { session, agentId, record: { ...inside, pid, pidStartedAt, endedAt } };
}

const isGone = (record: SessionRecord) => lifeOfRecord(record) === "gone";

export const shownName = ({ agent, session }: Pick<SessionRecord, "agent" | "session">): string =>
  agent ?? `solo-${session.slice(0, 8)}`;
