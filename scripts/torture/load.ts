// Many senders and readers on one team, killed at random moments: whatever was reported to its sender as queued reaches its
// reader at least once, twice only where a reader died between showing and marking, and for each sender in the order of sending.
import { setTimeout as pause } from "node:timers/promises";
import { as, aTeam } from "../../test/support/a-team.ts";
import type { Home } from "../../test/support/home-at.ts";
import { aTorturedHome, removeHome } from "./fixture.ts";
import { ageLocks, damaged, shownIn } from "./inspect.ts";
import { inLanes, type Ran, type Start, startHook, startVerb } from "./processes.ts";
import { type Ask, isOver, type Result, type Scenario } from "./scenario.ts";

const named = (what: string, length: number) => Array.from({ length }, (_, n) => `${what}-${n}`);
/** One in so many processes is killed, unless the scenario says otherwise. */
const KILLED = 25;
/** Later than every claim's lease, so that what a killed reader had claimed is in the queue again. */
const AFTER_LEASES = { start: 0, everyMs: 1, offsets: [60_000] };
const READS_EVERY_MS = 300;
/** Sixty-four processes at once on few cores: starting alone takes seconds. */
const CROWDED_MS = 60_000;
const REPEATED = "came twice without a kill";
const INVERTED = "came after a later one of its sender";
/** Beyond this share of the time nothing more is sent: the rest is for reading. */
const SENDING_SHARE = 0.6;

interface Post {
  /** Accepted, by text and reader. */
  accepted: Set<string>;
  /** How often each was shown, and by whom that died showing it. */
  shown: Map<string, number>;
  shownByKilled: Set<string>;
  /** The latest message of a sender that a reader was shown. */
  latest: Map<string, number>;
  calls: number;
  killed: number;
  refused: number;
  failures: string[];
}

/** `mayRepeat`: a claim is a lease, and time itself is what is broken here. */
interface World extends Pick<Start, "clock"> {
  mayRepeat?: boolean;
  killed?: number;
  crowd?: { senders: number; readers: number };
}

const key = (reader: string, text: string) => `${reader}: ${text}`;

export const load = (weight: number, world: World = {}): Omit<Scenario, "name"> => ({
  weight,
  atLeast: { points: 20, kills: 2 },
  run: async (ask) => {
    const home = aTorturedHome();
    const { mayRepeat = false, killed = KILLED, crowd = { senders: 64, readers: 8 }, ...start } = world;
    const senders = named("sender", crowd.senders);
    const readers = named("reader", crowd.readers);
    aTeam(home, ["team-lead", ...senders, ...readers]);
    const post: Post = {
      accepted: new Set(),
      shown: new Map(),
      shownByKilled: new Set(),
      latest: new Map(),
      calls: 0,
      killed: 0,
      refused: 0,
      failures: [],
    };
    try {
      await sendAndRead(home, post, { ...ask, killed, senders, readers }, start);
      for (let round = 0; round < 50 && unseen(post).length > 0; round++) {
        ageLocks(home);
        const left = new Set(unseen(post).map((one) => one.split(": ")[0]));
        await inLanes(4, [...left], (name) => read(home, post, ask, name as string, { clock: AFTER_LEASES }));
      }
      return resultOf(
        home,
        crowd,
        mayRepeat ? { ...post, failures: post.failures.filter((one) => !isOfTime(one)) } : post,
      );
    } finally {
      removeHome(home);
    }
  },
});

/** A lease that ends early by a jump of the clock lets another reader in. */
const isOfTime = (failure: string) => failure.endsWith(REPEATED) || failure.endsWith(INVERTED);

type Asked = Ask & { killed: number; senders: string[]; readers: string[] };

