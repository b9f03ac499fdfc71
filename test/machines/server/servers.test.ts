// Other servers than the simplest: with a token, with TLS, three in a cluster of which one dies; and `swarm relay serve`.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { connect } from "../../../lib/machines/connection.ts";
import { aHome } from "../../support/a-home.ts";
import { aMachine } from "../../support/a-machine.ts";
import {
  aCluster,
  aServer,
  freePort,
  retried,
  type Server,
  whyNoServer,
} from "../../support/a-nats-server.ts";
import { aRelay } from "../../support/a-relay.ts";
import { TEAM } from "../../support/a-team.ts";
import { callSwarm } from "../../support/call-swarm.ts";
import { cleanEnv, ROOT, runSwarmProcess } from "../../support/run-built.ts";

const kept = (server: Server) => {
  onTestFinished(() => server.remove());
  return server;
};
const plain = (port: number, store: string) =>
  `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${store}" }\n`;
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

describe.skipIf(whyNoServer())("servers", () => {
  test("a token opens, another does not", async () => {
    const server = kept(
      await aServer((port, store) => `${plain(port, store)}authorization { token: "right" }\n`),
    );
    const nc = await connect(aRelay(server.url, "laptop", { token: "right" }));
    await nc.close();
    await expect(connect(aRelay(server.url, "laptop", { token: "wrong" }))).rejects.toThrow(
      "the credential is not accepted",
    );
  });

  test.skipIf(!hasOpenssl)("TLS: only with the authority that vouches for the server", async () => {
    const home = aHome();
    const [cert, key] = [home.path("cert.pem"), home.path("key.pem")];
    const made = spawnSync("openssl", [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=localhost",
      "-addext",
      "subjectAltName=DNS:localhost,IP:127.0.0.1",
      "-keyout",
      key,
      "-out",
      cert,
    ]);
    expect(made.status).toBe(0);
    const server = kept(
      await aServer(
        (port, store) => `${plain(port, store)}tls { cert_file: "${cert}", key_file: "${key}" }\n`,
      ),
    );
    const url = `tls://127.0.0.1:${server.port}`;
    const nc = await connect(aRelay(url, "laptop", { ca: readFileSync(cert, "utf8") }));
    await nc.close();
    await expect(connect(aRelay(url, "laptop"))).rejects.toThrow(/cannot reach the relay.*certificate/);
    const setUp = ["relay", "config", "--team", TEAM, "--machine", "laptop", "--provision", url];
    expect((await callSwarm(home, setUp)).stderr).toContain("cannot reach the relay");
    expect(await callSwarm(home, [...setUp, "--ca", cert])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`# the server at ${url} is set up for ${TEAM}`),
    });
  });

  test("an address with tls:// is never used without TLS", async () => {
    const server = kept(await aServer());
    const url = `tls://127.0.0.1:${server.port}`;
    await expect(connect(aRelay(url, "laptop"))).rejects.toThrow(/cannot reach the relay.*tls/i);
    await expect(connect(aRelay(`${server.url},${url}`, "laptop"))).rejects.toThrow(/tls/i);
  });

  test("three servers with three copies: one is killed, nothing is lost and everything goes on", async () => {
    const servers = await aCluster();
    servers.forEach(kept);
    const url = servers.map((one) => one.url).join(",");
    const laptop = await retried(() => aMachine(url, "laptop", ["alice"], true, { replicas: 3 }));
    const cloud = await retried(() => aMachine(url, "cloud", ["bob"], false, { replicas: 3 }));
    await retried(laptop.round);
    const before = [1, 2, 3].map((n) => laptop.send("alice", "bob", `${n}`));
    await retried(laptop.round);
    await servers[0]?.kill();
    const after = [4, 5, 6].map((n) => laptop.send("alice", "bob", `${n}`));
    // Until the other two have chosen a leader the relay takes nothing, and mail stays in the outbox.
    await retried(async () => {
      await laptop.round();
      await cloud.round();
      expect(cloud.inbox("bob")).toHaveLength(6);
    });
    expect(cloud.inbox("bob").map((one) => one.id)).toEqual([...before, ...after]);
  }, 120_000);

  test("swarm relay config prints what the installed server takes, and serve runs it, ready for its machines", async () => {
    const home = aHome();
    const listen = `127.0.0.1:${await freePort()}`;
    const args = ["--team", "demo", "--machine", "laptop", "--machine", "cloud", "--listen", listen];
    const printed = runSwarmProcess(home, ["relay", "config", ...args]);
    expect(printed).toMatchObject({ exitCode: 0 });
    expect(printed.stdout).toContain('"swarm.demo.mail.*.*.laptop.*"');
    expect(printed.stdout).toMatch(/# .*nats\.conf \(checked with nats-server 2\.\d+\.\d+\)/);
    const serving = spawn(process.execPath, [join(ROOT, "plugin/bin/swarm"), "relay", "serve", ...args], {
      env: cleanEnv(home),
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => serving.on("exit", resolve));
    onTestFinished(async () => {
      serving.kill("SIGTERM");
      await ended;
    });
    const creds = home.path(".claude/swarm/relay/server/demo/laptop.creds");
    runSwarmProcess(home, ["create", "demo"]);
    const join_ = () =>
      runSwarmProcess(home, [
        "relay",
        "join",
        `nats://${listen}`,
        "--team",
        "demo",
        "--machine",
        "laptop",
        "--creds",
        creds,
      ]);
    let joined = join_();
    for (let n = 0; n < 40 && joined.exitCode !== 0; n++) {
      await new Promise((wake) => setTimeout(wake, 100));
      joined = join_();
    }
    expect(joined).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("team demo is on the relay now"),
    });
    expect(runSwarmProcess(home, ["relay", "sync"])).toMatchObject({ exitCode: 0 });
    serving.kill("SIGTERM");
    await ended;
  }, 60_000);
});
