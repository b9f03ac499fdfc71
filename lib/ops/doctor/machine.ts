// What Swarm runs on: Node, the clients that were seen, whether they have the plugin, how hooks start, and what a person sets up once.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { contextOfSession, contextTokens } from "../../context/store/window.ts";
import { type ClientSettings, readClientSettings } from "../../core/client-settings.ts";
import { readText } from "../../core/files.ts";
import { clientSettingsPath, type Paths } from "../../core/paths.ts";
import { unusedIn } from "../../core/settings.ts";
import { counted, isOlderVersion } from "../../core/text.ts";
import { checkAllCaches } from "../../hook/bytecode-check.ts";
import { notifyState } from "../../people/store/moments.ts";
import { isOpenSession, readSessions } from "../../sessions/store/sessions.ts";
import { missingRules, terminalProgram } from "../../teammates/store/setup.ts";
import { bad, type Finding, type Looking, ok, some, warn, warnIfAny } from "./finding.ts";

const OLDEST_NODE = "20.12";
/** 2.1.197 has the Task tools by default, 2.1.325 has not; where between them it changed was not seen. */
const MAY_LACK_TASKS = "2.1.198";

export type Machine = Pick<Looking, "paths" | "nodeVersion" | "clientFlags" | "extraCertificates">;

/** `clients` are versions, of the session records: the same many times. */
export function machineFindings(machine: Machine, clients: readonly string[], hasFired: boolean): Finding[] {
  const settings = readClientSettings(machine.paths);
  return [
    ...nodeFinding(machine.nodeVersion),
    ...clientFinding(clients),
    ...pluginFinding(settings, hasFired),
    ...certificates(machine, settings),
    ...flagFinding(machine, settings, clients),
  ];
}

export function nodeFinding(version: string): Finding[] {
  const advice = "install a newer Node and see that `node` in the client's PATH is that one";
  return isOlderVersion(version, OLDEST_NODE)
    ? bad(`Node ${version} is too old`, [`Swarm needs ${OLDEST_NODE} or newer`], advice)
    : ok(`Node ${version}`, `${OLDEST_NODE} or newer is needed`);
}

function clientFinding(clients: readonly string[]): Finding[] {
  const versions = [...new Set(clients)].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  if (versions.length === 0) return ok("no client version known yet", "no session record names one");
  const sessionsOf = (version: string) => clients.filter((one) => one === version).length;
  const lines = versions.map((version) => `${version} in ${counted(sessionsOf(version), "session")}`);
  return ok(`Claude Code ${versions.join(", ")}`, ...lines);
}

function pluginFinding({ isInstalled, isEnabled }: ClientSettings, hasFired: boolean): Finding[] {
  const off = "enabledPlugins in the client's settings.json says false";
  if (isEnabled === false)
    return bad("the plugin is switched off", [off], "`/plugin` in the client switches it on");
  if (isInstalled) return ok("the plugin is installed", "it is in the client's list of plugins");
  if (hasFired)
    return ok("the plugin is loaded from a directory", "not in the client's list, yet its hooks fire");
  const missing = "it is not in the client's list of plugins, and no hook has fired";
  const advice = "install it as the README says, or start the client with --plugin-dir";
  return bad("the plugin is not installed", [missing], advice);
}

function certificates({ nodeVersion, extraCertificates }: Machine, { env }: ClientSettings): Finding[] {
  const path = extraCertificates ?? env["NODE_EXTRA_CA_CERTS"];
  if (!path || Number.parseInt(nodeVersion, 10) !== 20) return [];
  const why = `NODE_EXTRA_CA_CERTS is ${path}, and Node 20 reads it at each start`;
  const advice = "use Node 22 or newer, or set the variable only for the programs that need it";
  return warn("every hook starts about three times as slowly as it could", [why], advice);
}

/** The client's settings may add to what this shell has. */
function flagFinding({ clientFlags }: Machine, { env }: ClientSettings, clients: readonly string[]) {
  const teams = clientFlags.teams ?? env["CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS"];
  const tasks = clientFlags.taskTools ?? env["CLAUDE_CODE_ENABLE_TODO_TOOLS"];
  const hasTasks = clients.length > 0 && clients.every((version) => isOlderVersion(version, MAY_LACK_TASKS));
  return ok(
    "flags of the client",
    isOn(teams)
      ? "its own teams: on (CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS)"
      : "its own teams: off; CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS=1 switches them on; named teams need no flag",
    isOn(tasks) || hasTasks
      ? `Task tools: on (${isOn(tasks) ? "CLAUDE_CODE_ENABLE_TODO_TOOLS" : "this client has them by default"})`
      : "Task tools: newer clients leave them out; CLAUDE_CODE_ENABLE_TODO_TOOLS=1 brings them back; `swarm task` works without",
  );
}

