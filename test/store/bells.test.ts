import { statSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { ensureBells, ringBell } from "../../lib/store/bells.ts";
import { appendMessage } from "../../lib/store/inbox.ts";
import { aHome } from "../support/a-home.ts";
import { aMessage } from "../support/a-team.ts";

test("a bell is rung in place, by whoever sends; where nobody watches there is none", () => {
  const home = aHome();
  const { places } = home;
  ringBell(places, "alpha", "bob");
  expect(home.has(".claude/teams")).toBe(false);
  const bells = ensureBells(places, "alpha", "bob");
  const stats = () => bells.map((bell) => statSync(bell));
  const before = stats().map(({ ino }) => ino);
  for (const bell of bells) utimesSync(bell, new Date(0), new Date(0));
  appendMessage(places, "alpha", "bob", aMessage("alice", "hello"));
  expect(stats().filter(({ mtimeMs }) => mtimeMs > 0)).toHaveLength(1);
  expect(stats().map(({ ino }) => ino)).toEqual(before);
  expect(ensureBells(places, "alpha", "bob")).toEqual(bells);
});
