// The files of a server of our own: its configuration and its keys, and the running of it in the foreground.
import { spawn } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { nkeys } from "@nats-io/transport-node";
import { makeDirectory, namesIn, readText, writeWhole } from "../core/files.ts";
import type { Paths } from "../core/paths.ts";
import { connect, seedIn } from "./connection.ts";
import { closeEngine, openEngine } from "./engine.ts";
import { installedServer, type Program, serverConfig, serverName, whyNotTaken } from "./server-config.ts";
import { serverDir } from "./store/paths.ts";
import type { Relay } from "./store/relay.ts";

export interface Wanted {
  team: string;
  machines: string[];
  listen: string;
  store: string | undefined;
}

/** Of a server that runs. */
type ServerAddress = Pick<Relay, "url" | "ca" | "replicas">;

export interface Made {
  file: string;
  text: string;
  creds: Record<string, string>;
  program: Program | undefined;
}

const credsPath = (directory: string, name: string) => join(directory, `${name}.creds`);
const SETUP = "=setup";

/** The machines that have a key here already. */
export const machinesOf = (paths: Paths, team: string): string[] =>
  namesIn(serverDir(paths, team))
    .flatMap((name) => name.match(/^([^=].*)\.creds$/)?.[1] ?? [])
    .sort();

/** Keys that were made before stay: machines that have theirs go on. */
export function makeConfig(paths: Paths, { team, machines, listen, store }: Wanted): Made {
  const directory = serverDir(paths, team);
  makeDirectory(directory);
  const program = installedServer();
  const keys = Object.fromEntries(machines.map((machine) => [machine, publicKeyOf(directory, machine)]));
  const text = serverConfig({
    team,
    machines: keys,
    setupKey: publicKeyOf(directory, SETUP),
    listen,
    store: store ?? join(directory, "jetstream"),
    isSynced: program?.canSync ?? true,
  });
  const file = join(directory, "nats.conf");
  const fresh = `${file}.new`; // a server may be running with the present one
  writeWhole(fresh, text);
  const refusal = program ? whyNotTaken(fresh) : undefined;
  if (refusal) {
    rmSync(fresh);
    throw new Error(`nats-server ${program?.version} does not take ${file}: ${refusal}`);
  }
  renameSync(fresh, file);
  const creds = Object.fromEntries(machines.map((machine) => [machine, credsPath(directory, machine)]));
  return { file, text, creds, program };
}

function publicKeyOf(directory: string, name: string): string {
  const path = credsPath(directory, name);
  const there = readText(path);
  const pair = there ? nkeys.fromSeed(new TextEncoder().encode(seedIn(there))) : nkeys.createUser();
  if (!there) writeWhole(path, `${new TextDecoder().decode(pair.getSeed())}\n`, { durable: true });
  return pair.getPublicKey();
}

/** The bucket and one stream a machine, by the one user that may make them. */
export async function provision(paths: Paths, at: ServerAddress, { team, machines }: Wanted): Promise<void> {
  const setup = setupOf(paths, at, team);
  for (const machine of machines) await closeEngine(await openEngine({ ...setup, machine }, undefined, true));
}

function setupOf(paths: Paths, at: ServerAddress, team: string): Relay {
  const creds = readText(credsPath(serverDir(paths, team), SETUP));
  if (!creds)
    throw new Error(
      `there is no key for setting up ${team} here: \`swarm relay config --team ${team}\` makes it`,
    );
  return { ...at, team, machine: SETUP, creds, secret: "", joinedAt: "" };
}

const READY_TRIES = 50;
const READY_PAUSE_MS = 200;

/** Until the server ends; its output is ours. */
export async function serve(paths: Paths, wanted: Wanted, said: (line: string) => void): Promise<number> {
  const { file, creds, program } = makeConfig(paths, wanted);
  const child = spawn("nats-server", ["-c", file], { stdio: "inherit" });
  let isOver = false;
  const ended = new Promise<number>((resolve, reject) => {
    child.on("error", () => {
      isOver = true;
      reject(new Error("nats-server is not installed (Debian and Ubuntu: apt-get install nats-server)"));
    });
    child.on("exit", (code) => {
      isOver = true;
      resolve(code ?? 1); // killed
    });
  });
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => child.kill(name));
  const name = serverName(wanted.team, program?.canSync ?? true);
  const ready = provisionWhenReady(paths, wanted, name, () => isOver).then(() =>
    said(
      `ready for ${wanted.team} at nats://${wanted.listen}; each machine needs its own credential:\n` +
        Object.entries(creds)
          .map(([machine, path]) => `${machine}: ${path}`)
          .join("\n"),
    ),
  );
  let hasFailed = false;
  ready.catch((error: Error) => {
    if (isOver) return; // it has said why
    said(error.message);
    hasFailed = true;
    child.kill("SIGTERM");
  });
  const code = await ended;
  return hasFailed ? code || 1 : code;
}

async function provisionWhenReady(
  paths: Paths,
  wanted: Wanted,
  name: string,
  isOver: () => boolean,
): Promise<void> {
  const at = { url: `nats://${wanted.listen}`, replicas: 1 };
  for (let tried = 1; ; tried++) {
    try {
      await requireOurs(setupOf(paths, at, wanted.team), name);
      return await provision(paths, at, wanted);
    } catch (error) {
      if (tried === READY_TRIES || isOver()) throw error;
      await new Promise((resolve) => setTimeout(resolve, READY_PAUSE_MS));
    }
  }
}

/** Another server may have the port: it is not ours to set up. */
async function requireOurs(setup: Relay, name: string): Promise<void> {
  const nc = await connect(setup);
  const found = nc.info?.server_name;
  await closeEngine({ nc });
  if (found !== name) throw new Error(`another server answers at ${setup.url}`);
}
