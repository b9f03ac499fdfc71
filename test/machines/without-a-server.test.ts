// What the courier's engine makes of a server's answers, a round by hand beside a courier, and the files of a server: no server runs.
import { chmodSync, mkdirSync, rmSync, utimesSync } from "node:fs";
import { JetStreamApiError } from "@nats-io/jetstream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  closeEngine,
  type Engine,
  isConflict,
  isMissing,
  measureClock,
  readAll,
  readSince,
} from "../../lib/machines/engine.ts";
import { machinesOf, makeConfig, provision, serve, type Wanted } from "../../lib/machines/server.ts";
import { type CourierStatus, readStatus, writeRelay, writeStatus } from "../../lib/machines/store/relay.ts";
import { syncTeams } from "../../lib/machines/sync.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aRelay } from "../support/a-relay.ts";
import { TEAM } from "../support/a-team.ts";

/** A port that nobody listens on. */
const NOWHERE = "127.0.0.1:1";
const apiError = (code: number, err_code = 0) => new JetStreamApiError({ code, err_code, description: "no" });

describe("the engine", () => {
  const engine = (more: object) => ({ team: "dev", ...more }) as unknown as Engine;
  const entry = (key: string, at: number) => ({
    ...{ key, revision: at, created: new Date(at), string: () => `value of ${key}` },
  });

  test.each([
    ["missing", isMissing, apiError(404), true],
    ["another status", isMissing, apiError(500), false],
    ["no error of the server", isMissing, new Error("404"), false],
    ["a wrong last revision", isConflict, apiError(400, 10_071), true],
    ["a wrong last revision, as newer servers say it", isConflict, apiError(400, 10_164), true],
    ["another code", isConflict, apiError(400, 10_077), false],
    ["no error of the server", isConflict, new Error("10071"), false],
  ])("errors: %s", (_, is, error, expected) => expect(is(error)).toBe(expected));

  test("clocks are apart by what the server stamps on our own sign of life, or by nothing known", async () => {
    const put = async () => 1;
    const clock = (created: Date | undefined) =>
      measureClock({ put, get: async () => created && { created } } as never, "laptop");
    expect(await clock(new Date(Date.now() + 60_000))).toBeGreaterThan(50_000);
    expect(await clock(new Date(Date.now() - 60_000))).toBeLessThan(-50_000);
    expect(await clock(undefined)).toBe(0);
  });

  test("every key's present value is read, those that are gone meanwhile are not there", async () => {
    const keys = Array.from({ length: 450 }, (_, at) => `task.${at + 1}`);
    const all = (subjects: Record<string, number> | undefined) =>
      readAll(
        engine({
          jsm: { streams: { info: async () => ({ state: { subjects, last_seq: 9 } }) } },
          kv: { get: async (key: string) => (key === "task.7" ? null : entry(key, 5)) },
        }),
      );
    const { changes, last } = await all(Object.fromEntries(keys.map((key) => [`$KV.SWARM_dev.${key}`, 1])));
    expect(last).toBe(9);
    expect(changes.map(({ key }) => key)).toEqual(keys.filter((key) => key !== "task.7"));
    expect(changes[0]).toEqual({ key: "task.1", text: "value of task.1", revision: 5, at: 5 });
    expect(await all(undefined)).toEqual({ changes: [], last: 9 });
  });

  test("what has changed since is read one after the other, up to the end; another error is one", async () => {
    const from = (end: () => null) => {
      const asked: number[] = [];
      const getMessage = async (_: string, { seq }: { seq: number }) => {
        asked.push(seq);
        if (seq > 8) return end();
        return { seq: seq + 1, subject: `$KV.SWARM_dev.k${seq}`, time: new Date(seq), string: () => "x" };
      };
      return { asked, read: readSince(engine({ jsm: { streams: { getMessage } } }), 4) };
    };
    const throwing = (error: Error) => (): null => {
      throw error;
    };
    const { asked, read } = from(throwing(apiError(404)));
    expect(await read).toEqual({
      changes: [
        { key: "k5", text: "x", revision: 6, at: 5 },
        { key: "k7", text: "x", revision: 8, at: 7 },
      ],
      last: 8,
    });
    expect(asked).toEqual([5, 7, 9]);
    expect((await from(() => null).read).last).toBe(8);
    await expect(from(throwing(apiError(500))).read).rejects.toThrow("no");
  });

  test("a connection that cannot be closed is left", async () => {
    const close = vi.fn(() => Promise.reject(new Error("gone")));
    await closeEngine({ nc: { close } as never });
    expect(close).toHaveBeenCalledOnce();
  });
});

