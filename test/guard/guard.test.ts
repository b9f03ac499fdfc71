// The handler: which tools it looks at, how a verdict becomes an answer, what settings and siblings change.
import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { preToolUse, situationOf, unchecked } from "../../lib/guard/hooks.ts";
import { attendanceOf } from "../../lib/hook/environment.ts";
import { PreToolUse } from "../../lib/hook/events.ts";
import type { Outcome } from "../../lib/hook/outcome.ts";
import { startOf, writeProcess } from "../../lib/system/processes.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";

const SETTINGS = ".claude/swarm/settings.toml";
const ATTENDED = { CLAUDE_CODE_SESSION_ATTENDED: "1" };

const HERE = { mode: "interactive", attended: undefined, entrypoint: undefined, named: {} } as const;

const ctxOf = (
  home: Home,
  tool: string,
  input: object,
  more: object = {},
  env: Record<string, string> = {},
) =>
  aContext(
    home,
    PreToolUse,
    { tool_name: tool, tool_input: input, ...more },
    { env: { ...ATTENDED, ...env } },
  );
const call = (home: Home, tool: string, input: object, more: object = {}, env: Record<string, string> = {}) =>
  preToolUse(ctxOf(home, tool, input, more, env));
const bash = (home: Home, command: string, more: object = {}, env: Record<string, string> = {}) =>
  call(home, "Bash", { command }, more, env);

test.each([
  ["Bash", { command: "sudo ls" }, "elevate"],
  ["Bash", { command: "ls -la" }, undefined],
  ["Bash", { command: "" }, undefined],
  ["Bash", {}, undefined],
  ["Bash", { command: 7 }, undefined],
  ["PowerShell", { command: "Stop-Computer" }, "power"],
  ["PowerShell", { command: "Get-ChildItem" }, undefined],
  ["Write", { file_path: "/etc/hosts", content: "x" }, "protect-system"],
  ["Write", { file_path: "src/a.ts", content: "rm -rf /" }, undefined],
  ["Edit", { file_path: ".env", old_string: "a", new_string: "b" }, "create-env"],
  ["MultiEdit", { file_path: "~/.ssh/config", edits: [] }, "protect-keys"],
  ["NotebookEdit", { notebook_path: "/etc/x.ipynb" }, "protect-system"],
  ["NotebookEdit", { notebook_path: "a.ipynb" }, undefined],
  ["Read", { file_path: "/etc/hosts" }, undefined],
  ["Grep", { pattern: "sudo" }, undefined],
  ["Agent", { prompt: "sudo rm -rf /" }, undefined],
  ["mcp__x__y", { command: "sudo ls" }, undefined],
])("%s %j: %s", (tool, input, rule) => expect(call(aHome(), tool, input)?.rule).toBe(rule));

test("the reason names the rule, the way out and the file with the setting", () => {
  const home = aHome();
  const { ask = "" } = bash(home, "git reset --hard") ?? {};
  expect(ask).toMatch(/^Command guard, rule git-discard: `git reset --hard` throws away/);
  expect(ask).toContain("git stash push");
  expect(ask).toContain(home.path(SETTINGS));
});

test("a recursive delete of the unknown is a question", () => {
  const outcome = bash(aHome(), 'rm -rf "$SOMEWHERE"');
  expect(outcome).toEqual({ ask: expect.stringContaining("delete-unknown"), rule: "delete-unknown" });
});

test.each([
  ["headless", {}, { CLAUDE_CODE_SESSION_ATTENDED: "0" }],
  ["a mission", {}, { CLAUDE_SESSION_MODE: "mission" }],
  ["in the background", {}, { CLAUDE_SESSION_MODE: "background" }],
  ["on its own", {}, { CLAUDE_SESSION_MODE: "autonomous" }],
  [
    "a teammate's own client",
    {},
    { CLAUDE_CODE_AGENT_ID: "alice@atm", CLAUDE_CODE_TEAM_LEAD_ID: "lead@atm" },
  ],
])("where nobody can answer, the question is a denial: %s", (_, more, env: Record<string, string>) => {
  expect(bash(aHome(), 'rm -rf "$SOMEWHERE"', more, env)).toEqual({
    deny: expect.any(String),
    rule: "delete-unknown",
  });
  expect(bash(aHome(), "git reset --hard", more, env)?.deny).toBeDefined();
});

test.each(["default", "auto", "plan", "dontAsk", "bypassPermissions"])(
  "the client shows a question in every permission mode: %s",
  (permission_mode) => expect(bash(aHome(), "git reset --hard", { permission_mode })?.ask).toBeDefined(),
);

