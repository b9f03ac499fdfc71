import { rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allKeys, DEFAULTS, readSettings, unusedIn } from "../../lib/core/settings.ts";
import { weigh } from "../../lib/core/settings-declaration.ts";
import { aHome } from "../support/a-home.ts";
import { anError, onFileCalls } from "../support/file-calls.ts";

const load = (home: ReturnType<typeof aHome>, cwd = home.project) =>
  readSettings(home.paths, cwd, home.project);

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

test.each([
  ["outside a project only the directory itself counts", "other/deep", undefined, "other/deep"],
  ["outside a project a parent does not", "other/deep/er", undefined, undefined],
  ["beside the project's root likewise", "other/deep/er", "project", undefined],
  ["in its root", "project", "project", "project"],
])("%s", (_, cwd, root, found) => {
  const home = aHome();
  for (const place of ["other/deep", "project"])
    home.write(`${place}/.atm.toml`, `[core]\ndefault_team = "${place}"`);
  home.write("other/deep/er/x", "");
  const { values, projectRoot } = readSettings(home.paths, home.path(cwd), root && home.path(root));
  expect(values["core.default_team"]).toBe(found);
  expect(projectRoot).toBe(found && home.path(cwd));
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
  ["the guard off", "[guard]\nenabled = false", "guard.enabled", true],
  ["a feature off", "[features]\ncommand-guard = false\ncomms = false", "features", {}],
  ["no delivery", "[mail]\ndeliver = []", "mail.deliver", ["start", "prompt", "tool", "stop", "push"]],
  ["no retention", "[mail]\nretention_days = 0", "mail.retention_days", 30],
  ["no sign of life", "[heartbeat]\nstale_s = 0", "heartbeat.stale_s", 300],
  ["a spawn policy", '[team."x"]\nspawn_policy = "any-member"\nco_leaders = ["bob"]', "team", {}],
  ["tools that send", '[comms]\ntools = ["Read", "Bash"]', "comms.tools", []],
  ["a larger cap", "[gate]\nmax_teammates = 99", "gate.max_teammates", 16],
  ["no task rules", "[tasks]\nenforce = false", "tasks.enforce", true],
  ["a command to run", '[tasks]\nverify = "npm test"', "tasks.verify", undefined],
  ["kill before compaction", '[effort]\nprecompact = "kill"', "effort.precompact", "snapshot"],
  ["an effort that is never asked", "[effort]\nblock_after = 0", "effort.block_after", 10],
  ["an effort asked at every call", "[effort]\nblock_after = 1", "effort.block_after", 10],
  ["endless holds", "[scratchpad]\nmax_blocks = 6", "scratchpad.max_blocks", 2],
  ["no scratchpad", '[scratchpad]\nenabled = "off"', "scratchpad.enabled", "auto"],
  ["no section", "[scratchpad]\nsections = []", "scratchpad.sections", DEFAULTS["scratchpad.sections"]],
  ["no warning", "[context]\nwarn = []", "context.warn", [60, 80, 90, 95]],
  ["a warning too late", "[context]\nwarn = [60, 96]", "context.warn", [60, 80, 90, 95]],
  ["a tiny window", "[context]\nwindow = 1", "context.window", undefined],
  ["a giant window", "[context]\nwindow = 999999999", "context.window", undefined],
  ["roles outside", '[context]\nroles_dir = "../roles"', "context.roles_dir", undefined],
  ["roles in the home", '[context]\nroles_dir = "~/roles"', "context.roles_dir", undefined],
  ["a long text", `[core]\nidentity = "${"x".repeat(2_001)}"`, "core.identity", undefined],
] as const)("a project cannot set: %s", (_, toml, name, kept) => {
  const home = aHome();
  home.write("project/.atm.toml", toml);
  const { values, sources, refusals, problems } = load(home);
  expect(values[name]).toEqual(kept);
  expect(sources[name]).toBeUndefined();
  expect(refusals).toEqual([{ name, why: expect.any(String) }]);
  expect(problems).toEqual([]);
  expect(unusedIn(load(home))).toEqual([
    expect.stringMatching(
      new RegExp(
        `/project/\\.atm\\.toml: ${name} is ignored: .*; it belongs in your own .*/settings\\.toml$`,
      ),
    ),
  ]);
});

