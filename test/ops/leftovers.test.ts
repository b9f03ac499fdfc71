// What may go: a table over kinds, ages and who still needs it.
import { expect, test } from "vitest";
import { type Facts, leftovers } from "../../lib/ops/leftovers.ts";
import type { StateFile } from "../../lib/ops/store/state-files.ts";
import { NOON } from "../support/a-context.ts";

const DAY = 86_400_000;
const file = (name: string, days: number, isDirectory = false): StateFile => ({
  name,
  path: `/base/${name}`,
  isDirectory,
  size: 10,
  mode: 0o600,
  changed: new Date(NOON.getTime() - days * DAY),
});
const facts = (given: Partial<Facts> = {}): Facts => ({
  now: NOON,
  keepDays: 30,
  isAsked: false,
  owners: {
    isNeeded: (session) => session === "s-live",
    isAlive: (pid) => pid === 1,
    isRunning: () => false,
  },
  ...given,
});

test.each<[string, StateFile, boolean]>([
  ["an old day of the journal", file("swarm/journal/2026-01-01.jsonl", 31), true],
  ["a younger one", file("swarm/journal/2026-02-01.jsonl", 29), false],
  ["an old session's record", file("swarm/sessions/s-1/session.json", 31), true],
  ["one of 0.1.0", file("swarm/sessions/s-1.json", 31), true],
  ["one of 0.1.0 that lives", file("swarm/sessions/s-live.json", 31), false],
  ["that of one that lives", file("swarm/sessions/s-live/session.json", 31), false],
  ["a subagent of an old session", file("swarm/agents/s-1/a1.json", 31), true],
  ["a subagent of one that lives", file("swarm/agents/s-live/a1.json", 31), false],
  ["a directory", file("swarm/agents/s-1", 31, true), false],
  ["a dead process, however young", file("swarm/processes/7.json", 0), true],
  ["a living process", file("swarm/processes/1.json", 99), false],
  ["a damaged file, when it is old", file("swarm/x.json.corrupt-1", 31), true],
  ["a half-written file of yesterday", file("swarm/x.json.tmp.1f-2", 1), true],
  ["a half-written file of this minute", file("swarm/x.json.tmp.1f-2", 0.0007), false],
  ["an old effort", file("swarm/efforts/1/effort.json", 400), false],
  ["an old inbox", file("teams/t/inboxes/bob.json", 400), false],
  ["an old team", file("teams/t/config.json", 400), false],
  ["the settings", file("swarm/settings.toml", 400), false],
  ["an archived team, unless a person asks", file("archives/t-1", 400, true), false],
  ["an old heartbeat mark", file("tmp/swarm-heartbeat-t-bob", 31), true],
  ["something nobody knows", file("swarm/unknown/x", 400), false],
])("%s", (_, given, goes) => expect(leftovers([given], facts()).length === 1).toBe(goes));

test.each<[StateFile, boolean]>([
  [file("archives/t-1", 31, true), true],
  [file("archives/t-1", 29, true), false],
  [file("teams/t/logs/bob.jsonl", 31), true],
  [file("teams/t/archive/bob.removed-x.json", 31), true],
  [file("teams/t/archive/bob.jsonl", 400), false],
])("asked for by a person: %j", (given, goes) =>
  expect(leftovers([given], facts({ isAsked: true })).length === 1).toBe(goes),
);
