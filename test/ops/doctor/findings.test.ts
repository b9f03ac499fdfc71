import { expect, test } from "vitest";
import type { ErrorLine, Fired } from "../../../lib/core/journal.ts";
import { readSettings } from "../../../lib/core/settings.ts";
import { fileFindings } from "../../../lib/ops/doctor/files.ts";
import { guardFindings } from "../../../lib/ops/doctor/guard.ts";
import { type Machine, machineFindings, nodeFinding } from "../../../lib/ops/doctor/machine.ts";
import type { StateFile } from "../../../lib/ops/store/state-files.ts";
import { aHome } from "../../support/a-home.ts";

const NOW = new Date("2026-02-20T12:00:00Z");

test.each([
  ["18.20.0", "bad"],
  ["20.9.9", "bad"],
  ["20.12.0", "ok"],
  ["20.20.2", "ok"],
  ["26.0.0", "ok"],
])("Node %s is %s", (version, level) => expect(nodeFinding(version)).toMatchObject([{ level }]));

const SLOW = "warn every hook starts about three times as slowly as it could";
const TASKS_ON = /Task tools: on \(CLAUDE_CODE_ENABLE_TODO_TOOLS\)/;

interface GivenMachine extends Partial<Omit<Machine, "paths">> {
  clients?: string[];
  hasFired?: boolean;
  /** Of the client. */
  settings?: { env?: Record<string, string>; enabledPlugins?: Record<string, boolean> };
  isInstalled?: boolean;
}

const CLIENTS = ["2.1.325", "2.1.197", "2.1.325"];
const NO_FLAGS = { teams: undefined, taskTools: undefined };

function found(given: GivenMachine) {
  const { clients = CLIENTS, hasFired = true, settings = {}, isInstalled = true, ...own } = given;
  const home = aHome();
  home.write(".claude/settings.json", settings);
  if (isInstalled) home.write(".claude/plugins/installed_plugins.json", { plugins: { "swarm@market": [] } });
  const usual = { nodeVersion: "22.1.0", clientFlags: NO_FLAGS, extraCertificates: undefined };
  return machineFindings({ paths: home.paths, ...usual, ...own }, clients, hasFired);
}

test.each<[string, GivenMachine, string]>([
  ["versions are counted", {}, "ok Claude Code 2.1.197, 2.1.325"],
  ["installed", {}, "ok the plugin is installed"],
  [
    "switched off",
    { settings: { enabledPlugins: { "swarm@market": false } } },
    "bad the plugin is switched off",
  ],
  ["nowhere", { isInstalled: false, hasFired: false }, "bad the plugin is not installed"],
  ["by --plugin-dir", { isInstalled: false }, "ok the plugin is loaded from a directory"],
  ["certificates on Node 20", { nodeVersion: "20.20.0", extraCertificates: "/ca.pem" }, SLOW],
  [
    "certificates by the client's settings",
    { nodeVersion: "20.20.0", settings: { env: { NODE_EXTRA_CA_CERTS: "/ca.pem" } } },
    SLOW,
  ],
])("%s", (_, given, expected) =>
  expect(found(given).map((one) => `${one.level} ${one.what}`)).toContain(expected),
);

