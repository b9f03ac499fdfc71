// The courier as a process: started by a hook, one a machine, there while a session is, gone soon after the last one.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, utimesSync, watch } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { appendMessage, readInbox } from "../../../lib/mail/store/inbox.ts";
import { startOf } from "../../../lib/system/processes.ts";
import type { Home } from "../../support/a-home.ts";
import { aMachine, type Machine } from "../../support/a-machine.ts";
import { aServer, type Server, whyNoServer } from "../../support/a-nats-server.ts";
import { as, TEAM } from "../../support/a-team.ts";
import { cleanEnv, payload, ROOT, runHookProcess } from "../../support/run-built.ts";

const STATUS = `.claude/swarm/relay/status/${TEAM}.json`;
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
};

/** Looks often: what is awaited is another process's doing. */
async function until<T>(what: string, look: () => T | undefined | false, ms = 20_000): Promise<T> {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    const found = look();
    if (found) return found;
    await new Promise((wake) => setTimeout(wake, 20));
  }
  throw new Error(`not within ${ms} ms: ${what}`);
}

/** A client that does nothing but live. */
function aClient(): ChildProcess & { pid: number } {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child as ChildProcess & { pid: number };
}

const sessionOf = ({ home }: Machine, session: string, agent: string, pid: number) =>
  home.write(`.claude/swarm/sessions/${session}/session.json`, {
    session,
    team: TEAM,
    agent,
    state: "idle",
    status: "done",
    pid,
    pidStartedAt: startOf(pid),
    startedAt: new Date().toISOString(),
    lastSeen: new Date().toISOString(),
  });

const statusOf = (home: Home) => {
  try {
    return home.json(STATUS);
  } catch {
    return undefined;
  }
};
const courierPid = async (home: Home, other = 0): Promise<number> =>
  until("a connected courier", () => {
    const status = statusOf(home);
    return status?.connectedSince && status.pid !== other && isAlive(status.pid) && (status.pid as number);
  });