describe("attended or not", () => {
  test.each([
    ["unknown", {}, "attended"],
    ["a person's screen", { attended: true, entrypoint: "cli" }, "attended"],
    ["an older client with -p", { entrypoint: "sdk-cli" }, "unattended"],
    ["a native pane teammate", { attended: false }, "unattended"],
    ["a mission", { mode: "mission", attended: true }, "unattended"],
    ["in the background", { mode: "background" }, "unattended"],
    ["a teammate's own client", { named: { agentId: "alice@atm", leadId: "lead@atm" } }, "unattended"],
    ["the lead of a named team", { named: { agentId: "lead@atm", leadId: "lead@atm" } }, "attended"],
    ["a person who named a team", { named: { team: "atm", agent: "lead" } }, "attended"],
  ] as const)("%s", (_, facts, expected) => {
    const { paths } = aHome();
    const around = {
      paths,
      cwd: "/",
      projectDir: undefined,
      clientPid: 2,
      now: new Date(),
      ...HERE,
      ...facts,
    };
    expect(attendanceOf(around)).toBe(expected);
  });
});

test.each([
  ["/w/app/src", "/w/app", "/w/app"],
  ["/w/app/src", "/w/app/", "/w/app/"],
  ["/w/app/src", "/", "/"],
  ["/w/application", "/w/app", "/w/application"],
  ["/w/app", undefined, "/w/app"],
  ["C:\\w\\app\\src", "C:\\w\\app", "C:\\w\\app"],
  ["C:\\w\\app\\src", "C:\\w\\app\\", "C:\\w\\app\\"],
  ["C:\\w\\other", "C:\\w\\app", "C:\\w\\other"],
])("in %s, the client's project being %s: the project is %s", (cwd, projectDir, project) => {
  const { paths } = aHome();
  const around = { paths, cwd, projectDir, clientPid: 2, now: new Date(), ...HERE };
  const { values } = aContext(aHome(), PreToolUse, { tool_name: "Bash", tool_input: {} }).loaded;
  expect(situationOf(around, { values, projectAsks: {} }).project).toBe(project);
});

test("a .env file that does not exist may be created where a person agrees, an existing one not changed", () => {
  const home = aHome();
  const unattended = { CLAUDE_SESSION_MODE: "mission" };
  expect(call(home, "Write", { file_path: ".env" })?.ask).toContain("create-env");
  expect(bash(home, "cp .env.example .env")?.ask).toContain("create-env");
  expect(bash(home, "cp .env.example .env", {}, unattended)?.deny).toContain("create-env");
  home.write("project/.env", "A=1");
  expect(call(home, "Write", { file_path: ".env" })?.deny).toContain("protect-env");
  expect(bash(home, "cp .env.example .env")?.deny).toContain("protect-env");
  expect(bash(home, "rm .env && cp .env.example .env")?.deny).toContain("protect-env");
});

test("a setting for a rule counts for those split from it", () => {
  const home = aHome();
  home.write(SETTINGS, '[guard.rules]\nprotect-env = "off"\nkill-by-search = "deny"\nkill-found = "off"');
  expect(call(home, "Write", { file_path: ".env" })).toBeUndefined();
  expect(bash(home, "lsof -ti:3000 | xargs kill")?.deny).toBeDefined();
  expect(bash(home, "kill $(lsof -ti:3000)")).toBeUndefined();
});

test("once: held back the first time in a session, then let through and written down", () => {
  const home = aHome();
  home.write(SETTINGS, '[guard.rules]\ngit-clean = "once"');
  expect(bash(home, "git clean -fd")?.deny).toContain("run the same command again");
  const again = bash(home, "git clean -fd");
  expect(again).toEqual({
    journal: [{ what: "guard-repeated", rule: "git-clean", subject: "git clean -fd" }],
  });
  expect(bash(home, "git clean -fd", { session_id: "s-2" })?.deny).toBeDefined();
});

test("once: another command of the same rule has a first time of its own", () => {
  const home = aHome();
  home.write(SETTINGS, '[guard.rules]\ngit-clean = "once"\nprotect-keys = "once"');
  expect(bash(home, "git clean -fd")?.deny).toBeDefined();
  expect(bash(home, "git clean -fdx")?.deny).toBeDefined();
  expect(bash(home, "git clean -fd && git clean -fdx")?.deny).toBeDefined();
  expect(
    bash(home, "git clean -fd", { tool_input: { command: "git clean -fd", description: "again" } })?.deny,
  ).toBeUndefined();
  expect(call(home, "Write", { file_path: "~/.ssh/config" })?.deny).toBeDefined();
  expect(call(home, "Write", { file_path: "~/.ssh/known_hosts" })?.deny).toBeDefined();
  expect(call(home, "Write", { file_path: "~/.ssh/config" })?.deny).toBeUndefined();
});

