import { describe, expect, test } from "vitest";
import { namesIn, readSettings } from "../../lib/store/settings.ts";
import { aHome } from "../support/a-home.ts";

const load = (home: ReturnType<typeof aHome>, cwd = home.project) =>
  readSettings(home.places, cwd, home.project);

test("without any file every setting has its default", () => {
  const { values, sources, projectFile, problems } = load(aHome());
  expect(values["gate.orchestrators"]).toEqual(["scrum-master"]);
  expect(values["context.warn"]).toEqual([60, 80, 90, 95]);
  expect(sources["mail.deliver"]).toBeUndefined();
  expect(projectFile).toBeUndefined();
  expect(problems).toEqual([]);
});

test("the nearest .atm.toml up to the project's root counts", () => {
  const home = aHome();
  home.write("project/.atm.toml", '[core]\ndefault_team = "far"');
  home.write("project/deep/er/x", "");
  expect(load(home, home.path("project/deep/er")).values["core.default_team"]).toBe("far");
  home.write("project/deep/.atm.toml", '[core]\ndefault_team = "near"');
  expect(load(home, home.path("project/deep/er")).values["core.default_team"]).toBe("near");
});

test("a file above the project's root is not ours", () => {
  const home = aHome();
  home.write(".atm.toml", '[core]\ndefault_team = "outside"');
  expect(load(home).values["core.default_team"]).toBeUndefined();
});

test("the project wins over the person where it only names things", () => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", '[core]\nidentity = "me"\nwelcome-message = "hi"');
  home.write("project/.atm.toml", '[core]\nidentity = "team-lead"');
  const { values, sources } = load(home);
  expect(values["core.identity"]).toBe("team-lead");
  expect(sources["core.identity"]).toBe("project");
  expect(values["core.welcome-message"]).toBe("hi");
  expect(sources["core.welcome-message"]).toBe("person");
});

test.each([
  ["guard.enabled = false", "[guard]\nenabled = false", "guard.enabled", true],
  ["a larger cap", "[gate]\nmax_teammates = 99", "gate.max_teammates", 16],
  ["a command to run", '[tasks]\nverify = "npm test"', "tasks.verify", undefined],
  ["kill before compaction", '[effort]\nprecompact = "kill"', "effort.precompact", "snapshot"],
] as const)("a project cannot loosen: %s", (_, toml, name, kept) => {
  const home = aHome();
  home.write("project/.atm.toml", toml);
  const { values, problems } = load(home);
  expect(values[name]).toEqual(kept);
  expect(problems).toEqual([expect.stringContaining(`${name} in .atm.toml is ignored`)]);
});

test.each([
  ["a smaller cap", "[gate]\nmax_teammates = 2", "gate.max_teammates", 2],
  ["a cap where there was none", "[gate]\nmax_depth = 1", "gate.max_depth", 1],
  ["more protected paths", '[guard]\nprotect = ["secrets"]', "guard.protect", ["mine", "secrets"]],
] as const)("a project can tighten: %s", (_, toml, name, expected) => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", '[guard]\nprotect = ["mine"]');
  home.write("project/.atm.toml", toml);
  const { values, problems } = load(home);
  expect(values[name]).toEqual(expected);
  expect(problems).toEqual([]);
});

test("the guard's rules of a project stand apart, for the guard to weigh", () => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", '[guard.rules]\n"git-discard" = "off"');
  home.write("project/.atm.toml", '[guard.rules]\n"git-discard" = "deny"');
  const { values, projectAsks } = load(home);
  expect(values["guard.rules"]).toEqual({ "git-discard": "off" });
  expect(projectAsks["guard.rules"]).toEqual({ "git-discard": "deny" });
});

test.each([
  ["not TOML", "[core\n", "Invalid TOML"],
  ["an unknown key", "[core]\nfoo = 1", "unknown key core.foo"],
  ["an unknown table", "[nope]\nx = 1", "unknown key nope.x"],
  ["a wrong type", '[heartbeat]\nstale_s = "long"', "heartbeat.stale_s must be a whole number"],
  ["a negative number", "[heartbeat]\nstale_s = -1", "heartbeat.stale_s must be a whole number"],
  ["a wrong choice", '[effort]\nprecompact = "explode"', "effort.precompact must be one of"],
  ["a list of the wrong things", "[mail]\ndeliver = [1]", "mail.deliver must be a list of texts"],
])("%s is reported and ignored", (_, toml, why) => {
  const home = aHome();
  home.write("project/.atm.toml", toml);
  const { values, problems } = load(home);
  expect(problems).toEqual([expect.stringContaining(why)]);
  expect(values["heartbeat.stale_s"]).toBe(300);
});

test("a directory in the file's place is reported, not fatal", () => {
  const home = aHome();
  home.write("project/.atm.toml/x", "");
  expect(load(home).problems).toEqual([expect.stringContaining("not a regular file")]);
});

describe("a project that only names things is read without the parser, and as the parser would", () => {
  const read = (text: string, personal: string) => {
    const home = aHome();
    home.write("project/.atm.toml", text);
    if (personal) home.write(".claude/swarm/settings.toml", personal);
    const { values, sources, projectAsks, problems } = load(home);
    return { values, sources, projectAsks, problems };
  };

  test.each([
    '[core]\ndefault_team = "alpha"\nidentity = "team-lead"\n',
    '[core]\nidentity = "bob.the builder_2"',
    '[core]\n\ndefault_team = "a"\n\n',
    "[core]\n",
  ])("%j", (text) => {
    expect(namesIn(text)).toBeDefined();
    // A person's file, even if it says nothing, brings in the parser.
    expect(read(text, "")).toEqual(read(text, "# nothing"));
  });

  test.each([
    "",
    'default_team = "alpha"',
    '# mine\n[core]\nidentity = "x"',
    '[core]\r\nidentity = "x"\r\n',
    '[core]\nidentity = "x" # me',
    '[core]\nidentity = "x\\ty"',
    '[core]\nidentity = "x" "',
    '[core]\nidentity = "x"y"',
    '[core]\nidentity = ""',
    '[core]\nidentity = "',
    '[core]\nidentity="x"',
    '[core]\nidentity = "\u00e9"',
    '[core]\nidentity = "x"\nidentity = "y"',
    "[core]\n[core]",
    '[core]\nwelcome-message = "hi"',
    '[core]\nidentity = "x"\n[gate]\nmax_teammates = 1',
  ])("left to the parser: %j", (text) => expect(namesIn(text)).toBeUndefined());
});