const lockOf = ({ home }: Machine, name: string) => home.path(`.claude/swarm/relay/${name}.lock`);
/** Processes of this home by their verb: `courier` or `supervise`. */
const running = (home: Home, verb: string): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, "utf8").endsWith(`\0relay\0${verb}\0`) &&
          readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${home.root}\0`)
        );
      } catch {
        return false;
      }
    })
    .map(Number);

function startCourier(home: Home): ChildProcess {
  const child = spawn(process.execPath, [join(ROOT, "plugin/bin/swarm"), "relay", "courier"], {
    env: cleanEnv(home),
    stdio: "ignore",
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    // One that was only just started may not be seen at once.
    for (let n = 0; n < 3; n++) {
      for (const verb of ["courier", "supervise"])
        for (const pid of running(home, verb)) process.kill(pid, "SIGKILL");
      await new Promise((wake) => setTimeout(wake, 50));
    }
  });
  return child;
}

const ended = (child: ChildProcess) =>
  new Promise<number>((resolve) =>
    child.exitCode !== null ? resolve(child.exitCode) : child.on("exit", (code) => resolve(code ?? -1)),
  );

describe.skipIf(whyNoServer())("the courier", () => {
  let server: Server;
  beforeAll(async () => {
    server = await aServer();
  });
  afterAll(() => server.remove());

  const fresh = async (): Promise<[Machine, Machine]> => {
    await server.remove();
    server = await aServer();
    return [
      await aMachine(server.url, "laptop", ["alice"], true),
      await aMachine(server.url, "cloud", ["bob"]),
    ];
  };

  test("is started by a session of a relayed team in a hook that the turn does not wait for, and delivers within a moment", async () => {
    const [laptop, cloud] = await fresh();
    const client = aClient();
    const input = { ...payload("SessionStart-startup"), session_id: "s-bob" };
    const env = { ...as("bob"), CLAUDECODE: "1", CLAUDE_PID: String(client.pid) };
    runHookProcess(cloud.home, "session-start", input, { env });
    runHookProcess(cloud.home, "stop", { ...payload("Stop"), session_id: "s-bob" }, { env });
    expect(existsSync(cloud.home.path(".claude/swarm/relay/courier.lock"))).toBe(false);
    const beside = runHookProcess(cloud.home, "session-start", input, { env, entry: "beside-turn" });
    expect([beside.stdout, beside.stderr]).toEqual(["", ""]);
    const pid = await courierPid(cloud.home);
    onTestFinished(() => {
      if (isAlive(pid)) process.kill(pid, "SIGKILL");
    });
    const id = laptop.send("alice", "bob", "hello");
    await laptop.round();
    await until("the message", () => cloud.inbox("bob").some((one) => one.id === id), 5_000);
    const back = cloud.send("bob", "alice", "and back");
    await until(
      "it to be relayed",
      () => cloud.inbox("alice").some((one) => one.id === back && one.state === "relayed"),
      5_000,
    );
    client.kill("SIGKILL");
    await until("the courier to leave", () => !isAlive(pid), 40_000);
  }, 60_000);

  test("of two at once one stays; a killed one is replaced while the session is idle, and so is its supervisor", async () => {
    const [laptop, cloud] = await fresh();
    const client = aClient();
    sessionOf(cloud, "s-bob", "bob", client.pid);
    const both = [startCourier(cloud.home), startCourier(cloud.home)];
    const loser = await Promise.race(both.map((child) => ended(child).then(() => child)));
    const winner = both.find((child) => child !== loser) as ChildProcess;
    expect(loser.exitCode).toBe(0);
    expect(await courierPid(cloud.home)).toBe(winner.pid);
    const [supervisor = 0] = await until("a supervisor", () => {
      const pids = running(cloud.home, "supervise");
      return existsSync(lockOf(cloud, "supervisor")) && pids.length === 1 && pids;
    });
    winner.kill("SIGKILL");
    await ended(winner);
    const id = laptop.send("alice", "bob", "while nobody carried");
    await laptop.round();
    const next = await courierPid(cloud.home, winner.pid);
    await until("the message", () => cloud.inbox("bob").some((one) => one.id === id), 5_000);
    process.kill(supervisor, "SIGKILL");
    await until("another supervisor", () =>
      running(cloud.home, "supervise").some((pid) => pid !== supervisor),
    );
    expect(running(cloud.home, "courier")).toEqual([next]);
    client.kill("SIGKILL");
    await until(
      "both to leave",
      () => [...running(cloud.home, "courier"), ...running(cloud.home, "supervise")].length === 0,
      45_000,
    );
    for (const name of ["courier", "supervisor"]) expect(existsSync(lockOf(cloud, name))).toBe(false);
  }, 120_000);

  test("leaves within a minute after kill -9 of everything, without a server too", async () => {
    const [, cloud] = await fresh();
    const client = aClient();
    sessionOf(cloud, "s-bob", "bob", client.pid);
    const courier = startCourier(cloud.home);
    await courierPid(cloud.home);
    await server.kill();
    client.kill("SIGKILL");
    const began = Date.now();
    await ended(courier);
    expect(Date.now() - began).toBeLessThan(45_000);
    await server.start();
  }, 60_000);

  test("stops when its lock is another's", async () => {
    const [, cloud] = await fresh();
    const client = aClient();
    sessionOf(cloud, "s-bob", "bob", client.pid);
    const courier = startCourier(cloud.home);
    await courierPid(cloud.home);
    const lock = cloud.home.path(".claude/swarm/relay/courier.lock");
    rmdirSync(lock);
    mkdirSync(lock);
    utimesSync(lock, new Date(), new Date(Date.now() + 5_000));
    expect(await ended(courier)).toBe(0);
    expect(existsSync(lock)).toBe(true);
  }, 60_000);

  test("goes on when the server comes back, and says meanwhile why it cannot", async () => {
    const [laptop, cloud] = await fresh();
    const client = aClient();
    sessionOf(cloud, "s-bob", "bob", client.pid);
    startCourier(cloud.home);
    await courierPid(cloud.home);
    await server.kill();
    await until("the error", () =>
      /cannot reach the relay|refuses|closed/i.test(statusOf(cloud.home)?.error ?? ""),
    );
    const first = cloud.send("bob", "alice", "written while it was away");
    const second = cloud.send("bob", "alice", "and another");
    const started = runHookProcess(
      cloud.home,
      "session-start",
      { ...payload("SessionStart-startup"), session_id: "s-bob" },
      {
        env: { ...as("bob"), CLAUDECODE: "1", CLAUDE_PID: String(client.pid) },
      },
    );
    expect(started.stdout).toContain("The relay of team atm-dev was not reachable when last tried");
    await server.start();
    await until(
      "both",
      () => cloud.inbox("alice").filter((one) => one.state === "relayed").length === 2,
      40_000,
    );
    await laptop.round();
    expect(laptop.inbox("alice").map(({ id }) => id)).toEqual([first, second]);
  }, 90_000);

  test("`swarm relay sync` beside it waits for its round", async () => {
    const [laptop, cloud] = await fresh();
    const client = aClient();
    sessionOf(cloud, "s-bob", "bob", client.pid);
    startCourier(cloud.home);
    await courierPid(cloud.home);
    const id = laptop.send("alice", "bob", "hello");
    await laptop.round();
    const sync = spawn(process.execPath, [join(ROOT, "plugin/bin/swarm"), "relay", "sync"], {
      env: cleanEnv(cloud.home),
      cwd: cloud.home.project,
    });
    let out = "";
    sync.stdout.on("data", (chunk) => {
      out += chunk;
    });
    expect(await ended(sync)).toBe(0);
    expect(out).toContain("the courier's round is done");
    expect(readInbox(cloud.home.paths, TEAM, "bob").map((one) => one.id)).toEqual([id]);
  }, 60_000);

  test("wakes the reader as any local sender does", async () => {
    const [laptop, cloud] = await fresh();
    const client = aClient();
    sessionOf(cloud, "s-bob", "bob", client.pid);
    const { ensureTriggers } = await import("../../../lib/mail/store/wake-triggers.ts");
    const [trigger = ""] = ensureTriggers(cloud.home.paths, TEAM, "bob");
    const touched = new Promise<void>((resolve) => {
      const watcher = watch(join(trigger, ".."), () => {
        watcher.close();
        resolve();
      });
    });
    startCourier(cloud.home);
    await courierPid(cloud.home);
    appendMessage(laptop.home.paths, TEAM, "bob", {
      id: "w-1",
      from: "alice",
      text: "wake",
      timestamp: new Date().toISOString(),
      read: false,
    });
    await laptop.round();
    await touched;
  }, 60_000);
});
