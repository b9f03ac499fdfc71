// What a store promises when processes meet, die or find no room: shown with real processes. `npm run torture` does the same at length.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync, stop } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aHome } from "../support/a-home.ts";

afterAll(() => stop()); // its process would stay as long as the worker

const scratch = mkdtempSync(join(tmpdir(), "swarm-crash-"));
const worker = join(scratch, "worker.cjs");

beforeAll(() => {
  const entry = join(import.meta.dirname, "..", "support", "store-worker.ts");
  buildSync({ entryPoints: [entry], outfile: worker, bundle: true, platform: "node", format: "cjs" });
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Work {
  child: ChildProcess;
  accepted: string[];
  done: Promise<number | null>;
}

function start(what: string, path: string, name: string, times: number): Work {
  const child = spawn(process.execPath, [worker, what, path, name, String(times)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const work: Work = { child, accepted: [], done: new Promise((resolve) => child.on("close", resolve)) };
  let text = "";
  child.stdout?.on("data", (chunk) => {
    text += chunk;
    work.accepted = text.split("\n").slice(0, -1);
  });
  return work;
}

test("12 processes writing one file lose nothing", async () => {
  const path = join(aHome().root, "x.json");
  const all = Array.from({ length: 12 }, (_, n) => start("update", path, `w${n}`, 5));
  expect(await Promise.all(all.map((one) => one.done))).toEqual(Array(12).fill(0));
  const stored: string[] = JSON.parse(readFileSync(path, "utf8"));
  expect(stored.length).toBe(60);
  expect(new Set(stored)).toEqual(new Set(all.flatMap((one) => one.accepted)));
}, 60_000);

test("12 processes appending to one log tear no line", async () => {
  const home = aHome();
  const all = Array.from({ length: 12 }, (_, n) => start("append", home.path("x.jsonl"), `w${n}`, 50));
  await Promise.all(all.map((one) => one.done));
  expect(home.lines("x.jsonl").length).toBe(600);
}, 60_000);

/** The same moments each time the suite runs; the machine's own noise does the rest. */
function* randomMoments(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

async function killRounds(
  path: string,
  lane: number,
  rounds: number,
): Promise<{ accepted: string[]; leftLocked: number }> {
  const moments = randomMoments(lane + 1);
  const accepted: string[] = [];
  let leftLocked = 0;
  for (let round = 0; round < rounds; round++) {
    const work = start("update", path, `l${lane}r${round}`, 100_000);
    await new Promise((resolve) => work.child.stdout?.once("data", resolve));
    await new Promise((resolve) => setTimeout(resolve, moments.next().value * 12));
    work.child.kill("SIGKILL");
    await work.done;
    accepted.push(...work.accepted);
    const stored: string[] = JSON.parse(readFileSync(path, "utf8"));
    expect(stored).toEqual(expect.arrayContaining(work.accepted));
    if (existsSync(`${path}.lock`)) {
      leftLocked++;
      utimesSync(`${path}.lock`, 0, 0); // as if the stale time had passed
    }
    if (stored.length > 400) writeFileSync(path, "[]");
  }
  return { accepted, leftLocked };
}

test("kill -9 at 48 random moments leaves valid JSON and every acknowledged write", async () => {
  const home = aHome();
  const lanes = await Promise.all(
    [0, 1, 2, 3].map((lane) => killRounds(home.path(`x${lane}.json`), lane, 12)),
  );
  expect(lanes.flatMap((lane) => lane.accepted).length).toBeGreaterThan(48);
  expect(lanes.reduce((sum, lane) => sum + lane.leftLocked, 0)).toBeGreaterThan(0);
}, 120_000);

test("a full disk keeps the old content", (ctx) => {
  const home = aHome();
  const disk = home.path("disk");
  mkdirSync(disk);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]);
  if (mounted.status !== 0) {
    const why = `no small disk can be made here: ${mounted.stderr?.toString().trim() || mounted.error?.message}`;
    console.log(why);
    return ctx.skip(why);
  }
  try {
    const path = join(disk, "x.json");
    writeFileSync(path, JSON.stringify(["old"]));
    spawnSync("dd", ["if=/dev/zero", `of=${join(disk, "filler")}`, "bs=1k"], { stdio: "ignore" });
    const run = spawnSync(process.execPath, [worker, "update", path, "y".repeat(9_000), "1"]);
    expect(run.status).not.toBe(0);
    expect(run.stderr.toString()).toContain("ENOSPC");
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(["old"]);
    expect(existsSync(`${path}.lock`)).toBe(false);
  } finally {
    execFileSync("umount", [disk]);
  }
});
