// What a session's own files say about its turns: wake-ups are claimed once, unconfirmed mail is taken once.
import { appendFileSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { promptInside } from "../../lib/mail/store/lead-notes.ts";
import {
  appendUnconfirmed,
  beginTurn,
  claimWake,
  endTurn,
  isTurnOpen,
  releaseWake,
  removeSessionFiles,
  takeUnconfirmed,
} from "../../lib/mail/store/session-files.ts";
import { aHome } from "../support/a-home.ts";

const FILES = ".claude/swarm/seats/s";

test("a wake-up is claimed once, and the turn that follows knows it was woken, once", () => {
  const { paths } = aHome();
  expect(claimWake(paths, "s")).toBe(true);
  expect(claimWake(paths, "s")).toBe(false);
  expect(beginTurn(paths, "s")).toBe(true);
  expect(isTurnOpen(paths, "s")).toBe(true);
  expect(beginTurn(paths, "s")).toBe(false);
  expect(claimWake(paths, "s")).toBe(true);
  endTurn(paths, "s");
  expect(isTurnOpen(paths, "s")).toBe(false);
  expect(claimWake(paths, "s")).toBe(true);
  releaseWake(paths, "s");
  expect(claimWake(paths, "s")).toBe(true);
});

test.each([
  ["nine seconds", 9, false],
  ["eleven seconds", 11, true],
  ["eleven seconds in the future", -11, true],
])("a wake-up that began no turn is claimed again: after %s", (_, seconds, isAgain) => {
  const home = aHome();
  claimWake(home.paths, "s");
  const then = Date.now() / 1000 - seconds;
  utimesSync(home.path(FILES, "wake"), then, then);
  expect(claimWake(home.paths, "s")).toBe(isAgain);
});

test("unconfirmed mail is taken once, and a damaged line of it is left out", () => {
  const home = aHome();
  appendUnconfirmed(home.paths, "s", { call: "t1", ids: ["a"] });
  const file = home.path(FILES, "told.jsonl");
  for (const line of ['{"call":1,"ids":["b"]}', '{"call":"t2","ids":"b"}', '{"call":"t3","ids":[1]}', "{"])
    appendFileSync(file, `${line}\n`);
  expect(takeUnconfirmed(home.paths, "s")).toEqual([{ call: "t1", ids: ["a"] }]);
  expect(takeUnconfirmed(home.paths, "s")).toEqual([]);
});

test("a session's files are removed together", () => {
  const home = aHome();
  beginTurn(home.paths, "s");
  removeSessionFiles(home.paths, "s");
  expect(isTurnOpen(home.paths, "s")).toBe(false);
});

test("the question inside a session is that of an agent that has not ended", () => {
  const home = aHome();
  const record = (agentId: string, more: object) =>
    home.write(`.claude/swarm/agents/s/${agentId}.json`, {
      ...{ session: "s", agentId, state: "active", status: "waiting", startedAt: "t", lastSeen: "t" },
      ...more,
    });
  record("a1", {});
  expect(promptInside(home.paths, "s")).toBeUndefined();
  record("a2", { prompt: { kind: "question", since: "1" }, endedAt: "t" });
  expect(promptInside(home.paths, "s")).toBeUndefined();
  record("a3", { prompt: { kind: "question", since: "2" } });
  expect(promptInside(home.paths, "s")).toMatchObject({ since: "2" });
});
