// A person's settings of costs, budgets and calls: what is wrong is named and ignored, and a project sets none of them.
import { expect, test } from "vitest";
import { readSettings, unusedIn } from "../../lib/core/settings.ts";
import { PEOPLE_KEYS } from "../../lib/people/settings.ts";
import { aHome } from "../support/a-home.ts";

const NO_TARGET = 'is none of "desktop", "ntfy:URL", "webhook:URL", ["program", "arg"]';
const NO_PROGRAM = 'notify.targets a program is a list of texts: ["program", "arg"]';

test.each([
  ['[notify]\ntargets = "desktop"', "notify.targets must be a list"],
  ['[notify]\ntargets = ["mail:me"]', `notify.targets "mail:me" ${NO_TARGET}`],
  ['[notify]\ntargets = ["desktop", ""]', `notify.targets "" ${NO_TARGET}`],
  [
    '[notify]\ntargets = ["ntfy:file:///etc/passwd"]',
    `notify.targets "ntfy:file:///etc/passwd" ${NO_TARGET}`,
  ],
  ['[notify]\ntargets = ["webhook:nowhere"]', `notify.targets "webhook:nowhere" ${NO_TARGET}`],
  [
    '[notify]\ntargets = ["https://me:pw@hooks.example/services/T0/SECRET"]',
    `notify.targets "https://hooks.example/…" ${NO_TARGET}`,
  ],
  [
    '[notify]\ntargets = [{ slack = "https://hooks.example?SECRET", to = "me" }]',
    `notify.targets {"slack":"https://hooks.example/…","to":"me"} ${NO_TARGET}`,
  ],
  ['[notify]\ntargets = ["ntfy:ntfy.example/SECRET"]', `notify.targets "ntfy:ntfy.example/…" ${NO_TARGET}`],
  [
    '[notify]\ntargets = ["webhook:me:pw@hooks.example:8080/services/T0/SECRET"]',
    `notify.targets "webhook:hooks.example:8080/…" ${NO_TARGET}`,
  ],
  ['[notify]\ntargets = ["ntfy:me:SECRET@ntfy.example"]', `notify.targets "ntfy:ntfy.example" ${NO_TARGET}`],
  [
    '[notify]\ntargets = ["webhook:///hooks.example/SECRET"]',
    `notify.targets "webhook:///hooks.example/…" ${NO_TARGET}`,
  ],
  [
    '[notify]\ntargets = ["slack:https://hooks.example/services/of me/SECRET"]',
    `notify.targets "slack:https://hooks.example/…" ${NO_TARGET}`,
  ],
  ["[notify]\ntargets = [[]]", NO_PROGRAM],
  ["[notify]\ntargets = [[7]]", NO_PROGRAM],
  ['[notify]\ntargets = [["", "x"]]', NO_PROGRAM],
  ['[notify]\nquiet = "night"', "notify.quiet must look like"],
  ['[notify]\nevents = ["failed", "everything"]', 'notify.events has "everything"; known: waiting, failed'],
  ["[notify]\nafter_s = -1", "notify.after_s must be a whole number"],
  ['[budget]\nday = "much"', "budget.day must be a number"],
  ["[budget]\nday = -1", "budget.day must be a number"],
  ['[cost.prices."x"]\ninput = 1', 'cost.prices "x" needs input and output'],
])("%s is named and ignored", (text, problem) => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", text);
  const loaded = readSettings(home.paths, home.project, undefined);
  expect(loaded.problems).toEqual([expect.stringContaining(problem)]);
  expect(loaded.sources).toEqual({});
});

test("what is right is taken", () => {
  const home = aHome();
  const targets = ["desktop", "ntfy:https://ntfy.sh/t", "webhook:http://host/x", ["program", ""]];
  home.write(
    ".claude/swarm/settings.toml",
    `[notify]\ntargets = ${JSON.stringify(targets)}\nevents = ["failed"]\nquiet = "22:00-07:00"\n[cost.prices.x]\ninput = 1\noutput = 0\n`,
  );
  const { problems, values } = readSettings(home.paths, home.project, undefined);
  expect(problems).toEqual([]);
  expect(values["notify.targets"]).toEqual(targets);
  expect(values["cost.prices"]).toEqual({ x: { input: 1, output: 0 } });
});

test.each([
  ["ntfy:https://me:pw@ntfy.example/SECRET", "ntfy:https://ntfy.example/…"],
  ["ntfy:https://ntfy.example/a SECRET", "ntfy:https://ntfy.example/…"],
  ["webhook:https:/hooks.example/SECRET", "webhook:https:/hooks.example/…"],
  ["webhook:https:///hooks.example/SECRET", "webhook:https:///hooks.example/…"],
])("the target %s is shown as %s", (target, shown) =>
  expect(PEOPLE_KEYS["notify.targets"].shown?.([target] as never)).toEqual([shown]),
);

test.each(["[notify]\ntargets = []", "[budget]\nday = 5", "[cost.prices.x]\ninput = 1\noutput = 1"])(
  "a project may not set %s",
  (text) => {
    const home = aHome();
    home.write("project/.atm.toml", text);
    expect(unusedIn(readSettings(home.paths, home.project, undefined))).toEqual([
      expect.stringContaining("a project may not set it"),
    ]);
  },
);
