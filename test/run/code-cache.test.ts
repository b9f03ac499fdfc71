// The built hooks start from bytecode that an earlier run left beside them; whatever is wrong with it costs time, never a call.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { beforeEach, expect, test } from "vitest";
import { isDue } from "../../lib/run/code-cache.ts";
import { keep } from "../../lib/run/keep-bytecode.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { cleanEnv, ROOT } from "../support/run-built.ts";

let home: Home;
beforeEach(() => {
  home = aHome();
  cpSync(join(ROOT, "dist"), home.path("plugin/dist"), { recursive: true });
});

function startSession(options: { uid?: number; gid?: number } = {}) {
  const ran = spawnSync(process.execPath, [home.path("plugin/dist/hooks/session-start.cjs")], {
    env: cleanEnv(home),
    cwd: "/",
    input: JSON.stringify({ session_id: "s-1", cwd: home.project, source: "startup" }),
    ...options,
  });
  return { status: ran.status, stdout: ran.stdout.toString(), stderr: ran.stderr.toString() };
}

const ANSWER = expect.objectContaining({
  status: 0,
  stdout: expect.stringContaining("SESSION_ID=s-1"),
  stderr: "",
});

/** Paths below the cache, with the build's name in front. */
const kept = (): string[] =>
  readdirSync(home.path("plugin/.cache"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".cjs"))
    .sort();
const body = () =>
  home.path("plugin/.cache", kept().find((name) => name.includes("body-session-start")) ?? "");

test("the first run leaves its bytecode, and the next starts from it with the same answer", () => {
  expect(startSession()).toEqual(ANSWER);
  const first = kept();
  expect(first.some((name) => name.includes(process.version))).toBe(true);
  expect(startSession()).toEqual(ANSWER);
  expect(kept()).toEqual(first);
});

test.each([
  ["rubbish", Buffer.from("no bytecode at all")],
  ["nothing", Buffer.alloc(0)],
])("bytecode that is %s is passed over, and made anew only after an hour", (_, content) => {
  startSession();
  writeFileSync(body(), content);
  expect(startSession()).toEqual(ANSWER);
  expect(readFileSync(body())).toEqual(content);
  const twoHoursAgo = Date.now() / 1000 - 7_200;
  utimesSync(body(), twoHoursAgo, twoHoursAgo);
  expect(startSession()).toEqual(ANSWER);
  expect(readFileSync(body()).length).toBeGreaterThan(10_000);
});

test("it is looked through for more ever more seldom while there is nothing, and often again once there was", () => {
  const path = home.path("plugin/.cache/build/v20/part.cjs");
  const looked = (bytes: number, looks: number, pid: number, script = new Script("1")) => {
    rmSync(path, { force: true });
    keep(home.path("plugin/.cache/build/v20"), [{ path, script, bytes, looks, exports: {} }], pid);
    return existsSync(path) ? readFileSync(path).at(-1) : undefined;
  };
  const whole = new Script("1").createCachedData().length;
  expect([0, 1, 2, 8].map((looks) => looked(whole, looks, 0))).toEqual([1, 2, 3, 8]);
  expect(looked(whole, 2, 1)).toBeUndefined();
  expect(looked(whole - 8, 5, 0)).toBe(0);
});

test("a part that few runs load has the others looked through again, for what only those runs need of them", () => {
  const cache = home.path("plugin/.cache/build/v20");
  const script = new Script("1");
  const bytes = script.createCachedData().length;
  const part = (name: string, looks: number) => ({
    path: join(cache, name),
    script,
    bytes,
    looks,
    exports: {},
  });
  keep(cache, [part("common", 8), part("rare", 1)], 0);
  expect(readdirSync(cache).sort()).toEqual(["common", "rare"]);
  rmSync(cache, { recursive: true });
  keep(cache, [part("common", 8), part("rare", 8)], 1);
  expect(readdirSync(cache)).toEqual([]);
});

test.each([
  [0, 1],
  [1, 1 / 2],
  [3, 1 / 8],
  [8, 1 / 256],
  [250, 1 / 256],
])(
  "looked through %d times in vain: about %d of the runs look again, whatever the step of their pids",
  (looks, share) => {
    for (const step of [1, 2, 4, 6, 15, 16, 64]) {
      const due = Array.from({ length: 8192 }, (_, n) => isDue({ looks }, 5000 + n * step)).filter(Boolean);
      expect(due.length / 8192).toBeCloseTo(share, 2);
    }
  },
);

test("what another build left behind goes", () => {
  mkdirSync(home.path("plugin/.cache/0123456789ab/v20"), { recursive: true });
  startSession();
  expect(readdirSync(home.path("plugin/.cache"))).toHaveLength(1);
});

test("a plugin that cannot be written works without", () => {
  chmodSync(home.root, 0o755);
  chmodSync(home.path("plugin"), 0o555);
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  expect(startSession(asNobody)).toEqual(ANSWER);
  expect(readdirSync(home.path("plugin"))).toEqual(["dist"]);
});

test("code that is gone, as in the middle of an update, stops no client", () => {
  rmSync(home.path("plugin/dist/body"), { recursive: true });
  expect(startSession()).toEqual({
    status: 0,
    stdout: "",
    stderr: expect.stringMatching(/^swarm: this hook could not be loaded: ENOENT.*\n$/),
  });
});
