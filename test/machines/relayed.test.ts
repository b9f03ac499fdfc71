// The relay's state copied before a verb, with a bridge that is a list of answers.
import { mkdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Bridge, openBridge } from "../../lib/machines/bridge.ts";
import { withLead, withTasks } from "../../lib/machines/relayed.ts";
import { isTakingLead, relayPath } from "../../lib/machines/store/paths.ts";
import { writeRelay } from "../../lib/machines/store/relay.ts";
import { aHome } from "../support/a-home.ts";
import { aRelay } from "../support/a-relay.ts";
import { aTeam, CONFIG, member, TEAM } from "../support/a-team.ts";

vi.mock("../../lib/machines/bridge.ts", () => ({ openBridge: vi.fn() }));

const ledBy = (machine: string, revision: number) => ({
  changes: [
    {
      key: "lead",
      text: JSON.stringify({ v: 1, machine, agent: "team-lead", at: "2026-02-20T12:00:00Z" }),
      ...{ revision, at: Date.now() },
    },
  ],
  clockMs: 0,
});

/** A lead here, and a relay that answers each look at it in turn. */
function aTeamWith(...answers: ReturnType<typeof ledBy>[]) {
  const home = aHome();
  aTeam(home);
  writeRelay(home.paths, aRelay("nats://127.0.0.1:1", "laptop"));
  const read = vi.fn(() => answers.shift());
  const lead = vi.fn(() => undefined);
  const meanwhile = vi.fn<Bridge["meanwhile"]>((_, work) => work());
  vi.mocked(openBridge).mockReturnValue({
    read,
    lead,
    meanwhile,
    close: () => {},
  } as unknown as Bridge);
  const look = () =>
    withTasks({ paths: home.paths, ownRoot: "/own" }, TEAM, { agent: "alice", isLead: false }, () => "done");
  const take = () => withLead({ paths: home.paths, ownRoot: "/own" }, TEAM, true, () => "by the rules here");
  return { home, look, take, read, lead, meanwhile };
}

test("a lead that was just taken here is not deposed by what the relay said before", () => {
  const { home, look } = aTeamWith(ledBy("cloud", 4), ledBy("laptop", 5));
  expect(look()).toBe("done");
  expect(home.json(CONFIG).leadSessionId).toBe("lead-session");
});

test("a lead that is just being taken here is not deposed", () => {
  const { home, look } = aTeamWith(ledBy("cloud", 4), ledBy("cloud", 4));
  const lock = `${relayPath(home.paths, TEAM)}.lock`;
  mkdirSync(lock);
  onTestFinished(() => rmSync(lock, { recursive: true, force: true }));
  expect(look()).toBe("done");
  expect(home.json(CONFIG).leadSessionId).toBe("lead-session");
});

test("a lead whose taking ends just after the relay has answered is not deposed", () => {
  const { home, look, read } = aTeamWith();
  const lock = `${relayPath(home.paths, TEAM)}.lock`;
  mkdirSync(lock);
  read.mockReturnValueOnce(ledBy("cloud", 4)).mockImplementationOnce(() => {
    rmSync(lock, { recursive: true });
    return ledBy("cloud", 4);
  });
  expect(look()).toBe("done");
  expect(home.json(CONFIG).leadSessionId).toBe("lead-session");
});

test("a lead that is elsewhere is deposed here", () => {
  const { home, look } = aTeamWith(ledBy("cloud", 4), ledBy("cloud", 4));
  expect(look()).toBe("done");
  expect(home.json(CONFIG).leadSessionId).toBeUndefined();
  expect(member(home, "team-lead-laptop")).toBeDefined();
});

test("a lead that another session here has taken while we waited is not taken from it", () => {
  const { home, take } = aTeamWith(ledBy("cloud", 4), ledBy("laptop", 5));
  aTeam(home, ["alice", { name: "team-lead", machine: "cloud", agent: "team-lead" }]);
  const lock = `${relayPath(home.paths, TEAM)}.lock`;
  mkdirSync(lock);
  const { wait } = Atomics;
  Atomics.wait = ((...given: Parameters<typeof wait>) => {
    aTeam(home);
    rmSync(lock, { recursive: true, force: true });
    return wait(...given);
  }) as typeof wait;
  onTestFinished(() => {
    Atomics.wait = wait;
  });
  expect(take()).toBe("by the rules here");
  expect(home.json(CONFIG).leadSessionId).toBe("lead-session");
});

/** As another session here does it that found our lock abandoned, while this process was stopped. */
function loseLock(path: string): void {
  rmSync(`${path}.lock`, { recursive: true });
  mkdirSync(`${path}.lock.other`);
  renameSync(`${path}.lock.other`, `${path}.lock`);
}

test.each(["before the lead is written here", "before the relay is asked for it"])(
  "a lock that was lost %s: nothing more is written or asked",
  (when) => {
    const { home, read, lead } = aTeamWith();
    const path = relayPath(home.paths, TEAM);
    onTestFinished(() => rmSync(`${path}.lock`, { recursive: true, force: true }));
    aTeam(home, ["alice", { name: "team-lead", machine: "cloud", agent: "team-lead" }]);
    const isEarly = when.includes("written");
    let [before, after] = ["", ""];
    read.mockReturnValueOnce(ledBy("cloud", 4)).mockImplementationOnce(() => {
      before = home.read(CONFIG);
      if (isEarly) loseLock(path);
      return ledBy("cloud", 4);
    });
    const run = vi.fn(() => {
      after = home.read(CONFIG);
      loseLock(path);
    });
    const taking = () => withLead({ paths: home.paths, ownRoot: "/own" }, TEAM, true, run);
    expect(taking).toThrow("was lost to another process");
    expect(run).toHaveBeenCalledTimes(isEarly ? 0 : 1);
    expect(home.read(CONFIG)).toBe(isEarly ? before : after);
    expect(lead).not.toHaveBeenCalled();
  },
);

test("a lock that was lost while the rules here refused: what another session has written since stays", () => {
  const { home, read } = aTeamWith(ledBy("cloud", 4), ledBy("cloud", 4));
  const path = relayPath(home.paths, TEAM);
  onTestFinished(() => rmSync(`${path}.lock`, { recursive: true, force: true }));
  aTeam(home, ["alice", { name: "team-lead", machine: "cloud", agent: "team-lead" }]);
  const run = () => {
    loseLock(path);
    aTeam(home);
    throw new Error("refused");
  };
  const taking = () => withLead({ paths: home.paths, ownRoot: "/own" }, TEAM, true, run);
  expect(taking).toThrow("refused");
  expect(home.json(CONFIG).leadSessionId).toBe("lead-session");
  expect(read).toHaveBeenCalledTimes(2);
});

test("the lock is renewed while the relay is asked", () => {
  const { home, take, meanwhile, read } = aTeamWith();
  const lock = `${relayPath(home.paths, TEAM)}.lock`;
  aTeam(home, ["alice", { name: "team-lead", machine: "cloud", agent: "team-lead" }]);
  let renew = () => {};
  meanwhile.mockImplementationOnce((given, work) => {
    renew = given;
    return work();
  });
  read.mockReturnValueOnce(ledBy("cloud", 4)).mockImplementationOnce(() => {
    utimesSync(lock, new Date(0), new Date(0));
    renew();
    expect(isTakingLead(home.paths, TEAM)).toBe(true);
    return ledBy("laptop", 5);
  });
  take();
  expect(meanwhile).toHaveBeenCalledTimes(1);
});
