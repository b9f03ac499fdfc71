// Which pause covers whom, and what the file holds after a change.
import { expect, test } from "vitest";
import {
  addPauses,
  type Pause,
  pauseOf,
  readPauses,
  readStopped,
  removePauses,
  removeStopped,
  writeStopped,
} from "../../lib/sessions/store/pauses.ts";
import { aHome } from "../support/a-home.ts";
import { onFileCalls } from "../support/file-calls.ts";

const pause = (more: object = {}) => ({ since: "t", by: "person", ...more }) as Pause;
const ALL = pause();
const TEAM = pause({ team: "dev" });
const BOB = pause({ team: "dev", agent: "bob" });
const SESSION = pause({ session: "s-1" });

test.each<[string, Pause[], object, Pause | undefined]>([
  ["all: anybody", [ALL], {}, ALL],
  ["a team: its member", [TEAM], { team: "dev", agent: "amy" }, TEAM],
  ["a team: another's member", [TEAM], { team: "ops", agent: "amy" }, undefined],
  ["an agent: itself", [BOB], { team: "dev", agent: "bob" }, BOB],
  ["an agent: another of its team", [BOB], { team: "dev", agent: "amy" }, undefined],
  ["an agent: its name in another team", [BOB], { team: "ops", agent: "bob" }, undefined],
  ["a session: itself", [SESSION], { session: "s-1" }, SESSION],
  ["a session: another", [SESSION], { session: "s-2" }, undefined],
  ["a session: of no member", [SESSION], { team: "dev" }, undefined],
  ["the widest of several", [SESSION, BOB, TEAM, ALL], { session: "s-1", team: "dev", agent: "bob" }, ALL],
  ["a team before an agent", [SESSION, BOB, TEAM], { session: "s-1", team: "dev", agent: "bob" }, TEAM],
  ["an agent before a session", [SESSION, BOB], { session: "s-1", team: "dev", agent: "bob" }, BOB],
])("%s", (_, pauses, who, expected) => {
  expect(pauseOf(aHome().paths, who, pauses)).toEqual(expected);
});

test("a second pause keeps the time of the first; the last one that is lifted removes the file", () => {
  const home = aHome();
  addPauses(home.paths, [pause({ team: "dev", since: "1" }), pause({ session: "s-1", since: "1" })]);
  addPauses(home.paths, [pause({ team: "dev", since: "2" })]);
  const stored = readPauses(home.paths);
  expect(stored).toHaveLength(2);
  expect(stored.find(({ team }) => team === "dev")?.since).toBe("1");
  expect(removePauses(home.paths, ({ team }) => team === "dev")).toHaveLength(1);
  expect(readPauses(home.paths).map(({ session }) => session)).toEqual(["s-1"]);
  expect(removePauses(home.paths, () => true)).toHaveLength(1);
  expect(readPauses(home.paths)).toEqual([]);
  expect(home.has(".claude/swarm/pauses.json")).toBe(false);
});

test("an agent that stops while the last other one of its session goes on stays on record", () => {
  const { paths } = aHome();
  const stopped = { session: "s-1", kind: "lead", at: "t", tool: "Bash" };
  writeStopped(paths, stopped);
  onFileCalls((name) => {
    if (name === "rmSync" || name === "rmdirSync") writeStopped(paths, { ...stopped, agentId: "a1" });
  });
  removeStopped(paths, "s-1");
  expect(readStopped(paths, "s-1", "a1")).toMatchObject({ agentId: "a1" });
});