test.each([
  ["a smaller cap", "[gate]\nmax_teammates = 2", "gate.max_teammates", 2],
  ["a cap where there was none", "[gate]\nmax_depth = 1", "gate.max_depth", 1],
  ["more orchestrators", '[gate]\norchestrators = ["qm"]', "gate.orchestrators", ["scrum-master", "qm"]],
  ["task rules that were off", "[tasks]\nenforce = true", "tasks.enforce", true],
  ["the scratchpad", '[scratchpad]\nenabled = "on"', "scratchpad.enabled", "on"],
  ["its sections", '[scratchpad]\nsections = ["Risks"]', "scratchpad.sections", ["Risks"]],
  ["no holds", "[scratchpad]\nmax_blocks = 0", "scratchpad.max_blocks", 0],
  ["five holds", "[scratchpad]\nmax_blocks = 5", "scratchpad.max_blocks", 5],
  ["a window", "[context]\nwindow = 200000", "context.window", 200_000],
  ["warnings", "[context]\nwarn = [20, 95]", "context.warn", [20, 95]],
  ["its roles", '[context]\nroles_dir = "docs/../roles"', "context.roles_dir", "docs/../roles"],
  ["its files", '[context]\ncore = ["docs/*.md"]', "context.core", ["docs/*.md"]],
] as const)("a project may set: %s", (_, toml, name, expected) => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", "[tasks]\nenforce = false");
  home.write("project/.atm.toml", toml);
  const { values, sources, problems, refusals } = load(home);
  expect(values[name]).toEqual(expected);
  expect(sources[name]).toBe("project");
  expect([...problems, ...refusals]).toEqual([]);
});

test("a key that declares no reach is the person's alone", () => {
  const undeclared = allKeys().filter(([, key]) => key.reach === undefined);
  expect(undeclared.length).toBeGreaterThan(10);
  for (const [, key] of undeclared)
    expect(weigh(key, { asked: key.default, own: key.default, root: "/p" })).toEqual({
      refused: "a project may not set it",
    });
});

test("every key with limits has its default within them", () => {
  for (const [name, key] of allKeys())
    if (key.reach === "project-within-limits" && key.default !== undefined)
      expect([name, weigh(key, { asked: key.default, own: undefined, root: "/p" }).refused]).toEqual([
        name,
        undefined,
      ]);
});

