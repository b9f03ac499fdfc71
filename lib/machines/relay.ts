// `swarm relay join|leave|status|config|serve|sync`, and everything else that talks to the relay: a bundle of its own, with the client
// library. The courier is one of the actions; the bridge for other verbs starts from here too.

import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { type Answer, badCall, type Call } from "../cli/command.ts";
import { valueAt } from "../core/json.ts";
import { writeAll } from "../hook/environment.ts";
import { isNative } from "../teams/store/config.ts";
import type { RELAY_FLAGS } from "./commands.ts";
import { withoutSecret } from "./connection.ts";
import { runCourier } from "./courier.ts";
import { joinRelay, leaveRelay } from "./membership.ts";
import { machineFrom, whyNotPlain } from "./names.ts";
import { machinesOf, makeConfig, provision, serve, type Wanted } from "./server.ts";
import { statusOf } from "./status.ts";
import { relayedTeams } from "./store/paths.ts";
import { type Relay, readRelay } from "./store/relay.ts";
import { syncTeams } from "./sync.ts";

export { serveBridge } from "./bridge-worker.ts";

type RelayCall = Call<typeof RELAY_FLAGS>;
type Action = (call: RelayCall) => Answer | undefined | Promise<Answer | undefined>;

const ACTIONS: Record<string, Action> = {
  join,
  leave,
  status: (call) => statusOf(call.paths, teamsOf(call), call.now),
  config,
  serve: serveHere,
  sync,
  /** Started by hooks. */
  courier: async (call) => {
    await runCourier(call);
    return undefined;
  },
};

export function relayVerb(call: RelayCall) {
  const [action = "status"] = call.words;
  const run = valueAt(ACTIONS, action);
  if (!run) throw badCall(`join, leave, status, config, serve or sync, not ${JSON.stringify(action)}`);
  return run(call);
}

function teamsOf({ paths, flags, identity }: RelayCall): string[] {
  const all = relayedTeams(paths);
  const asked = flags.team ?? (identity.team && all.includes(identity.team) ? identity.team : undefined);
  if (asked && !all.includes(asked))
    throw new Error(`the team ${asked} has no relay here; \`swarm relay join\` gives it one`);
  return asked ? [asked] : all;
}

function namedTeam({ flags, identity }: RelayCall): string {
  const team = flags.team ?? identity.team;
  if (!team) throw badCall("which team? --team NAME");
  const why = whyNotPlain("team", team);
  if (why) throw badCall(why);
  if (isNative(team))
    throw badCall(`${team} is a team of the client's own; one of \`swarm create\` can have a relay`);
  return team;
}

function machineOf({ flags }: RelayCall): string {
  const [given, ...more] = flags.machine ?? [];
  if (more.length > 0) throw badCall("one --machine, please: this one");
  const machine = given ?? machineFrom(hostname());
  const why = whyNotPlain("machine", machine);
  if (why) throw badCall(why);
  return machine;
}

/** `nats://host`, `tls://host:4222`, several with commas between them. */
function urlOf(given: string | undefined): string {
  if (!given?.split(",").every((one) => /^(nats|tls):\/\/[^\s/]+$/.test(one)))
    throw badCall(
      "where is the relay? nats://host:4222, tls://host:4222, or several with commas between them",
    );
  return given;
}

function replicasOf({ flags }: RelayCall): number {
  const replicas = Number(flags.replicas ?? 1);
  if (![1, 3, 5].includes(replicas)) throw badCall("--replicas is 1, 3 or 5");
  return replicas;
}

const caOf = ({ flags, readInput }: RelayCall): string | undefined =>
  flags.ca === undefined ? undefined : readInput(flags.ca);

function secretFrom(call: RelayCall, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const { knowsModes } = call;
  const mode = statSync(resolve(call.cwd, path), { throwIfNoEntry: false })?.mode ?? 0;
  if (knowsModes && (mode & 0o077) !== 0) throw new Error(`others can read ${path}: chmod 600 ${path} first`);
  const secret = call.readInput(path).trim();
  if (secret === "") throw new Error(`${path} is empty`);
  return secret;
}