test.each([
  ["a rule", '[guard.rules]\ngit-discard = "off"', "git reset --hard", undefined],
  ["the guard", "[guard]\nenabled = false", "sudo ls", undefined],
  ["a path", '[guard]\nallow_paths = ["/srv/scratch"]', "rm -rf /srv/scratch/a", undefined],
  ["a protected path", '[guard]\nunprotect = [".env.test"]', "echo A > .env.test", undefined],
  [
    "a command",
    '[guard.allow_commands.x]\nmatch = "git push -f"\nreason = "mirror"',
    "git push -f",
    undefined,
  ],
  [
    "a command without a reason",
    '[guard.allow_commands.x]\nmatch = "git push -f"',
    "git push -f",
    "git-force-push",
  ],
  ["more protection", '[guard]\nprotect = ["vault"]', "echo x > vault/a", "protect-custom"],
  ["a wrong word", '[guard.rules]\ngit-discard = "maybe"', "git reset --hard", "git-discard"],
  ["a catastrophe", '[guard.rules]\ndelete-root = "off"', "rm -rf /", "delete-root"],
  ["a broken file", "[guard", "sudo ls", "elevate"],
])("the person's own settings: %s", (_, settings, command, rule) => {
  const home = aHome();
  home.write(SETTINGS, settings);
  expect(bash(home, command)?.rule).toBe(rule);
});

test.each([
  ["cannot switch a rule off", '[guard.rules]\nelevate = "off"', "sudo ls", "deny"],
  ["cannot switch the guard off", "[guard]\nenabled = false", "sudo ls", "deny"],
  ["cannot allow a command", '[guard.allow_commands.x]\nmatch = "sudo ls"\nreason = "x"', "sudo ls", "deny"],
  ["cannot allow a path", '[guard]\nallow_paths = ["/"]', "rm -rf /srv/x", "ask"],
  ["can make a question a denial", '[guard.rules]\ndelete-unknown = "deny"', 'rm -rf "$X"', "deny"],
  ["can protect", '[guard]\nprotect = ["vault"]', "echo x > vault/a", "deny"],
])("a project's file %s", (_, settings, command, answer) => {
  const home = aHome();
  home.write("project/.atm.toml", settings);
  expect(Object.keys(bash(home, command) ?? {})).toContain(answer);
});

test("a denial names the file that asks for it", () => {
  const home = aHome();
  home.write("project/.atm.toml", '[guard.rules]\ngit-clean = "deny"\ngit-discard = "ask"');
  const inProject = "guard.rules.git-clean in the project's .atm.toml.";
  const unattended = { CLAUDE_SESSION_MODE: "mission" };
  expect(bash(home, "git clean -fd")?.deny).toContain(inProject);
  expect(bash(home, "git clean -fd", {}, unattended)?.deny).toContain(inProject);
  home.write(SETTINGS, '[guard.rules]\ngit-clean = "off"\ngit-discard = "deny"');
  expect(bash(home, "git clean -fd")?.deny).toContain(inProject);
  expect(bash(home, "git reset --hard")?.deny).toContain(`in ${home.path(SETTINGS)}.`);
  expect(bash(home, "sudo ls")?.deny).toContain(`in ${home.path(SETTINGS)}.`);
});

test("what a project protects ends at its edge", () => {
  const home = aHome();
  home.write("project/.atm.toml", '[guard]\nprotect = ["*.pem", "vault"]');
  expect(bash(home, "echo x > deep/er/a.pem")?.rule).toBe("protect-custom");
  expect(call(home, "Write", { file_path: "vault/x" })?.rule).toBe("protect-custom");
  expect(bash(home, `echo x > ${home.path("other/a.pem")}`)).toBeUndefined();
  expect(call(home, "Write", { file_path: home.path("other/vault/x") })).toBeUndefined();
});

