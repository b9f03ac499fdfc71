// A real nats-server on a free port of the loopback, with its own store, ended by its pid.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Server {
  url: string;
  port: number;
  directory: string;
  kill: () => Promise<void>;
  /** Again on the same port, with the same store. */
  start: () => Promise<void>;
  remove: () => Promise<void>;
}

let reason: string | undefined;
let isKnown = false;

/** Why there is none, after an attempt to install it. CI never passes without. */
export function whyNoServer(): string | undefined {
  if (isKnown) return reason;
  isKnown = true;
  const has = () => spawnSync("nats-server", ["--version"], { encoding: "utf8" }).status === 0;
  if (!has())
    for (const args of [
      ["update", "-qq"],
      ["install", "-y", "-qq", "nats-server"],
    ])
      spawnSync("apt-get", ["-o", "DPkg::Lock::Timeout=300", ...args], { stdio: "ignore" });
  if (!has()) {
    reason = "nats-server is not installed, and apt-get cannot install it here";
    if (process.env["CI"]) throw new Error(reason);
    console.log(`skipped: ${reason}`);
  }
  return reason;
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

/** `config` is given the port and the store, for servers with users. */
export async function aServer(config?: (port: number, store: string) => string): Promise<Server> {
  const directory = mkdtempSync(join(tmpdir(), "swarm-nats-"));
  const port = await freePort();
  const store = join(directory, "store");
  mkdirSync(store);
  const file = join(directory, "nats.conf");
  const plain = `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${store}" }\n`;
  writeFileSync(file, config ? config(port, store) : plain);
  let child: ChildProcess | undefined;
  const kill = () =>
    new Promise<void>((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return resolve();
      child.on("exit", () => resolve());
      child.kill("SIGKILL");
    });
  const start = async () => {
    child = spawn("nats-server", ["-c", file], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    await new Promise<void>((resolve, reject) => {
      child?.on("exit", () => reject(new Error(`nats-server ended: ${said}`)));
      child?.stderr?.on("data", (chunk) => {
        said += chunk;
        if (said.includes("Server is ready")) resolve();
      });
    });
  };
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    directory,
    kill,
    start,
    remove: async () => {
      await kill();
      rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/** Three that hold copies of each other's streams. */
export async function aCluster(): Promise<Server[]> {
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(", ");
  const config = (n: number) => (port: number, store: string) =>
    `server_name: "s${n}"\nlisten: "127.0.0.1:${port}"\njetstream { store_dir: "${store}" }\n` +
    `cluster { name: "c", listen: "127.0.0.1:${ports[n]}", routes: [${routes}] }\n`;
  return Promise.all([0, 1, 2].map((n) => aServer(config(n))));
}

/** Until a cluster has chosen its leaders it takes nothing. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + 40_000; ; )
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((wake) => setTimeout(wake, 300));
    }
}