test.each<[string, GivenMachine, RegExp]>([
  ["teams by the shell", { clientFlags: { ...NO_FLAGS, teams: "1" } }, /own teams: on/],
  [
    "teams by the client's settings",
    { settings: { env: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: "1" } } },
    /own teams: on/,
  ],
  ["teams said no to", { clientFlags: { ...NO_FLAGS, teams: "0" } }, /own teams: off/],
  ["an old client has the Task tools", { clients: ["2.1.197"] }, /Task tools: on \(this client has them/],
  ["Task tools by the shell", { clientFlags: { ...NO_FLAGS, taskTools: "1" } }, TASKS_ON],
  [
    "Task tools by the client's settings",
    { settings: { env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" } } },
    TASKS_ON,
  ],
  ["a new one may not", { clients: ["2.1.325"] }, /newer clients leave them out/],
])("%s", (_, given, expected) => expect(found(given).at(-1)?.evidence.join("\n")).toMatch(expected));

test("no client seen is said so, and gives nobody the Task tools", () => {
  const [, client, , flags] = found({ clients: [] });
  expect(client?.what).toBe("no client version known yet");
  expect(flags?.evidence.join()).toContain("newer clients leave them out");
});

test("each version with its sessions, in the order of versions", () =>
  expect(found({ clients: ["2.1.90", "2.1.325", "2.1.90"] })[1]).toMatchObject({
    what: "Claude Code 2.1.90, 2.1.325",
    evidence: ["2.1.90 in 2 sessions", "2.1.325 in 1 session"],
  }));

test("certificates do not matter to Node 22", () =>
  expect(found({ extraCertificates: "/ca.pem" }).map((one) => one.level)).not.toContain("warn"));

const LAST = "PreToolUse last fired just now|guard.rules: kill-by-name is off";
const ERROR = { at: "2026-02-20T11:00:00Z", event: "PreToolUse", error: "boom\u001b[2J" };

interface GivenGuard {
  disabled?: Set<string>;
  fired?: Fired[];
  errors?: ErrorLine[];
  /** When calls began that were never answered. */
  unanswered?: string[];
}

test.each<[string, string, GivenGuard, string, string?]>([
  ["it protects", "", {}, "ok the command guard protects"],
  ["guard.enabled", "[guard]\nenabled = false", {}, "bad the command guard does not protect"],
  ["features", "[features]\ncommand-guard = false", {}, "bad the command guard does not protect"],
  ["SWARM_DISABLE", "", { disabled: new Set(["all"]) }, "bad the command guard does not protect"],
  [
    "a rule is off",
    '[guard.rules]\nkill-by-name = "off"\ngit-clean = "ask"',
    {},
    "ok the command guard protects",
    LAST,
  ],
  ["all rules are on", "", {}, "ok the command guard protects", "PreToolUse last fired just now"],
  [
    "an error without words",
    "",
    { errors: [{ at: ERROR.at, event: "PreToolUse" } as typeof ERROR] },
    "bad the command guard let 1 call pass unchecked in the last day",
    `${ERROR.at}: `,
  ],
  ["never asked", "", { fired: [] }, "warn the command guard has not been asked yet"],
  ["it failed", "", { errors: [ERROR] }, "bad the command guard let 1 call pass unchecked in the last day"],
  [
    "it failed long ago",
    "",
    { errors: [{ ...ERROR, at: "2026-02-18T11:00:00Z" }] },
    "ok the command guard protects",
  ],
  [
    "killed before it answered",
    "",
    { unanswered: ["2026-02-18T11:00:00Z", "2026-02-20T11:00:00Z", "2026-02-20T11:59:00Z"] },
    "bad the command guard never answered 1 call in the last day",
    "2026-02-20T11:00:00.000Z",
  ],
  [
    "another feature failed",
    "",
    { errors: [{ ...ERROR, feature: "inbox" }] },
    "ok the command guard protects",
  ],
])("guard: %s", (_, toml, given, expected, evidence) => {
  const { disabled = new Set(), errors = [], unanswered = [] } = given;
  const { fired = [{ event: "PreToolUse", times: [30], last: NOW }] } = given;
  const home = aHome();
  home.write(".claude/swarm/settings.toml", toml);
  const begun = unanswered.map((at, n) => `+${n}.${Date.parse(at).toString(36)}\n`);
  home.write(".claude/swarm/guarded", begun.join(""));
  const loaded = readSettings(home.paths, home.project, home.project);
  const [finding, ...more] = guardFindings({ loaded, disabled, paths: home.paths, now: NOW }, fired, errors);
  expect(`${finding?.level} ${finding?.what}`).toBe(expected);
  expect(more).toEqual([]);
  expect(finding?.evidence.join("")).not.toContain("\u001b");
  if (evidence !== undefined) expect(finding?.evidence.join("|")).toBe(evidence);
});

test("guard: what guard.rules cannot mean is named, not listed as switched off", () => {
  const home = aHome();
  const person = home.write(
    ".claude/swarm/settings.toml",
    '[guard.rules]\n"no-\\u001bsuch" = "off"\nelevate = "of"\ndelete-root = "off"\ngit-clean = "off"',
  );
  const project = home.write(
    "project/.atm.toml",
    '[guard.rules]\ngit-claen = "deny"\ngit-discard = "deny"\ngit-rewrite = "off"',
  );
  const loaded = readSettings(home.paths, home.project, home.project);
  const fired = [{ event: "PreToolUse", times: [30], last: NOW }];
  expect(guardFindings({ loaded, disabled: new Set(), paths: home.paths, now: NOW }, fired, [])).toEqual([
    expect.objectContaining({
      evidence: ["PreToolUse last fired just now", "guard.rules: git-clean is off"],
    }),
    {
      level: "warn",
      what: "5 entries of guard.rules have no effect",
      evidence: [
        `${person}: no rule is called no-such`,
        `${person}: elevate is "of", not one of deny, ask, once, off`,
        `${person}: delete-root is always denied`,
        `${project}: no rule is called git-claen`,
        `${project}: git-rewrite is "off", and a project can only be stricter`,
      ],
      advice: "`swarm guard rules` lists the rules",
    },
  ]);
});

const file = (path: string, given: Partial<StateFile> = {}): StateFile => ({
  path,
  name: path.replace(/^\/b\//, ""),
  isDirectory: false,
  size: 100,
  mode: 0o600,
  changed: new Date("2026-02-20T10:00:00Z"),
  ...given,
});
const root = file("/b/swarm", { isDirectory: true, mode: 0o700 });
const openRoot = { ...root, mode: 0o755 };
const lock = { isDirectory: true, mode: 0o700 };
const OPEN = "warn other users of this machine can read the state directory";

test.each<[string, StateFile[], string, string?]>([
  ["nothing", [root, file("/b/swarm/x.json")], "ok the state directory is in order", "2 entries, 1 KB"],
  ["nothing at all", [], "ok the state directory is in order", "0 entries, 0 KB"],
  [
    "an open file in an open one",
    [openRoot, file("/b/swarm/x", { mode: 0o644 })],
    OPEN,
    "/b/swarm: 0755|/b/swarm/x: 0644",
  ],
  ["damage", [root, file("/b/teams/t/config.json.corrupt-2026")], "warn 1 damaged file was set aside"],
  ["an old lock", [root, file("/b/teams/t/config.json.lock", lock)], "warn 1 lock left behind"],
  [
    "a lock in use",
    [root, file("/b/x.lock", { ...lock, changed: NOW })],
    "ok the state directory is in order",
  ],
  [
    "half a file",
    [root, file("/b/swarm/x.json.tmp.1f-2")],
    "warn 1 half-written file of processes that were killed",
  ],
  ["a giant", [root, file("/b/swarm/x", { size: 11 * 2 ** 20 })], "warn 1 file is larger than 10.0 MB"],
  [
    "a journal without end",
    [root, ...[...Array(30).keys()].map((n) => file(`/b/swarm/journal/${n}.jsonl`, { size: 7 * 2 ** 20 }))],
    "warn the journal has grown to 210.0 MB",
    "30 files",
  ],
  ["an open directory", [openRoot], OPEN],
  [
    "an open file in a shut one",
    [root, file("/b/swarm/x", { mode: 0o644 })],
    "ok others cannot get into the state directory",
  ],
  ["the client's modes", [root, file("/b/teams/x", { mode: 0o644 })], "ok the state directory is in order"],
  [
    "only the client's",
    [file("/b/teams", { isDirectory: true, mode: 0o755 })],
    "ok the state directory is in order",
  ],
])("files: %s", (_, files, expected, evidence) => {
  const found = fileFindings(files, NOW, true);
  expect(found.map((one) => `${one.level} ${one.what}`)).toEqual([expected]);
  if (evidence !== undefined) expect(found[0]?.evidence.join("|")).toBe(evidence);
});

test("where modes mean nothing they are not judged", () =>
  expect(fileFindings([openRoot], NOW, false)).toMatchObject([{ level: "ok" }]));