describe("a project's paths lie inside it", () => {
  const protect = (home: ReturnType<typeof aHome>, entries: string[]) => {
    home.write("project/.atm.toml", `[guard]\nprotect = ${JSON.stringify(entries)}`);
    const { projectAsks, refusals } = load(home);
    return { kept: projectAsks["guard.protect"], refused: refusals.length > 0 };
  };

  test.each(["vault", "vault/", "./vault", "vault/**", "a/../vault", "*.pem", "src/**/*.pem", ".husky"])(
    "it may protect %s",
    (entry) => expect(protect(aHome(), [entry])).toEqual({ kept: [entry], refused: false }),
  );

  test.each([
    "/",
    "",
    ".",
    "./",
    "*",
    "**",
    "**/*",
    "./*",
    "?*",
    "[a-z]*",
    "*/..",
    "vault/..",
    "..",
    "../other",
    "~",
    "~/x",
    "~root",
    "/etc",
    "/**",
    "vault/../../x",
    "{*,.*}",
  ])("it may not protect %s, and the rest of the list counts", (entry) =>
    expect(protect(aHome(), [entry, "vault"])).toEqual({ kept: ["vault"], refused: true }),
  );

  test("absolute paths are weighed the same way", () => {
    const home = aHome();
    const within = home.path("project/vault");
    expect(protect(home, [within, home.path("project"), home.path("projects"), home.root])).toEqual({
      kept: [within],
      refused: true,
    });
  });

  test("context files outside are dropped one by one", () => {
    const home = aHome();
    home.write(
      "project/.atm.toml",
      '[context]\ncore = ["../x", "docs/a.md", "~/y", "/etc/passwd", "a/../../z"]',
    );
    const { values, refusals } = load(home);
    expect(values["context.core"]).toEqual(["docs/a.md"]);
    expect(refusals).toEqual([
      { name: "context.core", why: expect.stringContaining("leads out of the project") },
    ]);
  });
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
  ["an unknown key outside a table", "foo = 1", "unknown key foo"],
  ["an unknown table", "[nope]\nx = 1", "unknown key nope.x"],
  ["a wrong type", '[heartbeat]\nstale_s = "long"', "heartbeat.stale_s must be a whole number"],
  ["a negative number", "[heartbeat]\nstale_s = -1", "heartbeat.stale_s must be a whole number"],
  ["a negative amount", "[budget]\nday = -1", "budget.day must be a number from 0"],
  ["a wrong choice", '[effort]\nprecompact = "explode"', "effort.precompact must be one of"],
  ["a list of the wrong things", "[mail]\ndeliver = [1]", "mail.deliver must be a list of texts"],
])("%s is reported and ignored", (_, toml, why) => {
  const home = aHome();
  home.write("project/.atm.toml", toml);
  const { values, problems } = load(home);
  expect(problems).toEqual([expect.stringContaining(why)]);
  expect(values["heartbeat.stale_s"]).toBe(300);
});

test.each(["EACCES", "ENAMETOOLONG"])(
  "a directory where nothing can be looked at (%s) has no file",
  (code) => {
    const home = aHome();
    home.write(".claude/swarm/settings.toml", "[heartbeat]\nstale_s = 77");
    home.write("project/.atm.toml", '[core]\ndefault_team = "far"');
    const closed = home.path("project/closed");
    onFileCalls((name, [path]) => {
      if (name === "lstatSync" && String(path).startsWith(closed)) throw anError(code);
    });
    const { values, problems } = load(home, closed);
    expect([values["heartbeat.stale_s"], values["core.default_team"]]).toEqual([77, "far"]);
    expect(problems).toEqual([`${closed}/.atm.toml: ${code}`]);
  },
);

test("a link in the file's place may not lead out of the project", () => {
  const home = aHome();
  home.write("elsewhere.toml", '[core]\ndefault_team = "stolen"');
  symlinkSync(home.path("elsewhere.toml"), home.path("project/.atm.toml"));
  const { values, projectFile, problems } = load(home);
  expect(values["core.default_team"]).toBeUndefined();
  expect(projectFile).toBe(home.path("project/.atm.toml"));
  expect(problems).toEqual([expect.stringContaining("the link leads out of the project")]);
  rmSync(home.path("project/.atm.toml"));
  home.write("project/config/atm.toml", '[core]\ndefault_team = "own"');
  symlinkSync("config/atm.toml", home.path("project/.atm.toml"));
  expect(load(home).values["core.default_team"]).toBe("own");
});

test("a directory in the file's place is reported, not fatal", () => {
  const home = aHome();
  home.write("project/.atm.toml/x", "");
  expect(load(home).problems).toEqual([expect.stringContaining("not a regular file")]);
});

test.each(["/p/$&x", "/p/$$x", "/p/$`x"])("a project in %s may name its own files", (root) => {
  const [, key] = allKeys().find(([name]) => name === "context.core") ?? [];
  const asked = ["${PROJECT_PATH}/a.md", "${PROJECT_PATH}/../b.md"];
  expect(weigh(key as NonNullable<typeof key>, { asked, own: [], root })).toEqual({
    value: ["${PROJECT_PATH}/a.md"],
    refused: '"${PROJECT_PATH}/../b.md" leads out of the project',
  });
});
