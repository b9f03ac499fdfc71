// A team on three machines, with everything failing that can: couriers, writers and the server killed, cables cut and blocked.
// What was accepted is shown, in each sender's order; a task has one owner.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { closeEngine, openEngine } from "../../lib/machines/engine.ts";
import { countMail } from "../../lib/machines/mail-stream.ts";
import { commitTask, reserveTask } from "../../lib/machines/operations.ts";
import { outboxSize } from "../../lib/machines/outbound.ts";
import { readStatus } from "../../lib/machines/store/relay.ts";
import { claimMail, hasQueued, markShown, readOrigins } from "../../lib/mail/store/inbox.ts";
import { readTasks } from "../../lib/tasks/store.ts";
import { whyNoServer } from "../../test/support/a-nats-server.ts";
import { aRelay } from "../../test/support/a-relay.ts";
import { as, TEAM } from "../../test/support/a-team.ts";
import { cleanEnv, ROOT } from "../../test/support/run-built.ts";
import { costs } from "./machines/costs.ts";
import { aFleet, type Box, type Fleet } from "./machines/fleet.ts";
import type { Ask, Result, Scenario } from "./scenario.ts";

const SENDER = join(import.meta.dirname ?? __dirname, "machines", "sender.ts");
const TSX = pathToFileURL(join(ROOT, "node_modules/tsx/dist/loader.mjs")).href;
const pause = (ms: number) => new Promise<void>((wake) => setTimeout(wake, ms));

/** What is still on its way may take this long without any progress: a dead courier's lock, a server that starts. */
const SETTLE_MS = 90_000;

interface Tally {
  accepted: Map<string, number>;
  shown: string[];
  kills: Record<"couriers" | "writers" | "server" | "partitions", number>;
}

const SHORT_MESSAGES = 200;
const isLong = ({ until }: Ask) => !Number.isFinite(until);

const withServer = (
  name: string,
  weight: number,
  atLeast: Scenario["atLeast"],
  run: Scenario["run"],
): Scenario => ({
  name: `machines: ${name}`,
  weight,
  atLeast,
  run: async (ask) => {
    const why = whyNoServer();
    return why ? { done: `skipped: ${why}`, figures: "", failures: [], isSkipped: true } : run(ask);
  },
});

export const machines: Scenario[] = [
  withServer("mail under kills and partitions", 6, { points: 100, kills: 2 }, (ask) =>
    mailUnderKills(ask, isLong(ask) ? ask.messages : SHORT_MESSAGES),
  ),
  withServer("tasks claimed", 2, { points: 20 }, (ask) =>
    isLong(ask) ? claimedOnce(ask, 200, 30) : claimedOnce(ask, 20, 9),
  ),
  withServer("what a relay costs", 2, { points: 10 }, async (ask) => ({
    done: "two machines, idle and with a message at a time",
    figures: await costs(isLong(ask), ask.count),
    failures: [],
  })),
];

const AGENTS = { laptop: ["alice", "ann"], cloud: ["bob", "ben"], box: ["carol", "cem"] };

async function mailUnderKills(ask: Ask, messages: number): Promise<Result> {
  const fleet = await aFleet(AGENTS);
  const tally: Tally = {
    accepted: new Map(),
    shown: [],
    kills: { couriers: 0, writers: 0, server: 0, partitions: 0 },
  };
  const state = { isWriting: true, isReading: true };
  try {
    for (const box of fleet.boxes) box.courier();
    const reading = reader(fleet, tally, state);
    const trouble = troubles(ask, fleet, tally, state, messages >= 2_000 ? 20 : 4);
    const pairs = fleet.boxes.flatMap((box) =>
      box.agents.flatMap((from) =>
        fleet.boxes
          .filter((other) => other !== box)
          .map((other) => ({ box, from, to: ask.random.pick(other.agents) })),
      ),
    );
    const each = Math.ceil(messages / pairs.length);
    await Promise.all(pairs.map((pair) => writer(ask, pair, each, tally)));
    state.isWriting = false;
    await trouble;
    const total = [...tally.accepted.values()].reduce((sum, count) => sum + count, 0);
    let progress = { at: Date.now(), shown: 0 };
    while (new Set(tally.shown).size < total && Date.now() - progress.at < SETTLE_MS) {
      await pause(500);
      if (tally.shown.length > progress.shown) progress = { at: Date.now(), shown: tally.shown.length };
    }
    await pause(1_000);
    state.isReading = false;
    await reading;
    ask.count.points = total;
    const result = verdict(tally, total);
    if (result.failures.length > 0) result.failures.unshift(...(await lookedAt(fleet)));
    return result;
  } finally {
    await fleet.end();
  }
}

