import { statSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { appendMessage } from "../../lib/mail/store/inbox.ts";
import { ensureTriggers, touchTrigger } from "../../lib/mail/store/wake-triggers.ts";
import { aHome } from "../support/a-home.ts";
import { aMessage } from "../support/a-team.ts";

test("a bell is rung in place, by whoever sends; where nobody watches there is none", () => {
  const home = aHome();
  const { paths } = home;
  touchTrigger(paths, "alpha", "bob");
  expect(home.has(".claude/teams")).toBe(false);
  const bells = ensureTriggers(paths, "alpha", "bob");
  const stats = () => bells.map((bell) => statSync(bell));
  const before = stats().map(({ ino }) => ino);
  for (const bell of bells) utimesSync(bell, new Date(0), new Date(0));
  appendMessage(paths, "alpha", "bob", aMessage("alice", "hello"));
  expect(stats().filter(({ mtimeMs }) => mtimeMs > 0)).toHaveLength(1);
  expect(stats().map(({ ino }) => ino)).toEqual(before);
  expect(ensureTriggers(paths, "alpha", "bob")).toEqual(bells);
});
