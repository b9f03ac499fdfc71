// What is decided on the relay, against buckets and streams that are tables; the verb's bad calls; the processes beside the sessions.
import { rmSync, statSync, utimesSync } from "node:fs";
import { JetStreamApiError } from "@nats-io/jetstream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Engine } from "../../lib/machines/engine.ts";
import { readMail } from "../../lib/machines/mail-stream.ts";
import { applyTeam, nothingSeen, take } from "../../lib/machines/mirror.ts";
import { commitTask, createConfig, reserveTask, takeLead } from "../../lib/machines/operations.ts";
import { serverConfig } from "../../lib/machines/server-config.ts";
import { relayPath } from "../../lib/machines/store/paths.ts";
import { readSentReceipts, writeRelay } from "../../lib/machines/store/relay.ts";
import { superviseCourier } from "../../lib/machines/supervisor.ts";
import { parseTask } from "../../lib/machines/wire.ts";
import { startOf } from "../../lib/system/processes.ts";
import * as programs from "../../lib/system/programs.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aRelay } from "../support/a-relay.ts";
import { aTask } from "../support/a-task.ts";
import { aTeam, CONFIG, inboxOf, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";

vi.mock("../../lib/system/programs.ts", () => ({ startHelper: vi.fn() }));

const conflict = () =>
  new JetStreamApiError({ code: 400, err_code: 10_071, description: "wrong last sequence" });

/** A bucket in which another machine may write at the same moment. */
function aBucket(copies = 1) {
  const values = new Map<string, { text: string; revision: number }>();
  let revision = 0;
  const bucket = { values, meanwhile: (_key: string): void => {}, after: (_key: string): void => {} };
  const write = (key: string, text: string) => {
    values.set(key, { text, revision: ++revision });
    return revision;
  };
  const kv = {
    get: async (key: string) => {
      const entry = values.get(key);
      return entry && { revision: entry.revision, string: () => entry.text };
    },
    put: async (key: string, text: string) => write(key, text),
    create: async (key: string, text: string) => {
      bucket.meanwhile(key);
      if (values.has(key)) throw conflict();
      const stored = write(key, text);
      bucket.after(key);
      return stored;
    },
    update: async (key: string, text: string, before: number) => {
      bucket.meanwhile(key);
      if (values.get(key)?.revision !== before) throw conflict();
      const stored = write(key, text);
      bucket.after(key);
      return stored;
    },
  };
  return { ...bucket, bucket, write, engine: { kv, machine: "laptop", copies } as unknown as Engine };
}

describe("on the relay", () => {
  test("numbers are given once, also where another machine takes one meanwhile", async () => {
    const { engine, bucket, write, values } = aBucket();
    expect([await reserveTask(engine), await reserveTask(engine)]).toEqual([1, 2]);
    let once = true;
    bucket.meanwhile = (key) => {
      if (once) write(key, '{"v":1,"last":9}');
      once = false;
    };
    expect(await reserveTask(engine)).toBe(10);
    expect(values.get("last-task")?.text).toBe('{"v":1,"last":10}');
    bucket.meanwhile = (key) => void write(key, '{"v":1,"last":9}');
    await expect(reserveTask(engine)).rejects.toThrow("too many others create tasks");
  });

  test("with several copies a write that another replaced at the same moment is not ours", async () => {
    const { engine, bucket, write } = aBucket(3);
    expect(await reserveTask(engine)).toBe(1);
    let once = true;
    bucket.after = (key) => {
      if (once) write(key, '{"v":1,"last":5}');
      once = false;
    };
    expect(await reserveTask(engine)).toBe(6);
  });

  test("a task is changed only from what the caller took for the present", async () => {
    const { engine, bucket, write } = aBucket();
    const [one, two] = [aTask("1"), aTask("1", { status: "completed" })];
    expect(await commitTask(engine, "1", null, one)).toBeUndefined();
    expect(await commitTask(engine, "1", null, one)).toBeUndefined(); // its answer was lost
    expect(await commitTask(engine, "1", null, two)).toEqual({
      present: expect.objectContaining({ status: "pending" }),
    });
    expect(await commitTask(engine, "1", one, two)).toBeUndefined();
    bucket.meanwhile = (key) => void write(key, '{"v":1,"deleted":true}');
    expect(await commitTask(engine, "1", two, one)).toEqual({ present: null });
    bucket.meanwhile = () => {
      throw new Error("gone");
    };
    await expect(commitTask(engine, "2", null, one)).rejects.toThrow("gone");
  });

  test("a task that no machine would read back is not stored; a counter that is none gives no number", async () => {
    const { engine, write, values } = aBucket();
    const long = aTask("1", { description: "x".repeat(200_000) });
    await expect(commitTask(engine, "1", null, long)).rejects.toThrow("task #1 is too long for a relay");
    expect(values.size).toBe(0);
    write("last-task", JSON.stringify({ v: 1, last: 1.5 }));
    await expect(reserveTask(engine)).rejects.toThrow();
    expect([...values.keys()]).toEqual(["last-task"]);
  });

  test("the lead goes to one, by its token; a team is brought by one", async () => {
    const { engine, write, values } = aBucket();
    const lead = (machine: string) => ({
      v: 1 as const,
      machine,
      agent: "team-lead",
      at: "2026-02-20T12:00:00Z",
    });
    const config = { v: 1 as const, name: TEAM };
    expect(await createConfig(engine, config, lead("laptop"))).toBe(true);
    expect(await createConfig(engine, config, lead("cloud"))).toBe(false);
    const token = values.get("lead")?.revision ?? 0;
    expect(await takeLead(engine, lead("cloud"), token)).toBe(token + 1);
    expect(await takeLead(engine, lead("cloud"), token)).toBe(token + 1); // its answer was lost
    expect(await takeLead(engine, lead("box"), token)).toBeUndefined();
    write("lead", "{}");
    expect(await takeLead(engine, lead("cloud"), token + 1)).toBeUndefined();
  });

  test("mail is read in order, up to fifty, without what is gone", async () => {
    const missing = new JetStreamApiError({ code: 404, err_code: 10_037, description: "no message found" });
    const asked: number[] = [];
    const reading = (state: object, fails?: (seq: number) => Error | undefined) => {
      const getMessage = async (_: string, { seq }: { seq: number }) => {
        asked.push(seq);
        const error = fails?.(seq);
        if (error) throw error;
        return { subject: "s", string: () => `text ${seq}`, time: new Date(seq) };
      };
      const streams = { info: async () => ({ state }), getMessage };
      return readMail({ jsm: { streams }, team: TEAM, machine: "laptop" } as unknown as Engine);
    };
    expect(await reading({ messages: 0, first_seq: 4, last_seq: 3 })).toEqual([]);
    const found = await reading({ messages: 2, first_seq: 4, last_seq: 6 }, (seq) =>
      seq === 5 ? missing : undefined,
    );
    expect(found.map(({ seq, text, at }) => [seq, text, at])).toEqual([
      [4, "text 4", 4],
      [6, "text 6", 6],
    ]);
    expect(await reading({ messages: 200, first_seq: 1, last_seq: 200 })).toHaveLength(50);
    await expect(
      reading({ messages: 1, first_seq: 1, last_seq: 1 }, () => new Error("cut off")),
    ).rejects.toThrow("cut off");
    expect(asked.slice(0, 3)).toEqual([4, 5, 6]);
  });
});

test("a task that is too long is refused", () => {
  const task = (subject: string) => JSON.stringify({ v: 1, task: { ...aTask("1"), subject } });
  expect(parseTask(task("x"), "1")).toMatchObject({ subject: "x" });
  expect(() => parseTask(task("x".repeat(2_000_000)), "1")).toThrow("too long");
});

test.each([
  [true, "sync_interval: always", '"swarm-dev-fsync"'],
  [false, "has no `sync_interval: always`", '"swarm-dev"'],
])("a server that can sync: %s", (isSynced, text, name) => {
  const plan = {
    team: "dev",
    machines: { laptop: "UA" },
    setupKey: "US",
    listen: "127.0.0.1:1",
    store: "/s",
    isSynced,
  };
  const made = serverConfig(plan);
  expect(made).toContain(text);
  expect(made).toContain(`server_name: ${name}`);
  expect(made).toContain('"swarm.dev.mail.*.*.laptop.*"');
  expect(made).not.toContain('"swarm.dev.mail.>"');
});

const relayed = (home: Home) => writeRelay(home.paths, aRelay("nats://127.0.0.1:1", "laptop"));

test("receipts that were sent are read from both files, without torn lines", () => {
  const home = aHome();
  const path = `.claude/swarm/relay/receipts/${TEAM}.jsonl`;
  home.write(`${path}.1`, '{"key":"a","state":"shown"}\n{"key":"b","state":"shown"}\n');
  home.write(path, '{"key":"b","state":"answered"}\n{"key":1,"state":"x"}\n{"key":"c"');
  expect([...readSentReceipts(home.paths, TEAM)]).toEqual([
    ["a", "shown"],
    ["b", "answered"],
  ]);
});

test("a second lead that is deposed gets a name that no other member has", () => {
  const home = aHome();
  aTeam(home, [{ name: "team-lead", sessionId: "s-2" }, "team-lead-laptop", "team-lead-laptop-2"]);
  const seen = nothingSeen();
  const lead = { v: 1, machine: "cloud", agent: "team-lead", at: "2026-02-20T12:00:00Z" };
  take(seen, { key: "lead", text: JSON.stringify(lead), revision: 9, at: 0 });
  applyTeam({ paths: home.paths, team: TEAM, machine: "laptop" }, { clockMs: 0 }, seen);
  const names = home.json(CONFIG).members.map((one: any) => one.name);
  expect(names).toEqual(["team-lead-laptop", "team-lead-laptop-2", "team-lead-laptop-3"]);
});

test("a lead that was deposed stays under a name of its own, learns it, and its process too", () => {
  const home = aHome();
  aTeam(home, [{ name: "team-lead", sessionId: "lead-session" }, "alice"]);
  const self = { pid: process.pid, pidStartedAt: startOf(process.pid) };
  home.write(".claude/swarm/sessions/lead-session/session.json", {
    ...{
      session: "lead-session",
      team: TEAM,
      agent: "team-lead",
      isLead: true,
      kind: "lead",
      state: "idle",
      status: "done",
    },
    ...{ startedAt: "x", lastSeen: "x", ...self },
  });
  home.write(`.claude/swarm/processes/${process.pid}.json`, {
    pid: process.pid,
    session: "lead-session",
    team: TEAM,
    agent: "team-lead",
  });
  const seen = nothingSeen();
  const lead = { v: 1, machine: "cloud", agent: "team-lead", at: "2026-02-20T12:00:00Z" };
  take(seen, { key: "lead", text: JSON.stringify(lead), revision: 7, at: Date.now() });
  applyTeam({ paths: home.paths, team: TEAM, machine: "laptop" }, { clockMs: 0 }, seen);
  const config = home.json(CONFIG);
  expect(config.leadSessionId).toBeUndefined();
  expect(config.members.map(({ name }: any) => name)).toEqual(
    expect.arrayContaining(["alice", "team-lead-laptop"]),
  );
  expect(home.json(".claude/swarm/sessions/lead-session/session.json")).toMatchObject({
    agent: "team-lead-laptop",
    isLead: false,
    kind: "named",
  });
  expect(home.json(`.claude/swarm/processes/${process.pid}.json`).agent).toBe("team-lead-laptop");
  expect(home.json(inboxOf("team-lead-laptop"))).toMatchObject([
    { text: expect.stringContaining("You no longer lead atm-dev: team-lead on cloud does (token 7)") },
  ]);
});

test.each<[string[], string]>([
  [["join"], "where is the relay?"],
  [["join", "http://x", "--team", "dev"], "where is the relay?"],
  [["join", "nats://a,ftp://b", "--team", "dev"], "where is the relay?"],
  [["join", "nats://a"], "which team? --team NAME"],
  [["join", "nats://a", "--team", "a.b"], 'the team "a.b"'],
  [
    ["join", "nats://a", "--team", "dev", "--creds", "x", "--token-file", "y"],
    "--creds or --token-file, not both",
  ],
  [["join", "nats://a", "--team", "dev", "--replicas", "2"], "--replicas is 1, 3 or 5"],
  [["join", "nats://a", "--team", "dev", "--machine", "a", "--machine", "b"], "one --machine, please"],
  [["join", "nats://a", "--team", "dev", "--machine", "a.b"], 'the machine "a.b"'],
  [["join", "nats://a", "--team", "session-1a2b3c4d"], "session-1a2b3c4d is a team of the client's own"],
  [["leave"], "which team? --team NAME"],
  [["config", "--team", "dev", "--machine", "a,b.c"], 'the machine "b.c"'],
  [["config", "--team", "dev", "--machine", "a", "--listen", "here"], "--listen is HOST:PORT"],
  [
    ["config", "--team", "dev", "--machine", "a", "--provision", "nats://a", "--replicas", "x"],
    "--replicas is 1, 3 or 5",
  ],
  [["config", "--team", "dev", "--machine", "a", "--provision", "http://a"], "where is the relay?"],
  [["nope"], "nope"],
])("swarm relay %j is a bad call", async (args, why) =>
  expect(await callSwarm(aHome(), ["relay", ...args])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(why),
  }),
);

