// A team's directory: made whole or not at all, one of two makers gets it, moved aside at the end.
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { archiveTeamDirectory, createTeamDirectory, readArchives } from "../../lib/teams/store/directory.ts";
import { lifeOfSession } from "../../lib/teams/store/liveness.ts";
import { aHome } from "../support/a-home.ts";
import { anError, onFileCalls } from "../support/file-calls.ts";

const CONTENT = { name: "x", members: [] } as never;

test("made once, with what belongs to it", () => {
  const home = aHome();
  const fill = () => void home.write(".claude/teams/x/inboxes/a.json", []);
  expect(createTeamDirectory(home.paths, "x", CONTENT, fill)).toBe(true);
  expect(home.json(".claude/teams/x/config.json")).toMatchObject({ name: "x" });
  const isAsked = () => {
    throw new Error("asked");
  };
  expect(createTeamDirectory(home.paths, "x", CONTENT, isAsked)).toBe(false);
  expect(home.has(".claude/teams/x/inboxes/a.json")).toBe(true);
});

test("nothing of it stays where it could not be filled", () => {
  const home = aHome();
  const fill = () => {
    home.write(".claude/teams/x/half", "");
    throw new Error("no space");
  };
  expect(() => createTeamDirectory(home.paths, "x", CONTENT, fill)).toThrow("no space");
  expect(home.has(".claude/teams/x")).toBe(false);
});

test("the reason stays the reason where nothing is left to remove", () => {
  const home = aHome();
  const fill = () => {
    rmSync(home.path(".claude/teams/x"), { recursive: true });
    throw new Error("no space");
  };
  expect(() => createTeamDirectory(home.paths, "x", CONTENT, fill)).toThrow("no space");
});

test("a place that cannot be made is an error, not a name that is taken", () => {
  const home = aHome();
  onFileCalls((name, [path]) => {
    if (name === "mkdirSync" && path === home.path(".claude/teams/x")) throw anError("EACCES");
  });
  expect(() => createTeamDirectory(home.paths, "x", CONTENT, () => {})).toThrow("EACCES");
  rmSync(home.path(".claude/teams"), { recursive: true });
  home.write(".claude/teams", "a file");
  expect(() => createTeamDirectory(home.paths, "x", CONTENT, () => {})).toThrow();
});

test("archived: moved with its content, and listed by time", () => {
  const home = aHome();
  for (const stamp of ["20260101T000000Z", "20260301T000000Z"]) {
    createTeamDirectory(home.paths, "x", CONTENT, () => void home.write(".claude/teams/x/a", stamp));
    archiveTeamDirectory(home.paths, "x", stamp);
    expect(home.has(".claude/teams/x")).toBe(false);
    expect(home.read(`.claude/archives/x-${stamp}/team/a`)).toBe(stamp);
  }
  home.write(".claude/archives/unknown/a", "");
  expect(readArchives(home.paths).map(({ team, stamp }) => `${team} ${stamp}`)).toEqual([
    "x 20260301T000000Z",
    "x 20260101T000000Z",
  ]);
});

test("a team with the longest name that a team may have can be archived", () => {
  const home = aHome();
  const name = "n".repeat(100);
  createTeamDirectory(home.paths, name, CONTENT, () => {});
  archiveTeamDirectory(home.paths, name, "20260101T000000Z");
  expect(readArchives(home.paths)).toMatchObject([{ team: name }]);
});

test.each([
  ["prompt_input_exit", "session s ended at t (prompt_input_exit)"],
  [undefined, "session s ended at t (no reason given)"],
])("an ended session is gone, with its reason: %s", (endReason, evidence) => {
  const home = aHome();
  home.write(".claude/swarm/sessions/s/session.json", {
    ...{ session: "s", state: "ended", status: "idle", startedAt: "t", lastSeen: "t", endedAt: "t" },
    ...(endReason && { endReason }),
  });
  expect(lifeOfSession(home.paths, "s")).toEqual({ life: "gone", evidence });
});