describe("a round by hand", () => {
  const LOCK = ".claude/swarm/relay/courier.lock";
  const STATUS: CourierStatus = {
    ...{ pid: 1, at: "2026-02-20T12:00:00Z", synced: 0, lastPull: {}, machines: {}, refused: 0 },
  };
  function aMachine(): Home {
    const home = aHome();
    writeRelay(home.paths, aRelay(`nats://${NOWHERE}`, "laptop"));
    return home;
  }
  function aCourierIn(home: Home): void {
    mkdirSync(home.path(LOCK), { recursive: true });
  }
  const asked = (home: Home) =>
    vi.waitFor(() => Number(home.read(".claude/swarm/relay/sync-request")), { timeout: 10_000, interval: 5 });

  test("settings that cannot be read, and a server that is away: said, on record, and the lock is free again", async () => {
    const home = aMachine();
    await expect(syncTeams(home.paths, ["other"])).rejects.toThrow(
      "the relay settings of other cannot be read",
    );
    const why = `cannot reach the relay at nats://${NOWHERE}`;
    await expect(syncTeams(home.paths, [TEAM])).rejects.toThrow(why);
    expect(readStatus(home.paths, TEAM)?.error).toContain(why);
    expect(home.has(LOCK)).toBe(false);
  });

  test("a courier that runs is asked, and has done it when all its teams have", async () => {
    const home = aMachine();
    aCourierIn(home);
    const later = Date.now() + 60_000;
    home.write(".claude/swarm/relay/sync-request", String(later));
    const pauses = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => pauses.mockRestore());
    const done = syncTeams(home.paths, [TEAM, "two"]);
    await vi.waitFor(async () => expect(await asked(home)).toBe(later + 1), { timeout: 10_000, interval: 5 });
    writeStatus(home.paths, TEAM, { ...STATUS, synced: later + 1 });
    const looks = () => pauses.mock.calls.filter(([, ms]) => ms === 50).length;
    const before = looks();
    await vi.waitUntil(() => looks() >= before + 2, { timeout: 10_000, interval: 5 });
    writeStatus(home.paths, "two", { ...STATUS, synced: later + 2 });
    expect(await done).toEqual([
      { team: TEAM, how: "the courier's round is done" },
      { team: "two", how: "the courier's round is done" },
    ]);
  });

  test("a courier that is gone meanwhile is not waited for", async () => {
    const home = aMachine();
    aCourierIn(home);
    const done = expect(syncTeams(home.paths, ["other"])).rejects.toThrow(
      "the relay settings of other cannot be read",
    );
    await asked(home);
    utimesSync(home.path(LOCK), 1, 1);
    await done;
  });

  test.each([
    ["with what is wrong", { ...STATUS, error: "the server is full" }, "in 30 s: the server is full"],
    ["without a word", undefined, "in 30 s"],
  ])("a courier that does not come to it in time, %s", async (_, status, why) => {
    const home = aMachine();
    aCourierIn(home);
    if (status) writeStatus(home.paths, TEAM, status);
    const begun = Date.now();
    const done = syncTeams(home.paths, [TEAM]).catch((error: Error) => error.message);
    await asked(home);
    const now = vi.spyOn(Date, "now").mockReturnValue(begun + 40_000);
    onTestFinished(() => now.mockRestore());
    utimesSync(home.path(LOCK), (begun + 40_000) / 1_000, (begun + 40_000) / 1_000);
    expect(await done).toBe(`the courier has not finished a round ${why}`);
  });
});

describe("the files of a server", () => {
  const WANTED: Wanted = { team: TEAM, machines: ["laptop", "cloud"], listen: NOWHERE, store: undefined };
  const withoutServer = (home: Home) => {
    vi.stubEnv("PATH", home.path("nowhere"));
    onTestFinished(() => void vi.unstubAllEnvs());
  };

  test("keys stay, the store is beside them or where it is wanted, and without a server nothing is checked", () => {
    const home = aHome();
    withoutServer(home);
    expect(machinesOf(home.paths, TEAM)).toEqual([]);
    const made = makeConfig(home.paths, WANTED);
    expect(made.program).toBeUndefined();
    expect(made.text).toContain(`/relay/server/${TEAM}/jetstream`);
    expect(machinesOf(home.paths, TEAM)).toEqual(["cloud", "laptop"]);
    expect(makeConfig(home.paths, WANTED).text).toBe(made.text);
    const elsewhere = makeConfig(home.paths, { ...WANTED, store: "/data/nats" }).text;
    expect(elsewhere).toContain("/data/nats");
    expect(elsewhere).not.toContain("/jetstream");
  });

  test("streams are made only by who has the key for it", async () => {
    const home = aHome();
    await expect(provision(home.paths, { url: `nats://${NOWHERE}`, replicas: 1 }, WANTED)).rejects.toThrow(
      `there is no key for setting up ${TEAM} here: \`swarm relay config --team ${TEAM}\` makes it`,
    );
  });

  /** Pauses pass at once; who listens to signals goes with the test. */
  function serving(home: Home) {
    const listeners = { SIGINT: process.listeners("SIGINT"), SIGTERM: process.listeners("SIGTERM") };
    const { setTimeout: real } = globalThis;
    const pauses = vi
      .spyOn(globalThis, "setTimeout")
      .mockImplementation(((work: () => void, ms = 0) => real(work, Math.min(ms, 1))) as never);
    onTestFinished(() => {
      pauses.mockRestore();
      for (const name of ["SIGINT", "SIGTERM"] as const)
        for (const one of process.listeners(name)) if (!listeners[name].includes(one)) process.off(name, one);
    });
    const said: string[] = [];
    const ended = serve(home.paths, WANTED, (line) => said.push(line));
    // Without the key every further try fails at once.
    rmSync(home.path(`.claude/swarm/relay/server/${TEAM}/=setup.creds`));
    const tries = () => pauses.mock.calls.filter(([, ms]) => ms === 200).length;
    return { said, ended, tries };
  }

  test("a server that is not installed is said, and nothing is tried any more", async () => {
    const home = aHome();
    withoutServer(home);
    const { said, ended, tries } = serving(home);
    await expect(ended).rejects.toThrow("nats-server is not installed");
    const before = tries();
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(tries() - before).toBeLessThanOrEqual(1);
    expect(said).toEqual([]);
  });

  test("a server that cannot be set up is ended, which is said and no success", async () => {
    const home = aHome();
    withoutServer(home);
    chmodSync(
      home.write("nowhere/nats-server", '#!/bin/sh\n[ "$1" = -c ] && exec /bin/sleep 60\nexit 1\n'),
      0o755,
    );
    const { said, ended } = serving(home);
    expect(await ended).toBe(1);
    expect(said).toEqual([expect.stringContaining(`there is no key for setting up ${TEAM} here`)]);
  });
});