async function join(call: RelayCall): Promise<Answer> {
  const { flags, paths, now } = call;
  const url = urlOf(call.words[1]);
  const team = namedTeam(call);
  if (flags.creds && flags["token-file"]) throw badCall("--creds or --token-file, not both");
  const relay: Relay = {
    url,
    team,
    machine: machineOf(call),
    creds: secretFrom(call, flags.creds),
    token: secretFrom(call, flags["token-file"]),
    ca: caOf(call),
    secret: readRelay(paths, team)?.secret ?? randomBytes(24).toString("base64url"),
    replicas: replicasOf(call),
    joinedAt: now.toISOString(),
  };
  const joined = await joinRelay(paths, relay);
  const others = joined.machines.length > 0 ? `; also there: ${joined.machines.join(", ")}` : "";
  const lines = [
    joined.isFirst
      ? `team ${team} is on the relay now, from this machine (${relay.machine})`
      : `this machine is ${relay.machine} in the team ${team}${others}`,
    ...joined.clashes.map(
      (name) => `the name is on two machines: ${name} is written with its machine from now on`,
    ),
    `Next: \`swarm join ${team} --name NAME\` in a session, or \`swarm spawn NAME --team ${team}\`.`,
  ];
  return {
    text: lines.join("\n"),
    data: { team, machine: relay.machine, url: withoutSecret(url), ...joined },
  };
}

async function leave(call: RelayCall): Promise<Answer> {
  const [team, ...more] = teamsOf(call);
  if (!team || more.length > 0)
    throw badCall(`which team? --team ${[team, ...more].filter(Boolean).join(" | ") || "NAME"}`);
  const relay = readRelay(call.paths, team);
  if (!relay) throw new Error(`the relay settings of ${team} cannot be read`);
  const problem = await leaveRelay(call.paths, relay);
  const said = `${relay.machine} has left the team ${team}; what is here stays here`;
  return { text: problem ? `${said}\n${problem}` : said, data: { team, machine: relay.machine, problem } };
}

function wantedOf(call: RelayCall): Wanted {
  const team = namedTeam(call);
  const known = machinesOf(call.paths, team);
  const machines =
    call.flags.machine?.flatMap((one) => one.split(",")) ??
    (known.length > 0 ? known : [machineFrom(hostname())]);
  const bad = machines.map((one) => whyNotPlain("machine", one)).find(Boolean);
  if (bad) throw badCall(bad);
  const listen = call.flags.listen ?? "127.0.0.1:4222";
  if (!/^[^\s"]+:\d{1,5}$/.test(listen)) throw badCall("--listen is HOST:PORT");
  const { store } = call.flags;
  return { team, machines, listen, store: store && resolve(call.cwd, store) };
}

async function config(call: RelayCall): Promise<Answer> {
  const wanted = wantedOf(call);
  const [replicas, ca] = [replicasOf(call), caOf(call)];
  const url = call.flags.provision && urlOf(call.flags.provision);
  const { file, text: made, creds, program } = makeConfig(call.paths, wanted);
  if (url) await provision(call.paths, { url, ca, replicas }, wanted);
  const how = program
    ? `checked with nats-server ${program.version}`
    : "not checked: nats-server is not installed here; written for 2.10 and later";
  const notes = [
    `# ${file} (${how})`,
    ...Object.entries(creds).map(
      ([machine, path]) => `# credential of ${machine}, for that machine alone: ${path}`,
    ),
    ...(url ? [`# the server at ${withoutSecret(url)} is set up for ${wanted.team}`] : []),
  ];
  return {
    text: `${made}\n${notes.join("\n")}`,
    data: { file, creds, version: program?.version, config: made },
  };
}

async function serveHere(call: RelayCall): Promise<Answer> {
  const exitCode = await serve(call.paths, wantedOf(call), (line) => writeAll(1, `${line}\n`));
  return { text: "", exitCode };
}

async function sync(call: RelayCall): Promise<Answer> {
  const teams = teamsOf(call);
  if (teams.length === 0) throw new Error("no team here has a relay; `swarm relay join` gives it one");
  const done = await syncTeams(call.paths, teams);
  return { text: done.map(({ team, how }) => `${team}: ${how}`).join("\n"), data: done };
}
