// The relay's side of a team: one stream for mail, from which a message goes when its reader's machine has it, and one bucket for
// everything that has a present value (tasks, roster, lead). Set up by the first machine, checked by the others.
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import { type NatsConnection, nanos } from "@nats-io/transport-node";
import { DAY_MS } from "../core/time.ts";
import type { Change } from "./clock.ts";
import { CONNECT_MS, connect, within } from "./connection.ts";
import { bucketOf, bucketStream, bucketSubjects, KEYS, mailStream, readKey, subjectsTo } from "./names.ts";
import type { Relay } from "./store/relay.ts";
import { SIGN } from "./wire.ts";

export interface Engine {
  nc: NatsConnection;
  js: JetStreamClient;
  jsm: JetStreamManager;
  kv: KV;
  team: string;
  machine: string;
  /** The server's clock minus ours, in ms. */
  clockMs: number;
  server: { name: string; version: string };
  /** How many servers hold the team's state. */
  copies: number;
}

const REQUEST_MS = 5_000;
const MB = 1024 * 1024;
/** A publish that is tried again within this time is stored once; the receiver drops what comes later. */
const DUPLICATES_MS = 3_600_000;

/**
 * One for each machine, so that a credential can be bound to it, and no consumers: their state is lost by a kill of the server
 * (seen with 2.9.10: a message that is gone stays "pending" for ever and blocks the rest), and a credential that may make one can have it
 * deliver to any subject. What a machine has is removed by the machine itself.
 */
const mailConfig = (team: string, machine: string, replicas: number) => ({
  name: mailStream(team, machine),
  subjects: [subjectsTo(team, machine)],
  storage: StorageType.File,
  // A full stream refuses, so that the message stays in its sender's outbox.
  discard: DiscardPolicy.New,
  max_bytes: 64 * MB,
  max_age: nanos(30 * DAY_MS),
  duplicate_window: nanos(DUPLICATES_MS),
  allow_rollup_hdrs: false,
  num_replicas: replicas,
});

/** `isSilent` leaves no sign of this machine on the relay; then the clocks are not compared. */
export async function openEngine(relay: Relay, timeoutMs = CONNECT_MS, isSilent = false): Promise<Engine> {
  const nc = await connect(relay, timeoutMs);
  try {
    const { team, machine } = relay;
    const options = { timeout: REQUEST_MS };
    const jsm = await jetstreamManager(nc, { ...options, checkAPI: false });
    const js = jetstream(nc, options);
    await ensureStream(jsm, mailConfig(team, machine, relay.replicas));
    const { num_replicas: copies } = await ensureStream(jsm, bucketConfig(team, relay.replicas));
    const kv = await new Kvm(js).open(bucketOf(team));
    const server = { name: nc.info?.server_name ?? "", version: nc.info?.version ?? "" };
    const clockMs = isSilent ? 0 : await onceReady(() => measureClock(kv, KEYS.machine(machine)));
    return { nc, js, jsm, kv, team, machine, clockMs, server, copies };
  } catch (error) {
    await closeEngine({ nc });
    throw new Error(`the relay at ${nc.getServer()} refuses: ${whyRefused(error, relay.machine)}`);
  }
}

const whyRefused = (error: unknown, machine: string): string => {
  const { message } = error as Error;
  return /permissions violation/i.test(message)
    ? `this credential is not for the machine ${machine} (${message})`
    : message;
};

const READY_TRIES = 20;
const READY_PAUSE_MS = 50;

/** A stream that another machine has just made is known a moment before it takes messages. */
async function onceReady<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++)
    try {
      return await work();
    } catch (error) {
      if (tried === READY_TRIES || (error as Error).name !== "JetStreamNotEnabled") throw error;
      await new Promise((resolve) => setTimeout(resolve, READY_PAUSE_MS));
    }
}

export async function closeEngine({ nc }: Pick<Engine, "nc">): Promise<void> {
  try {
    await within(1_000, nc.close(), "slow");
  } catch {
    // It is gone either way.
  }
}

export const isMissing = (error: unknown) => error instanceof JetStreamApiError && error.status === 404;

