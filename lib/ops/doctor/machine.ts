// What Swarm runs on: Node, the clients that were seen, whether they have the plugin, and what they were allowed.
import type { ClientSettings } from "../store/client-settings.ts";
import { bad, type Finding, ok, warn } from "./finding.ts";

export interface Machine {
  /** `20.20.0` */
  node: string;
  /** Of the session records; the same version many times. */
  clients: readonly string[];
  settings: ClientSettings;
  hasFired: boolean;
  /** As this shell has them; the client's settings may add to that. */
  flags: { teams: string | undefined; taskTools: string | undefined };
  extraCertificates: string | undefined;
}

const OLDEST_NODE = [20, 10];
/** 2.1.197 has the Task tools by default, 2.1.325 has not; where between them it changed was not seen. */
const MAY_LACK_TASKS = [2, 1, 198];

export function machineFindings(machine: Machine): Finding[] {
  return [
    nodeFinding(machine.node),
    clientFinding(machine.clients),
    pluginFinding(machine),
    ...certificates(machine),
    flagFinding(machine),
  ];
}

export function nodeFinding(version: string): Finding {
  return isOlder(version, OLDEST_NODE)
    ? bad(
        `Node ${version} is too old`,
        [`Swarm needs ${OLDEST_NODE.join(".")} or newer`],
        "install a newer Node and see that `node` in the client's PATH is that one",
      )
    : ok(`Node ${version}`, `${OLDEST_NODE.join(".")} or newer is needed`);
}

function isOlder(version: string, than: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  const at = than.findIndex((part, n) => part !== (parts[n] ?? 0));
  return at >= 0 && (parts[at] ?? 0) < (than[at] ?? 0);
}

function clientFinding(clients: readonly string[]): Finding {
  const versions = [...new Set(clients)].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  if (versions.length === 0) return ok("no client has told its version yet", "no session record names one");
  return ok(
    `Claude Code ${versions.join(", ")}`,
    ...versions.map((version) => `${version} in ${clients.filter((one) => one === version).length} sessions`),
  );
}

function pluginFinding({ settings: { isInstalled, isEnabled }, hasFired }: Machine): Finding {
  if (isEnabled === false)
    return bad(
      "the plugin is switched off",
      ["enabledPlugins in the client's settings.json says false"],
      "`/plugin` in the client switches it on",
    );
  if (isInstalled) return ok("the plugin is installed", "it is in the client's list of plugins");
  if (hasFired)
    return ok("the plugin is loaded from a directory", "not in the client's list, yet its hooks fire");
  return bad(
    "the plugin is not installed",
    ["it is not in the client's list of plugins, and no hook has fired"],
    "install it as the README says, or start the client with --plugin-dir",
  );
}

function certificates({ node, extraCertificates, settings }: Machine): Finding[] {
  const path = extraCertificates ?? settings.env["NODE_EXTRA_CA_CERTS"];
  if (!path || Number.parseInt(node, 10) !== 20) return [];
  return [
    warn(
      "every hook starts about three times as slowly as it could",
      [`NODE_EXTRA_CA_CERTS is ${path}, and Node 20 reads it at each start`],
      "use Node 22 or newer, or set the variable only for the programs that need it",
    ),
  ];
}

function flagFinding({ flags, settings, clients }: Machine): Finding {
  const teams = flags.teams ?? settings.env["CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS"];
  const tasks = flags.taskTools ?? settings.env["CLAUDE_CODE_ENABLE_TODO_TOOLS"];
  const hasTasks = clients.length > 0 && clients.every((version) => isOlder(version, MAY_LACK_TASKS));
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