describe("what decides about agents is not theirs to change", () => {
  const FILES = [
    "project/.atm.toml",
    ".claude/swarm/settings.toml",
    ".claude/settings.json",
    "project/.claude/settings.local.json",
    "project/.claude/hooks/x.sh",
    ".claude/plugins/x/hooks.json",
    ".bashrc",
    ".config/fish/config.fish",
  ];
  type Way = (home: Home, path: string, input: object, env: Record<string, string>) => Outcome | void;
  const WAYS: [string, Way][] = [
    ["Write", (home, path, ...more) => call(home, "Write", { file_path: path }, ...more)],
    ["Edit", (home, path, ...more) => call(home, "Edit", { file_path: path }, ...more)],
    ["a redirection", (home, path, ...more) => bash(home, `echo x >> ${path}`, ...more)],
    ["sed -i", (home, path, ...more) => bash(home, `sed -i s/a/b/ ${path}`, ...more)],
    ["python", (home, path, ...more) => bash(home, `python3 -c "open('${path}', 'w').write('x')"`, ...more)],
    ["rm", (home, path, ...more) => bash(home, `rm ${path}`, ...more)],
  ];

  test.each(FILES.flatMap((file) => WAYS.map(([name, way]) => [file, name, way] as const)))(
    "%s by %s: a question where a person is present, a denial elsewhere",
    (file, _, way) => {
      const home = aHome();
      const answer = (input = {}, env = {}) => Object.keys(way(home, home.path(file), input, env) ?? {});
      expect(answer()).toContain("ask");
      expect(answer({}, { CLAUDE_CODE_SESSION_ATTENDED: "1" })).toContain("ask");
      expect(answer({}, { CLAUDE_CODE_SESSION_ATTENDED: "0" })).toContain("deny");
      expect(answer({}, { CLAUDE_SESSION_MODE: "mission" })).toContain("deny");
      expect(answer({}, { CLAUDE_SESSION_MODE: "background" })).toContain("deny");
      expect(answer({ permission_mode: "bypassPermissions" })).toContain("ask");
    },
  );

  test("also where the client's directory is not a hidden one", () => {
    const home = aHome();
    mkdirSync(home.path("project/client/swarm"), { recursive: true });
    const env = { CLAUDE_CONFIG_DIR: home.path("project/client") };
    expect(bash(home, "echo x > client/settings.json", {}, env)?.rule).toBe("protect-client");
    expect(bash(home, "echo x > client/swarm/settings.toml", {}, env)?.rule).toBe("protect-swarm");
    const cwd = home.path("project/client");
    expect(call(home, "Write", { file_path: "settings.json" }, { cwd }, env)?.rule).toBe("protect-client");
  });
});

test("another agent's process and pane are known from the registry", () => {
  const home = aHome();
  const pid = process.ppid;
  writeProcess(home.paths, {
    pid,
    startedAt: startOf(pid),
    session: "other",
    team: "atm",
    agent: "alice",
    pane: "%7",
  });
  const env = { CLAUDE_PID: "999999" };
  expect(bash(home, `kill ${pid}`, {}, env)?.rule).toBe("kill-agent");
  expect(bash(home, `python3 -c 'import os; os.kill(${pid}, 9)'`, {}, env)?.rule).toBe("kill-agent");
  expect(bash(home, "tmux kill-pane -t %7", {}, env)?.rule).toBe("kill-agent");
  expect(bash(home, "tmux kill-session -t swarm-atm-alice", {}, env)?.rule).toBe("kill-agent");
  expect(bash(home, "kill 999999", {}, env)?.rule).toBe("kill-agent");
  expect(bash(home, "kill 424242", {}, env)).toBeUndefined();
  expect(bash(home, "tmux kill-pane -t %8", {}, env)).toBeUndefined();
});

test("a process that is gone protects nobody", () => {
  const home = aHome();
  const pid = process.ppid;
  writeProcess(home.paths, { pid, startedAt: "1", session: "other", agent: "alice" });
  const rule = bash(home, `kill ${pid}`, {}, { CLAUDE_PID: "999999" })?.rule;
  expect(rule).toBe(process.platform === "linux" ? undefined : "kill-agent");
});

test("real links are followed, for every tool", () => {
  const home = aHome();
  home.write(".ssh/config", "");
  symlinkSync("/etc", home.path("project/out"));
  symlinkSync(home.path(".ssh"), home.path("project/keys"));
  expect(bash(home, "rm -rf out/")?.rule).toBe("delete-root");
  expect(bash(home, "rm -rf out")).toBeUndefined();
  expect(bash(home, "echo x > keys/config")?.rule).toBe("protect-keys");
  expect(call(home, "Write", { file_path: home.path("project/keys/new") })?.rule).toBe("protect-keys");
});

test("a link to a protected file that does not exist yet is no way to make it", () => {
  const home = aHome();
  symlinkSync(home.path(".claude/swarm/settings.toml"), home.path("project/notes"));
  symlinkSync(home.path("project/elsewhere"), home.path("project/free"));
  expect(call(home, "Write", { file_path: home.path("project/notes") })?.rule).toBe("protect-swarm");
  expect(bash(home, "echo x > notes")?.rule).toBe("protect-swarm");
  expect(call(home, "Write", { file_path: home.path("project/free") })).toBeUndefined();
});

test("deletes are measured against the project, also from a directory inside it", () => {
  const home = aHome();
  mkdirSync(home.path("project/src"));
  const cwd = home.path("project/src");
  expect(bash(home, "rm -rf ../dist", { cwd })).toBeUndefined();
  expect(bash(home, "rm -rf ..", { cwd })?.rule).toBe("delete-project");
  expect(bash(home, "rm -rf *", { cwd })).toBeUndefined();
});

test("when the guard has failed, the person is notified once a session", () => {
  const home = aHome();
  const ctx = ctxOf(home, "Bash", { command: "ls" });
  expect(unchecked(ctx)?.notice).toContain("did not check this call");
  expect(unchecked(ctx)).toBeUndefined();
});