test("verbs without a relay say so; a secret that others can read is not used", async () => {
  const home = aHome();
  expect((await callSwarm(home, ["relay", "sync"])).stderr).toContain("no team here has a relay");
  expect((await callSwarm(home, ["relay"])).stdout).toContain("no team here has a relay");
  expect((await callSwarm(home, ["relay", "status", "--team", TEAM])).stderr).toContain(
    "the team atm-dev has no relay here",
  );
  const { chmodSync } = await import("node:fs");
  chmodSync(home.write("project/token", "t"), 0o644);
  const joined = await callSwarm(home, [
    "relay",
    "join",
    "nats://127.0.0.1:1",
    "--team",
    TEAM,
    "--token-file",
    "token",
  ]);
  expect(joined.stderr).toContain("others can read token: chmod 600 token first");
  for (const flag of ["--token-file", "--creds"]) {
    chmodSync(home.write("project/empty", "\n"), 0o600);
    const empty = await callSwarm(home, [
      "relay",
      "join",
      "nats://127.0.0.1:1",
      "--team",
      TEAM,
      flag,
      "empty",
    ]);
    expect(empty.stderr).toContain("empty is empty");
  }
  relayed(home);
  expect((await callSwarm(home, ["relay", "sync"])).stderr).toContain(
    "cannot reach the relay at nats://127.0.0.1:1",
  );
  expect(home.json(`.claude/swarm/relay/status/${TEAM}.json`).error).toContain("cannot reach the relay");
});