async function sendAndRead(home: Home, post: Post, ask: Asked, world: Start): Promise<void> {
  const began = Date.now();
  const stop = Number.isFinite(ask.until) ? began + (ask.until - began) * SENDING_SHARE : ask.until;
  const isEnough = () => isOver({ ...ask, until: stop }) || post.accepted.size >= ask.messages;
  const sending = ask.senders.map(async (name) => {
    for (let n = 0; !isEnough(); n++) await send(home, post, name, n, ask, world);
  });
  let writing = true;
  const reading = ask.readers.map(async (name) => {
    while (writing && !isOver(ask)) {
      await read(home, post, ask, name, { ...world, ...chance(ask, 250) });
      await pause(READS_EVERY_MS);
    }
  });
  await Promise.all(sending);
  writing = false;
  await Promise.all(reading);
}

const chance = ({ random, killed }: Asked, withinMs: number): Start =>
  random.below(killed) === 0 ? { killAfterMs: random.next() * withinMs } : {};

/** To all readers, and in every fourth call to one. */
async function send(
  home: Home,
  post: Post,
  from: string,
  n: number,
  ask: Asked,
  world: Start,
): Promise<void> {
  const text = `${from} ${n}`;
  const isToAll = n % 4 > 0;
  const to = isToAll ? ask.readers : [ask.random.pick(ask.readers)];
  const others = ["team-lead", ...ask.senders].filter((name) => name !== from);
  const words = isToAll
    ? ["broadcast", text, ...others.flatMap((name) => ["--exclude", name])]
    : ["send", to[0] ?? "", text];
  const ran = await startVerb(home, words, {
    ...world,
    env: as(from),
    hangsAfterMs: CROWDED_MS,
    ...chance(ask, 500),
  });
  count(post, ask, ran, [0, 1]);
  if (ran.exitCode === 0) for (const reader of to) post.accepted.add(key(reader, text));
  if (ran.exitCode === 1) post.refused++;
}

async function read(
  home: Home,
  post: Post,
  ask: Pick<Ask, "count">,
  name: string,
  start: Start,
): Promise<void> {
  const payload = { session_id: name, prompt: "go on" };
  const ran = await startHook(home, "user-prompt-submit", payload, {
    hangsAfterMs: CROWDED_MS,
    ...start,
    env: as(name),
  });
  count(post, ask, ran, [0]);
  for (const text of shownIn(ran.stdout)) {
    const one = key(name, text);
    if (post.shown.has(one) && !post.shownByKilled.has(one)) post.failures.push(`${one} ${REPEATED}`);
    if (!post.shown.has(one)) noteOrder(post, name, text);
    post.shown.set(one, (post.shown.get(one) ?? 0) + 1);
    if (ran.signal) post.shownByKilled.add(one);
  }
}

/** By its first showing: what a killed reader was about to mark comes again, behind what it had shown. */
function noteOrder(post: Post, reader: string, text: string): void {
  const [sender = "", n = ""] = text.split(" ");
  const latest = post.latest.get(key(reader, sender)) ?? -1;
  if (Number(n) < latest) post.failures.push(`${key(reader, text)} ${INVERTED}`);
  else post.latest.set(key(reader, sender), Number(n));
}

function count(post: Post, ask: Pick<Ask, "count">, ran: Ran, meant: number[]): void {
  post.calls++;
  ask.count.points++;
  if (ran.hung) post.failures.push("a process hung");
  else if (ran.signal) {
    post.killed++;
    ask.count.kills++;
  } else if (!meant.includes(ran.exitCode ?? -1))
    post.failures.push(`exit ${ran.exitCode}: ${ran.stderr.slice(0, 200)}`);
}

const unseen = (post: Post): string[] => [...post.accepted].filter((one) => !post.shown.has(one));

function resultOf(home: Home, crowd: { senders: number; readers: number }, post: Post): Result {
  const lost = unseen(post).map((one) => `${one} was accepted and never shown`);
  const inverted = post.failures.filter((one) => one.endsWith(INVERTED)).length;
  const twice = [...post.shown.values()].filter((times) => times > 1).length;
  return {
    done: `${crowd.senders} senders, ${crowd.readers} readers, ${post.calls} processes, ${post.killed} of them killed`,
    figures: `${post.accepted.size} messages accepted, ${lost.length} lost, ${twice} shown twice, ${inverted} out of order, ${post.refused} calls refused`,
    failures: [...post.failures, ...lost, ...damaged(home)],
  };
}
