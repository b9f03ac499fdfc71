// Forecasts that need odd trees: filters, merge programs, ticks of the clock.
import { chmodSync, existsSync, mkdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as events from "../../lib/hook/events.ts";
import { userPromptSubmit } from "../../lib/worktrees/hooks/forecast.ts";
import { takeTreeNotes } from "../../lib/worktrees/store/tree-notes.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { inboxOf, TEAM } from "../support/a-team.ts";
import { aPair, BASE, conflictsOf } from "./a-pair.ts";

const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

test("paths that a filter or a merge program makes are left out and named, and no such program runs", () => {
  const attributes = "*.bin filter=evil\n*.lock merge=evil\n";
  const { home, ada, bob, forecast } = aPair({
    ...BASE,
    ".gitattributes": attributes,
    "x.bin": "1",
    "only-ada.bin": "1",
    "y.lock": "1\n",
  });
  const trap = home.path("trapped");
  for (const key of ["filter.evil.clean", "filter.evil.smudge", "merge.evil.driver"])
    ada.git("config", key, `touch '${trap}'; cat`);
  ada.git("config", "core.fsmonitor", `touch '${trap}'`);
  mkdirSync(join(ada.path, ".git/hooks"), { recursive: true });
  for (const hook of ["post-index-change", "reference-transaction"]) {
    ada.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch '${trap}'\n`);
    chmodSync(join(ada.path, ".git/hooks", hook), 0o755);
  }
  for (const [tree, text] of [
    [ada, "A\n"],
    [bob, "B\n"],
  ] as const)
    for (const file of ["x.bin", "y.lock", "a.txt"]) tree.write(file, text);
  ada.write("only-ada.bin", "A\n");
  const made = forecast();
  expect(conflictsOf(made)).toEqual([["a.txt"]]);
  expect(made.forecast.leftOut).toEqual(["only-ada.bin", "x.bin", "y.lock"]);
  expect(existsSync(trap)).toBe(false);
});

test("a change in the same tick as the index, of the same size, is not missed", () => {
  const { ada, bob, forecast } = aPair();
  ada.git("config", "core.trustctime", "false");
  const then = Math.floor(Date.now() / 1_000) - 100;
  const inTick = (path: string) => utimesSync(path, then, then);
  inTick(join(ada.path, "b.txt"));
  ada.git("update-index", "--refresh");
  ada.write("b.txt", "A\n");
  inTick(join(ada.path, "b.txt"));
  inTick(join(ada.path, ".git/index"));
  bob.write("b.txt", "B\n");
  expect(conflictsOf(forecast())).toEqual([["b.txt"]]);
});

test("a directory that became a file, and a file that became a directory", () => {
  const { ada, bob, forecast } = aPair({ "a.txt": "1\n", "d/x": "1\n" });
  rmSync(join(ada.path, "a.txt"));
  ada.write("a.txt/b", "x");
  ada.write("d/x", "changed\n");
  rmSync(join(bob.path, "d"), { recursive: true });
  bob.write("d", "file");
  const made = forecast();
  expect(made.forecast.trees.map(({ why }) => why)).toEqual([undefined, undefined]);
  expect(conflictsOf(made).flat()).toContain("d/x");
});

test("an agent that no mail can reach hears with its next step, and the other by mail all the same", () => {
  const { home, ada, bob, forecast } = aPair();
  ada.write("a.txt", "ada\n");
  bob.write("a.txt", "bob\n");
  home.write(`.claude/teams/${TEAM}/inboxes/ada.json/is-a-directory`, "");
  expect(forecast().notified).toEqual(["ada", "bob"]);
  expect(takeTreeNotes(home.paths, "s-1")).toEqual([expect.stringContaining("Merge forecast: your tree")]);
  expect(home.json(`.claude/teams/${TEAM}/inboxes/bob.json`)).toHaveLength(1);
});

test("both owners hear of a new conflict once, and again when it comes back", () => {
  const { home, ada, bob, forecast } = aPair();
  const inbox = (agent: string) => (home.has(inboxOf(agent)) ? home.json(inboxOf(agent)) : []);
  expect(forecast().notified).toEqual([]);
  ada.write("a.txt", "ADA\n");
  bob.write("a.txt", "BOB\n");
  expect(forecast(later(2)).notified).toEqual(["ada", "bob"]);
  expect(inbox("ada")[0].text).toContain("your tree and that of bob");
  expect(inbox("ada")[0].text).toContain("would now conflict in a.txt");
  expect(inbox("ada")[0].text).toContain("`swarm send bob '…'`");
  expect(inbox("bob")[0].text).toContain(`that of ada (${ada.path})`);
  expect(forecast(later(4))).toMatchObject({
    notified: [],
    forecast: { conflicts: [{ files: [{ since: later(2).toISOString() }] }] },
  });
  const again = forecast(later(5)).forecast;
  expect(again.conflicts).toHaveLength(1); // from the last one: nothing has changed
  ada.write("a.txt", "ADA again\n");
  expect(forecast(later(6)).notified).toEqual([]);
  bob.write("b.txt", "B\n");
  ada.write("b.txt", "A\n");
  expect(forecast(later(8)).notified).toEqual(["ada", "bob"]);
  expect(inbox("bob")[1].text).toContain("conflict in b.txt");
  ada.git("checkout", "-q", ".");
  expect(conflictsOf(forecast(later(10)))).toEqual([]);
  ada.write("a.txt", "ADA\n");
  expect(forecast(later(12)).notified).toEqual(["ada", "bob"]);
});

test("without a mailbox the note waits for the next prompt, and comes once", () => {
  const { home, ada, bob, forecast } = aPair(BASE, { team: false });
  ada.write("a.txt", "ADA\n");
  bob.write("a.txt", "BOB\n");
  expect(forecast().notified).toEqual(["solo-s-1", "solo-s-2"]);
  const said = () => userPromptSubmit(aContext(home, events.UserPromptSubmit, { session_id: "s-2" }));
  expect(said()).toMatchObject({
    context: {
      text: expect.stringMatching(
        /would now conflict in a\.txt\..*solo-s-1 is in no team and has no mailbox/,
      ),
    },
  });
  expect(said()).toBeUndefined();
});