test("a team whose relay settings cannot be read is not left", async () => {
  const home = aHome();
  relayed(home);
  home.write(relayPath(home.paths, TEAM).slice(home.root.length + 1), "{ half");
  expect(await callSwarm(home, ["relay", "leave"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("the relay settings of atm-dev cannot be read"),
  });
});

describe("the process that replaces a courier", () => {
  const started = vi.mocked(programs.startHelper);
  const living = (home: Home, more: object = {}) =>
    home.write(".claude/swarm/sessions/s-1/session.json", {
      ...{
        session: "s-1",
        team: TEAM,
        state: "idle",
        status: "done",
        startedAt: "x",
        lastSeen: new Date().toISOString(),
      },
      ...{ pid: process.pid, pidStartedAt: startOf(process.pid), ...more },
    });
  /** Until it leaves: the last session ends as soon as `isSeen`. */
  const supervised = async (home: Home, isSeen: () => boolean = () => false) => {
    started.mockClear();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let isOver = false;
    const over = superviseCourier({ paths: home.paths, ownRoot: "/own" }).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isSeen()) living(home, { endedAt: new Date().toISOString() });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    return over;
  };

  test("is not needed without a relay", async () => {
    expect(await superviseCourier({ paths: aHome().paths, ownRoot: "/own" })).toBe(false);
  });

  test("starts one while a session lives, and leaves when none does", async () => {
    const home = aHome();
    relayed(home);
    living(home);
    expect(await supervised(home, () => started.mock.calls.length > 1)).toBe(true);
    expect(started).toHaveBeenCalledWith("/own", ["relay", "courier"], home.paths.base);
    expect(home.has(".claude/swarm/relay/supervisor.lock")).toBe(false);
  });

  test.each<[string, object]>([
    ["ended", { endedAt: "x" }],
    ["gone", { pid: 2 ** 22 - 3, pidStartedAt: "1" }],
    ["of another team", { team: "other" }],
    ["goes on under another id", { next: "s-2" }],
    ["silent for long, and not proven", { pid: undefined, lastSeen: "2026-01-01T00:00:00Z" }],
  ])("starts none where the only session is %s", async (_, more) => {
    const home = aHome();
    relayed(home);
    living(home, more);
    expect(await supervised(home)).toBe(true);
    expect(started).not.toHaveBeenCalled();
  });

  test("a lock that was left behind before the clock was set back is not waited for", async () => {
    const home = aHome();
    relayed(home);
    living(home);
    home.write(".claude/swarm/relay/supervisor.lock/x", "");
    rmSync(home.path(".claude/swarm/relay/supervisor.lock/x"));
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(home.path(".claude/swarm/relay/supervisor.lock"), later, later);
    const calling = { paths: home.paths, ownRoot: "/own" };
    expect(await superviseCourier(calling)).toBe(false);
    const at = statSync(home.path(".claude/swarm/relay/supervisor.lock")).mtimeMs;
    expect(at).toBeLessThan(Date.now() + 1_000);
  });

  test("starts none beside one that is at work", async () => {
    const home = aHome();
    relayed(home);
    living(home);
    home.write(".claude/swarm/relay/courier.lock/x", "");
    expect(await supervised(home, () => home.has(".claude/swarm/relay/supervisor.lock"))).toBe(true);
    expect(started).not.toHaveBeenCalled();
  });
});
