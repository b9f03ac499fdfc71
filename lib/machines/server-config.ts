// A server for one team: its configuration, with one user a machine that may do exactly what its courier does, and one user that
// sets the team up. Keys, not passwords: the server knows only their public halves.
import { spawnSync } from "node:child_process";
import { inboxPrefix } from "./connection.ts";
import { bucketOf, bucketStream, mailStream, subjectsTo } from "./names.ts";
import { canSync, SYNCED_NAME } from "./store/relay.ts";

export interface Plan {
  team: string;
  /** The public key of each machine's user. */
  machines: Record<string, string>;
  /** May make streams; used by `swarm relay serve` and `config --provision` alone. */
  setupKey: string;
  /** `127.0.0.1:4222`. */
  listen: string;
  store: string;
  /** Whether the server knows `sync_interval: always`. */
  isSynced: boolean;
}

/** What a machine's credential may publish to. Nothing here lets it make a consumer, which could deliver to any subject. */
function mayPublish(team: string, machine: string): string[] {
  const [mail, bucket, state] = [mailStream(team, machine), bucketStream(team), `$KV.${bucketOf(team)}`];
  return [
    `swarm.${team}.mail.*.*.${machine}.*`,
    `${state}.roster.${machine}.*`,
    `${state}.machine.${machine}`,
    `${state}.task.*`,
    `${state}.lead`,
    `${state}.config`,
    `${state}.last-task`,
    `$JS.API.STREAM.INFO.${mail}`,
    `$JS.API.STREAM.INFO.${bucket}`,
    `$JS.API.STREAM.MSG.GET.${bucket}`,
    `$JS.API.STREAM.MSG.GET.${mail}`,
    `$JS.API.STREAM.PURGE.${mail}`,
  ];
}

const mayHear = (team: string, machine: string): string[] => [
  `${inboxPrefix(machine)}.>`,
  subjectsTo(team, machine),
  `$KV.${bucketOf(team)}.>`,
];

const list = (subjects: string[]) =>
  `[\n${subjects.map((one) => `          ${JSON.stringify(one)}`).join("\n")}\n        ]`;

const user = (key: string, publish: string[], subscribe: string[]) => `    {
      nkey: ${key}
      permissions: {
        publish: { allow: ${list(publish)} }
        subscribe: { allow: ${list(subscribe)} }
      }
    }`;

export const serverName = (team: string, isSynced: boolean): string =>
  `swarm-${team}${isSynced ? SYNCED_NAME : ""}`;

export function serverConfig({ team, machines, setupKey, listen, store, isSynced }: Plan): string {
  const sync = isSynced
    ? "  # Every acknowledged message is on disk, also after a power loss.\n  sync_interval: always"
    : "  # This server's version has no `sync_interval: always`: a power loss may cost what it acknowledged in the last two minutes.";
  return `# A relay for the team ${team}, made by \`swarm relay config\`. Keep it readable for its owner only.
listen: ${JSON.stringify(listen)}
# Clients see by this name whether acknowledged means on disk.
server_name: ${JSON.stringify(serverName(team, isSynced))}
max_payload: 1MB

jetstream {
  store_dir: ${JSON.stringify(store)}
${sync}
}

# Beyond the loopback, encrypt (clients then need: swarm relay join tls://… --ca FILE):
# tls {
#   cert_file: "/path/to/server.pem"
#   key_file: "/path/to/server-key.pem"
# }

authorization {
  users: [
    # Sets the team up.
    { nkey: ${setupKey} }
${Object.entries(machines)
  .map(
    ([machine, key]) => `    # ${machine}\n${user(key, mayPublish(team, machine), mayHear(team, machine))}`,
  )
  .join("\n")}
  ]
}
`;
}

export interface Program {
  version: string;
  /** Whether it knows the setting by which acknowledged means on disk: 2.10 and later. */
  canSync: boolean;
}

/** The installed server; `undefined` where there is none. */
export function installedServer(): Program | undefined {
  const { status, stdout } = spawnSync("nats-server", ["--version"], { encoding: "utf8" });
  const version = status === 0 ? stdout.match(/v?(\d+\.\d+\.\d+)/)?.[1] : undefined;
  return version ? { version, canSync: canSync(version) } : undefined;
}

/** What the installed server has against a configuration; nothing when it takes it. */
export function whyNotTaken(file: string): string | undefined {
  const { status, stdout, stderr } = spawnSync("nats-server", ["-t", "-c", file], { encoding: "utf8" });
  return status === 0 ? undefined : `${stdout}${stderr}`.trim().slice(0, 500);
}
