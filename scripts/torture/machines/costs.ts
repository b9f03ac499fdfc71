// What a relay costs: the way of a message, a hook's time with and without, and a courier's memory and traffic.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureTriggers } from "../../../lib/mail/store/wake-triggers.ts";
import { as, TEAM } from "../../../test/support/a-team.ts";
import { cleanEnv, ROOT } from "../../../test/support/run-built.ts";
import { relayedHome, teamHome } from "../../bench/homes.ts";
import { waitedFor } from "../../bench/hooks.ts";
import { type Case, hasValgrind, instructions, medians } from "../../bench/measure.ts";
import type { Ask } from "../scenario.ts";
import { aFleet, type Box } from "./fleet.ts";

const pause = (ms: number) => new Promise<void>((wake) => setTimeout(wake, ms));
const at = (sorted: number[], share: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
const inOrder = (values: number[]) => values.sort((a, b) => a - b);

/** Each message that arrives is a point. */
export async function costs(isLong: boolean, count: Ask["count"]): Promise<string> {
  const figures = [await latency(isLong ? 100 : 10, count)];
  if (isLong) figures.push(await weight(10), await weight(100), hooks());
  return figures.join("; ");
}

async function connected({ home, courier }: Box): Promise<void> {
  courier();
  for (let n = 0; n < 600; n++) {
    if (
      home.has(`.claude/swarm/relay/status/${TEAM}.json`) &&
      home.json(`.claude/swarm/relay/status/${TEAM}.json`).connectedSince
    )
      return;
    await pause(50);
  }
  throw new Error("no courier connected");
}

async function latency(samples: number, count: Ask["count"]): Promise<string> {
  const fleet = await aFleet({ laptop: ["alice"], cloud: ["bob"] });
  try {
    const [laptop, cloud] = fleet.boxes as [Box, Box];
    await Promise.all([connected(laptop), connected(cloud)]);
    const triggers = ensureTriggers(cloud.home.paths, TEAM, "bob");
    const touched = () => Math.max(...triggers.map((trigger) => statSync(trigger).mtimeMs));
    const whole: number[] = [];
    const carried: number[] = [];
    for (let n = 0; n < samples; n++) {
      await pause(200);
      const before = touched();
      const began = Date.now();
      const env = cleanEnv(laptop.home, as("alice"));
      const child = spawn(process.execPath, [join(ROOT, "plugin/bin/swarm"), "send", "bob", `message ${n}`], {
        env,
        cwd: laptop.home.project,
        stdio: "ignore",
      });
      await new Promise((resolve) => child.on("close", resolve));
      const accepted = Date.now();
      for (const end = Date.now() + 10_000; touched() === before && Date.now() < end; ) await pause(1);
      if (touched() !== before) count.points++;
      whole.push(touched() - began);
      carried.push(Math.max(0, touched() - accepted));
    }
    inOrder(whole);
    inOrder(carried);
    return `swarm send to the wake-up trigger elsewhere p50 ${at(whole, 0.5)} ms, p95 ${at(whole, 0.95)} ms (after the verb has ended: ${at(carried, 0.5)} and ${at(carried, 0.95)} ms)`;
  } finally {
    await fleet.end();
  }
}

/** The least of three: a run that refreshes its bytecode costs more. */
const least = (one: Case) => Math.min(...[1, 2, 3].map(() => instructions(one)));

/** In instructions: a ratio of times says more about what else the machine does. */
function hooks(): string {
  if (!hasValgrind()) return "blocking hooks with a relay against without: not measured, needs valgrind";
  const root = mkdtempSync(join(tmpdir(), "swarm-relay-cost-"));
  try {
    const without = waitedFor(teamHome(join(root, "without")));
    const ratios = waitedFor(relayedHome(join(root, "with"))).map((one, n) => {
      const other = without[n] as Case;
      medians([one, other], 0);
      return `${one.name} ${(least(one) / least(other)).toFixed(3)}`;
    });
    return `instructions of every blocking hook with a relay against without: ${ratios.join(", ")}`;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const IDLE_MS = 20_000;

async function weight(agents: number): Promise<string> {
  const names = (prefix: string) => Array.from({ length: agents / 2 }, (_, n) => `${prefix}${n}`);
  const fleet = await aFleet({ laptop: names("a"), cloud: names("b") });
  try {
    const [laptop, cloud] = fleet.boxes as [Box, Box];
    await Promise.all([connected(laptop), connected(cloud)]);
    await pause(5_000);
    const before = laptop.cable.bytes();
    await pause(IDLE_MS);
    const pid = laptop.courier()?.pid;
    const kb = Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)?.[1] ?? 0);
    const traffic = (laptop.cable.bytes() - before) / (IDLE_MS / 1000);
    return `an idle courier with ${agents} agents: ${Math.round(kb / 1024)} MB, ${Math.round(traffic)} B/s`;
  } finally {
    await fleet.end();
  }
}