/** A writer that is killed goes on where it was: after the last message that it knows to be accepted. */
async function writer(
  ask: Ask,
  { box, from, to }: { box: Box; from: string; to: string },
  count: number,
  tally: Tally,
) {
  let next = 0;
  while (next < count) {
    const child = spawn(
      process.execPath,
      ["--import", TSX, SENDER, box.home.root, from, to, String(next), String(count - next)],
      {
        env: { ...cleanEnv(box.home) },
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    let said = "";
    child.stdout?.on("data", (chunk) => {
      said += chunk;
    });
    const killer =
      ask.random.next() < 0.3
        ? setTimeout(() => child.kill("SIGKILL"), 500 + ask.random.below(2_000))
        : undefined;
    await new Promise((resolve) => child.on("close", resolve));
    clearTimeout(killer);
    if (child.signalCode) {
      tally.kills.writers++;
      ask.count.kills++;
    }
    const last = said.split("\n").slice(0, -1).at(-1);
    if (last !== undefined) next = Number(last) + 1;
    tally.accepted.set(`${from}-${to}`, next);
    // Written but not said: the kill came in between, and the number may be there already.
    if (child.signalCode && next < count) next = accountFor(box, from, to, next);
    tally.accepted.set(`${from}-${to}`, next);
  }
}

function accountFor({ home }: Box, from: string, to: string, next: number): number {
  return readOrigins(home.paths, TEAM, to).has(`${from}-${to}-${next}`) ? next + 1 : next;
}

/** Every agent takes its mail as a session does: claimed, shown, marked. */
async function reader({ boxes }: Fleet, tally: Tally, state: { isReading: boolean }) {
  while (state.isReading) {
    for (const { home, agents } of boxes)
      for (const agent of agents) {
        const now = new Date();
        if (!hasQueued(home.paths, TEAM, agent, now)) continue;
        const waitMs = 60_000;
        const claim = { by: "reader", now, choose: <T>(queued: T[]) => queued, waitMs };
        const { messages } = claimMail(home.paths, TEAM, agent, claim);
        const ids = messages.map(({ id }) => id);
        tally.shown.push(...ids);
        markShown(home.paths, TEAM, agent, {
          ids: new Set(ids),
          now,
          keepRead: 50,
          retentionDays: 30,
          waitMs,
        });
        await pause(1);
      }
    await pause(50);
  }
}

async function troubles(
  ask: Ask,
  fleet: Fleet,
  tally: Tally,
  state: { isWriting: boolean },
  partitions: number,
) {
  const pick = () => ask.random.pick(fleet.boxes);
  const isShort = () => tally.kills.partitions < partitions || ask.count.kills < ask.atLeast.kills;
  while (state.isWriting || isShort()) {
    const box = pick();
    box.cable.set(ask.random.next() < 0.5 ? "cut" : "blocked");
    tally.kills.partitions++;
    await pause(500 + ask.random.below(2_000));
    box.cable.set("whole");
    if (ask.random.next() < 0.5) {
      pick().killCourier();
      tally.kills.couriers++;
      ask.count.kills++;
    }
    if (ask.random.next() < 0.3) {
      await fleet.server.kill();
      await fleet.server.start();
      tally.kills.server++;
      ask.count.kills++;
    }
    await pause(500 + ask.random.below(2_500));
  }
}

/** Where things stand when something is missing. */
async function lookedAt({ boxes, server }: Fleet): Promise<string[]> {
  const lines = boxes.map(async ({ name, home }) => {
    const engine = await openEngine(aRelay(server.url, name), undefined, true);
    const waiting = await countMail(engine);
    await closeEngine(engine);
    const outbox = outboxSize({ paths: home.paths, team: TEAM });
    const status = JSON.stringify(readStatus(home.paths, TEAM));
    return `${name}: ${waiting} waiting, outbox ${outbox}, ${status}`;
  });
  return Promise.all(lines);
}

function verdict({ accepted, shown, kills }: Tally, total: number): Result {
  const failures: string[] = [];
  const first = [...new Set(shown)];
  const known = new Set(first);
  for (const [pair, count] of accepted)
    for (let n = 0; n < count; n++)
      if (!known.has(`${pair}-${n}`)) failures.push(`${pair}-${n} was accepted and never shown`);
  const last = new Map<string, number>();
  for (const id of first) {
    const [, pair = "", n = ""] = id.match(/^(.*)-(\d+)$/) ?? [];
    if (Number(n) < (last.get(pair) ?? -1)) failures.push(`${id} was shown after ${pair}-${last.get(pair)}`);
    last.set(pair, Math.max(Number(n), last.get(pair) ?? -1));
  }
  const twice = shown.length - first.length;
  return {
    done: `${total} messages between 3 machines; killed with -9: ${kills.couriers} couriers, ${kills.writers} writers, ${kills.server} times the server; ${kills.partitions} partitions`,
    figures: `${total} accepted, ${first.length} shown, ${twice} of them twice, order kept`,
    failures,
  };
}

async function claimedOnce(ask: Ask, count: number, processes: number): Promise<Result> {
  const names = (prefix: string) =>
    Array.from({ length: Math.ceil(processes / 3) }, (_, n) => `${prefix}${n}`);
  const fleet = await aFleet({ laptop: names("a"), cloud: names("b"), box: names("c") });
  try {
    const [first] = fleet.boxes as [Box];
    // On a slow machine this outlasts a lease, and a claim that was lost by silence is taken over (test/machines/server/claims.test.ts).
    for (const { home } of fleet.boxes)
      home.write(".claude/swarm/settings.toml", "[heartbeat]\nstale_s = 86400\n");
    const engine = await openEngine(aRelay(fleet.server.url, "laptop"));
    for (let n = 0; n < count; n++) {
      const id = String(await reserveTask(engine));
      await commitTask(engine, id, null, {
        id,
        subject: `task ${n}`,
        description: "",
        status: "pending",
        blocks: [],
        blockedBy: [],
      });
    }
    await closeEngine(engine);
    const won = new Map<string, string[]>();
    const failures: string[] = [];
    const work = Array.from({ length: processes }, (_, n) => fleet.boxes[n % fleet.boxes.length] as Box).map(
      async (box, n) => {
        const agent = box.agents[Math.floor(n / fleet.boxes.length)] as string;
        for (;;) {
          const { code, out, err } = await swarm(box, ["task", "claim", "--json"], agent);
          if (code !== 0) {
            if (err) failures.push(`${agent}: ${err.slice(0, 200)}`);
            return;
          }
          const { id } = JSON.parse(out) as { id: string };
          won.set(id, [...(won.get(id) ?? []), agent]);
        }
      },
    );
    await Promise.all(work);
    for (const [id, winners] of won)
      if (winners.length > 1) failures.push(`task ${id} was won by ${winners.join(" and ")}`);
    ask.count.points = won.size;
    if (won.size !== count) failures.push(`${won.size} of ${count} tasks were won`);
    for (const task of readTasks(first.home.paths, TEAM))
      if (task.owner && won.get(task.id)?.[0] !== task.owner)
        failures.push(`task ${task.id} is ${task.owner}'s here`);
    return {
      done: `${count} tasks claimed by ${processes} processes on 3 machines`,
      figures: `${won.size} tasks with one winner each`,
      failures,
    };
  } finally {
    await fleet.end();
  }
}

function swarm(
  box: Box,
  args: string[],
  agent: string,
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(ROOT, "plugin/bin/swarm"), ...args], {
      env: cleanEnv(box.home, as(agent)),
      cwd: box.home.project,
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    child.on("close", (code) => resolve({ code, out, err: err.trim() }));
  });
}
