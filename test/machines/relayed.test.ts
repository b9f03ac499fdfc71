// The relay's state copied before a verb, with a bridge that is a list of answers.
import { mkdirSync, rmSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Bridge, openBridge } from "../../lib/machines/bridge.ts";
import { withLead, withTasks } from "../../lib/machines/relayed.ts";
import { relayPath } from "../../lib/machines/store/paths.ts";
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
  vi.mocked(openBridge).mockReturnValue({
    read,
    lead: () => undefined,
    close: () => {},
  } as unknown as Bridge);
  const look = () =>
    withTasks({ paths: home.paths, ownRoot: "/own" }, TEAM, { agent: "alice", isLead: false }, () => "done");
  const take = () => withLead({ paths: home.paths, ownRoot: "/own" }, TEAM, true, () => "by the rules here");
  return { home, look, take, read };
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