/** As the library makes it, but nobody can purge it: a header of one message could otherwise empty the whole bucket. */
const bucketConfig = (team: string, replicas: number) => ({
  name: bucketStream(team),
  subjects: [bucketSubjects(team)],
  max_msgs_per_subject: 1,
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  max_bytes: 64 * MB,
  // Reads are answered by the stream's leader: another copy may not have the newest yet.
  allow_direct: false,
  allow_rollup_hdrs: false,
  deny_delete: true,
  num_replicas: replicas,
});

async function ensureStream(
  jsm: JetStreamManager,
  wanted: ReturnType<typeof bucketConfig | typeof mailConfig>,
): Promise<Pick<StreamConfig, "num_replicas">> {
  const there = await infoOf(jsm, wanted.name);
  const why = there && whyOther(there, wanted.subjects);
  if (why) throw new Error(why);
  return there ?? (await jsm.streams.add(wanted)).config;
}

async function infoOf(jsm: JetStreamManager, name: string): Promise<StreamConfig | undefined> {
  try {
    return (await jsm.streams.info(name)).config;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A stream that somebody prepared to copy what passes through it elsewhere is not used. */
function whyOther(config: StreamConfig, subjects: string[]): string | undefined {
  if (config.subjects?.join() !== subjects.join()) return `the stream ${config.name} is for other subjects`;
  const { republish, mirror, sources } = config;
  if (republish || mirror || sources?.length)
    return `the stream ${config.name} sends what it holds elsewhere`;
  return undefined;
}

/** The server stamps what is stored: a key of our own tells how far our clocks are apart. */
export async function measureClock(kv: KV, key: string, value = SIGN): Promise<number> {
  const before = Date.now();
  await kv.put(key, value);
  const after = Date.now();
  const entry = await kv.get(key);
  return entry ? Math.round(entry.created.getTime() - (before + after) / 2) : 0;
}

const READ_AT_ONCE = 200;

/**
 * The present value of every key, and where to go on from. Not by a consumer: a credential that may make one can have it deliver to any
 * subject, another machine's included.
 */
export async function readAll({ jsm, kv, team }: Engine): Promise<{ changes: Change[]; last: number }> {
  const { state } = await jsm.streams.info(bucketStream(team), { subjects_filter: bucketSubjects(team) });
  const all = Object.keys(state.subjects ?? {}).map((subject) => keyIn(team, subject));
  const keys = all.filter(readKey); // the library throws at a key that it would not have made
  const changes: Change[] = [];
  for (let at = 0; at < keys.length; at += READ_AT_ONCE) {
    const entries = await Promise.all(keys.slice(at, at + READ_AT_ONCE).map((key) => kv.get(key)));
    for (const entry of entries)
      if (entry)
        changes.push({
          key: entry.key,
          text: entry.string(),
          revision: entry.revision,
          at: entry.created.getTime(),
        });
  }
  return { changes, last: state.last_seq };
}

/**
 * As `readAll`, of a team that was brought there. A relay that has lost it is not copied: every member elsewhere would be gone here,
 * and numbers would begin again with 1, over the tasks that are here.
 */
export async function readTeamState(engine: Engine): ReturnType<typeof readAll> {
  const state = await readAll(engine);
  if (state.changes.some(({ key }) => key === KEYS.config)) return state;
  throw new Error(
    `the relay does not know the team ${engine.team} (any more): \`swarm relay join\` on the machine with the newest task list brings it there`,
  );
}

/** What has changed since, oldest first. */
export async function readSince(
  { jsm, team }: Engine,
  last: number,
): Promise<{ changes: Change[]; last: number }> {
  const changes: Change[] = [];
  for (let seq = last; ; ) {
    const query = { seq: seq + 1, next_by_subj: bucketSubjects(team) };
    const message = await jsm.streams.getMessage(bucketStream(team), query).catch((error) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (!message) return { changes, last: seq };
    seq = message.seq;
    changes.push({
      key: keyIn(team, message.subject),
      text: message.string(),
      revision: message.seq,
      at: message.time.getTime(),
    });
  }
}

const keyIn = (team: string, subject: string) => subject.slice(`$KV.${bucketOf(team)}.`.length);

/** Called for every change as it happens; a missed one is found by the next look. */
export const watchState = ({ nc, team }: Engine, changed: () => void) =>
  nc.subscribe(bucketSubjects(team), { callback: changed });

export const isConflict = (error: unknown): boolean =>
  error instanceof JetStreamApiError && (error.code === 10_071 || error.code === 10_164);
