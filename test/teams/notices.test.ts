// What the lead was notified of about a member, once each; and the mark that keeps heartbeats apart.
import { mkdirSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { claimNotice, forgetBeat, takeBeat, waitingMembers } from "../../lib/teams/store/liveness.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { failing } from "../support/file-calls.ts";

const BOB = { team: "dev", agent: "bob" };

const claim = ({ paths }: Home, member: string, state: string, sign: string) =>
  claimNotice(paths, "dev", member, { state, sign });

test("a change is claimed once for each member, state and sign", () => {
  const home = aHome();
  expect(claim(home, "bob", "waits", "1")).toBe(true);
  expect(claim(home, "bob", "waits", "1")).toBe(false);
  expect(claim(home, "amy", "waits", "1")).toBe(true);
  expect(claim(home, "bob", "waits", "2")).toBe(true);
  expect(waitingMembers(home.paths, "dev")).toEqual(["bob", "amy"]);
  expect(claim(home, "bob", "answered", "2")).toBe(true);
  expect(waitingMembers(home.paths, "dev")).toEqual(["amy"]);
  expect(waitingMembers(home.paths, "other")).toEqual([]);
});

test("what was claimed already needs no lock", () => {
  const home = aHome();
  claim(home, "bob", "waits", "1");
  mkdirSync(home.path(".claude/swarm/notices/dev.json.lock"));
  expect(claim(home, "bob", "waits", "1")).toBe(false);
});

test("a beat is taken once in its time, at once after it was forgotten, and in spite of a clock that was set back", () => {
  const home = aHome();
  const at = (seconds: number) =>
    takeBeat(home.paths, BOB, new Date(NOON.getTime() + seconds * 1_000), 60_000);
  expect([at(0), at(59), at(60), at(61)]).toEqual([true, false, true, false]);
  forgetBeat(home.paths, BOB);
  expect([at(62), at(63), at(-3_600)]).toEqual([true, false, true]);
  expect(statSync(home.path("tmp/swarm-heartbeat-dev-bob")).size).toBe(0);
});

test.each([
  ["EACCES", true],
  ["EPERM", true],
  ["ENOENT", true],
  ["ELOOP", true],
  ["EIO", false],
])("a mark that cannot be written with %s lets the beat through: %s", (code, isTaken) => {
  const home = aHome();
  failing("openSync", code);
  const take = () => takeBeat(home.paths, BOB, NOON, 60_000);
  if (isTaken) expect(take()).toBe(true);
  else expect(take).toThrow(code);
});
