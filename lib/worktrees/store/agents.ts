// Which agents work in a repository: one small file for each agent, named by its tree, so that a directory listing answers the
// usual question, "is anybody else here?". An agent is a client session or an in-process teammate; subagents act for their session.
import type { FileKind } from "../../core/file-kind.ts";
import { namesIn, removeFile, writeJson } from "../../core/files.ts";
import { readJson } from "../../core/json.ts";
import { type Paths, segment, whyNotSegment } from "../../core/paths.ts";
import { maybeText, object, someText } from "../../core/shape.ts";
import {
  inProcessName,
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
  const [session = "", agentId] = key.split("+", 2);
  return agentId === undefined ? { session } : { session, agentId };
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

/** How long an agent counts whose process can be neither found nor proven gone, as in another container. */
const UNPROVEN_MS = 30 * 60_000;

/** Everybody alive in the repository, the caller included. Files of those proven gone are removed. */
export const liveAgentsIn = (paths: Paths, tree: Pick<Tree, "common">, now: Date): LiveAgent[] =>
  liveAgentsOf(paths, directoryOf(paths, tree), now);

/** The same without the caller, whose own files are not read; `names` are those of `presenceIn`. */
export function liveOthersIn(
  paths: Paths,
  tree: Pick<Tree, "common">,
  names: readonly string[],
  caller: Agent,
  now: Date,
): LiveAgent[] {
  const own = endOf(caller);
  const others = names.filter((name) => !name.endsWith(own));
  const key = keyOf(caller);
  return liveAgentsOf(paths, directoryOf(paths, tree), now, others).filter((one) => one.key !== key);
}

/** Of every repository, the live agents; for the doctor. */
export const liveAgentsEverywhere = (paths: Paths, now: Date): LiveAgent[][] =>
  namesIn(repositoriesDir(paths)).map((name) =>
    liveAgentsOf(paths, `${repositoriesDir(paths)}/${name}/agents`, now),
  );

function liveAgentsOf(
  paths: Paths,
  directory: string,
  now: Date,
  names: readonly string[] = namesIn(directory),
): LiveAgent[] {
  const found = new Map<string, LiveAgent>();
  for (const name of names) {
    const present = name.endsWith(".json") ? readJson(`${directory}/${name}`, shape) : undefined;
    if (!present) continue;
    const agent = latestOf(paths, present);
    if (agent && isLive(agent.record, now)) {
      const { session, agentId, record } = agent;
      const key = keyOf({ session, agentId });
      const isCurrent = session === present.session;
      if (isCurrent || !found.has(key))
        found.set(key, {
          session,
          agentId,
          key,
          name: shownName(record),
          team: record.team,
          tree: present.tree,
          startedIn: record.cwd,
        });
    } else if (!agent || isGone(agent.record)) removeFile(`${directory}/${name}`);
  }
  return [...found.values()];
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

function isLive(record: SessionRecord, now: Date): boolean {
  const life = lifeOfRecord(record);
  return (
    life === "alive" || (life === "unknown" && now.getTime() - Date.parse(record.lastSeen) < UNPROVEN_MS)
  );
}

export const shownName = ({ agent, session }: Pick<SessionRecord, "agent" | "session">): string =>
  agent ?? `solo-${session.slice(0, 8)}`;