const isOn = (value: string | undefined) => value !== undefined && !/^(0|false|no|off)$/i.test(value);

// How hooks start: whether this node accepts the options in hooks.json, and whether the bytecode they start from is intact.
const LONGEST_MS = 5_000;

export function startFindings(root: string, base: string): Finding[] {
  const hooks = readText(join(root, "hooks.json")) ?? "";
  const options = new Set([...hooks.matchAll(/"(--[\w-]+(?:=\w+)?)"/g)].map(([, option = ""]) => option));
  return [...optionFindings([...options]), ...bytecodeFinding(base)];
}

export function optionFindings(options: readonly string[]): Finding[] {
  if (options.length === 0) return [];
  const limits = { encoding: "utf8", timeout: LONGEST_MS } as const;
  const { status, stderr } = spawnSync(process.execPath, [...options, "--eval", "0"], limits);
  if (status === 0) return ok("this node accepts the options of the hooks", options.join(" "));
  return bad(
    "this node does not accept the options of the hooks: no hook runs",
    [options.join(" "), stderr.trim().split("\n")[0] ?? ""],
    "install another version of Node, and see that `node` in the client's PATH is that one",
  );
}

export function bytecodeFinding(base: string): Finding[] {
  const { damaged, intact } = checkAllCaches(base);
  if (damaged.length === 0) return ok("the bytecode of the hooks is intact", counted(intact, "file"));
  return warn(
    `${counted(damaged.length, "file")} of bytecode ${damaged.length === 1 ? "was" : "were"} damaged and removed`,
    some(damaged),
    "nothing to do: the next run writes it again; if it happens again, check the disk",
  );
}

// What a person sets up once: `swarm` in a terminal, allow rules for the harmless verbs, and a context window of known size.
export const setupFindings = (call: Looking): Finding[] => [
  ...pathFinding(terminalProgram(call.path, call.ownRoot)),
  ...ruleFinding(call.paths),
  ...windowFindings(call),
];

function pathFinding(program: string | undefined): Finding[] {
  if (program) return ok("`swarm` runs in a terminal", program);
  const advice = "`! swarm setup path` in a session writes a launcher to ~/.local/bin";
  return warn("`swarm` is not on a terminal's PATH", ["the client adds it for the Bash tool only"], advice);
}

function ruleFinding(paths: Paths): Finding[] {
  try {
    const file = clientSettingsPath(paths);
    const missing = missingRules(paths).length;
    if (missing === 0) return ok("the client runs the harmless verbs without asking", file);
    const advice = "`swarm setup permissions` adds the rules, if you want that";
    const asked = "the client asks before harmless verbs of `swarm`";
    return warn(asked, [`${file} allows ${missing} of them not yet`], advice);
  } catch (error) {
    return warn("the client's settings cannot be read", [(error as Error).message], "mend the file by hand");
  }
}

/** Open sessions that use something of a window whose size nothing tells: they get no warning. */
function windowFindings(call: Looking): Finding[] {
  const unknown = readSessions(call.paths)
    .filter(isOpenSession)
    .filter(({ transcript = "" }) => contextTokens(transcript) !== undefined)
    .filter((record) => !contextOfSession(call, record));
  return warnIfAny(
    unknown.map(({ session, model }) => `session ${session}, model ${model ?? "not named"}`),
    `the context window of ${counted(unknown.length, "session")} is not known: no warning before it is full`,
    "`swarm statusline install`, or [context] window = N in your settings.toml",
  );
}

export function settingsFindings({ loaded }: Looking): Finding[] {
  const unused = unusedIn(loaded);
  const advice = "`swarm config` shows every setting, its value and where it comes from";
  if (unused.length > 0) return warn("some settings are not used", unused, advice);
  const from = (source: string) => Object.values(loaded.sources).filter((one) => one === source).length;
  return ok("the settings are in order", `${from("person")} of yours, ${from("project")} of the project`);
}

export function notifyFindings({ paths, loaded }: Looking): Finding[] {
  const { targets, failing } = notifyState(paths, loaded);
  if (failing.length > 0)
    return warn("a call to you did not get through", failing, "`swarm notify test` tries every target again");
  return targets.length > 0 ? ok("you are called when an agent needs you", targets.join(", ")) : [];
}
