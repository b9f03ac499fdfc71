// The relay's side of a team: one stream for mail, from which a message goes when its reader's machine has it, and one bucket for
// everything that has a present value (tasks, roster, lead). Set up by whoever comes first, checked by everybody else.
import {
  AckPolicy,
  type Consumer,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import { type NatsConnection, nanos } from "@nats-io/transport-node";
import type { Change } from "./clock.ts";
import { CONNECT_MS, connect, within } from "./connection.ts";
import { bucketOf, bucketStream, KEYS, mailStream, mailSubjects, subjectsTo } from "./names.ts";
import type { Relay } from "./store/relay.ts";

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
}

export const REQUEST_MS = 5_000;
const MB = 1024 * 1024;
const DAY_MS = 86_400_000;
/** A publish that is tried again within this time is stored once; the receiver drops what comes later. */
const DUPLICATES_MS = 3_600_000;

const mailConfig = (team: string, replicas: number) => ({
  name: mailStream(team),
  subjects: [mailSubjects(team)],
  retention: RetentionPolicy.Workqueue,
  storage: StorageType.File,
  // A full stream refuses, so that the message stays in its sender's outbox.
  discard: DiscardPolicy.New,
  max_bytes: 256 * MB,
  max_age: nanos(30 * DAY_MS),
  duplicate_window: nanos(DUPLICATES_MS),
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
    await ensureMailStream(jsm, team, relay.replicas);
    const kv = await ensureBucket(js, jsm, team, relay.replicas);
    const server = { name: nc.info?.server_name ?? "", version: nc.info?.version ?? "" };
    const clockMs = isSilent ? 0 : await measureClock(kv, machine);
    return { nc, js, jsm, kv, team, machine, clockMs, server };
  } catch (error) {
    await closeEngine({ nc });
    throw new Error(`the relay at ${nc.getServer()} refuses: ${(error as Error).message}`);
  }
}

export async function closeEngine({ nc }: Pick<Engine, "nc">): Promise<void> {
  try {
    await within(1_000, nc.close(), "slow");
  } catch {
    // It is gone either way.
  }
}

const isMissing = (error: unknown) => error instanceof JetStreamApiError && error.status === 404;

async function ensureMailStream(jsm: JetStreamManager, team: string, replicas: number): Promise<void> {
  const wanted = mailConfig(team, replicas);
  const there = await infoOf(jsm, wanted.name);
  if (there) return refuse(whyOther(there, wanted.subjects));
  await jsm.streams.add(wanted);
}

async function ensureBucket(
  js: JetStreamClient,
  jsm: JetStreamManager,
  team: string,
  replicas: number,
): Promise<KV> {
  const there = await infoOf(jsm, bucketStream(team));
  if (there) {
    refuse(whyOther(there, [`$KV.${bucketOf(team)}.>`]));
    return new Kvm(js).open(bucketOf(team), { allow_direct: there.allow_direct } as never);
  }
  return new Kvm(js).create(bucketOf(team), {
    history: 1,
    max_bytes: 64 * MB,
    replicas,
    storage: StorageType.File,
  });
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

const refuse = (why: string | undefined): void => {
  if (why) throw new Error(why);
};

/** The server stamps what is stored: our own key tells how far our clocks are apart. */
export async function measureClock(kv: KV, machine: string): Promise<number> {
  const before = Date.now();
  await kv.put(KEYS.machine(machine), JSON.stringify({ v: 1 }));
  const after = Date.now();
  const entry = await kv.get(KEYS.machine(machine));
  return entry ? Math.round(entry.created.getTime() - (before + after) / 2) : 0;
}

/**
 * Made anew each time: the stream holds exactly what is not acknowledged, so a new consumer delivers that in order and at once,
 * where the old one would first deliver what is new and wait for the time limit of what its dead reader had taken.
 */
export async function mailConsumer({ js, jsm, team, machine }: Engine): Promise<Consumer> {
  const stream = mailStream(team);
  try {
    await jsm.consumers.delete(stream, machine);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const info = await jsm.consumers.add(stream, {
    durable_name: machine,
    filter_subject: subjectsTo(team, machine),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(60_000),
    max_ack_pending: 500,
  });
  return js.consumers.getConsumerFromInfo(info);
}

/** The newest value of every key, then what changes. Nobody misses it when we are gone. */
export async function stateConsumer({ js, jsm, team }: Engine): Promise<Consumer> {
  const info = await jsm.consumers.add(bucketStream(team), {
    filter_subject: `$KV.${bucketOf(team)}.>`,
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.LastPerSubject,
    inactive_threshold: nanos(60_000),
    mem_storage: true,
  });
  return js.consumers.getConsumerFromInfo(info);
}

export function changeOf(team: string, message: JsMsg): Change {
  return {
    key: message.subject.slice(`$KV.${bucketOf(team)}.`.length),
    text: message.string(),
    revision: message.seq,
    at: message.info.timestampNanos / 1e6,
  };
}

const PULL_MS = 10_000;
const BATCH = 100;

/** Short and armed again by the caller: a long one hangs when the server is restarted meanwhile. */
export const pull = (consumer: Consumer, expires = PULL_MS) =>
  consumer.fetch({ max_messages: BATCH, expires, bind: true } as never);

/** Everything there is now, and no more. */
export async function drain(
  consumer: Consumer,
  take: (message: JsMsg) => void | Promise<void>,
): Promise<number> {
  let taken = 0;
  for (;;) {
    const { num_pending } = await consumer.info();
    if (num_pending === 0) return taken;
    const messages = await consumer.fetch({ max_messages: Math.min(num_pending, BATCH), expires: 2_000 });
    for await (const message of messages) {
      await take(message);
      taken++;
    }
  }
}

export const isConflict = (error: unknown): boolean =>
  error instanceof JetStreamApiError && (error.code === 10_071 || error.code === 10_164);
