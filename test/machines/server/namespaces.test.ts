// Machines with networks of their own: a namespace each, joined by a bridge, with a slow line and a cable that is pulled out.
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { aHome, type Home } from "../../support/a-home.ts";
import { aServer, whyNoServer } from "../../support/a-nats-server.ts";
import { cleanEnv, ROOT } from "../../support/run-built.ts";

const ip = (...args: string[]) => spawnSync("ip", args, { encoding: "utf8" });
const tag = process.pid.toString(36).slice(-4);
const BRIDGE = `swb${tag}`;
const NETWORK = "10.201.77";

function whyNoNamespaces(): string | undefined {
  if (process.platform !== "linux") return "network namespaces are Linux's";
  const name = `swt${tag}`;
  const made = ip("netns", "add", name);
  if (made.status === 0) ip("netns", "del", name);
  const why =
    made.status === 0
      ? undefined
      : `this user cannot make network namespaces (${made.stderr?.trim() ?? "no ip"})`;
  if (why) console.log(`skipped: ${why}`);
  return why;
}

const checked = (...args: string[]) => {
  const { status, stderr } = ip(...args);
  if (status !== 0) throw new Error(`ip ${args.join(" ")}: ${stderr}`);
};

function aNetwork(names: string[]): Record<string, string> {
  onTestFinished(() => {
    for (const name of names) ip("netns", "del", `sw${tag}${name}`);
    ip("link", "del", BRIDGE);
  });
  checked("link", "add", BRIDGE, "type", "bridge");
  checked("addr", "add", `${NETWORK}.1/24`, "dev", BRIDGE);
  checked("link", "set", BRIDGE, "up");
  return Object.fromEntries(
    names.map((name, n) => {
      const [space, outer] = [`sw${tag}${name}`, `swv${tag}${n}`];
      checked("netns", "add", space);
      checked("link", "add", outer, "type", "veth", "peer", "name", "eth0", "netns", space);
      checked("link", "set", outer, "master", BRIDGE, "up");
      checked("-n", space, "addr", "add", `${NETWORK}.${n + 10}/24`, "dev", "eth0");
      checked("-n", space, "link", "set", "lo", "up");
      checked("-n", space, "link", "set", "eth0", "up");
      return [name, outer];
    }),
  );
}

const swarm = (
  home: Home,
  space: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string; ms: number }> =>
  new Promise((resolve) => {
    const began = Date.now();
    const words = [
      "netns",
      "exec",
      `sw${tag}${space}`,
      process.execPath,
      join(ROOT, "plugin/bin/swarm"),
      ...args,
    ];
    const child = spawn("ip", words, { cwd: home.project, env: cleanEnv(home, env) });
    let out = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        out += chunk;
      });
    child.on("close", (code) => resolve({ code, out: out.trim(), ms: Date.now() - began }));
  });

describe.skipIf(whyNoServer() ?? whyNoNamespaces())("machines with networks of their own", () => {
  test("a slow line only slows, a pulled cable only delays", async () => {
    const cables = aNetwork(["a", "b", "c"]);
    const server = await aServer(
      (port, store) => `listen: "${NETWORK}.1:${port}"\njetstream { store_dir: "${store}" }\n`,
    );
    onTestFinished(() => server.remove());
    const url = `nats://${NETWORK}.1:${server.port}`;
    const homes = { a: aHome(), b: aHome(), c: aHome() };
    const as = (agent: string) => ({
      CLAUDE_CODE_SESSION_ID: `s-${agent[0]}`,
      CLAUDE_CODE_TEAM_NAME: "demo",
      CLAUDE_CODE_AGENT_NAME: agent,
    });
    spawnSync("tc", ["qdisc", "add", "dev", cables["b"] as string, "root", "netem", "delay", "40ms"]);
    await swarm(homes.a, "a", ["create", "demo"]);
    for (const name of ["a", "b", "c"] as const) {
      expect(
        await swarm(homes[name], name, ["relay", "join", url, "--team", "demo", "--machine", name]),
      ).toMatchObject({ code: 0 });
      await swarm(homes[name], name, ["join", "demo", "--name", `${name}gent`, "--session-id", `s-${name}`]);
      await swarm(homes[name], name, ["relay", "sync"]);
    }
    const round = async () => {
      for (const name of ["a", "b", "c"] as const)
        expect(await swarm(homes[name], name, ["relay", "sync"])).toMatchObject({ code: 0 });
    };
    await round();
    for (const to of ["bgent", "cgent"]) await swarm(homes.a, "a", ["send", to, "before"], as("agent"));
    await round();
    await round();
    const inbox = (name: "b" | "c") =>
      homes[name].json(`.claude/teams/demo/inboxes/${name}gent.json`).map((one: any) => one.text);
    expect([inbox("b"), inbox("c")]).toEqual([["before"], ["before"]]);

    checked("link", "set", cables["c"] as string, "down");
    await swarm(homes.a, "a", ["send", "cgent", "meanwhile"], as("agent"));
    expect(await swarm(homes.c, "c", ["send", "agent", "from the cut-off side"], as("cgent"))).toMatchObject({
      code: 0,
    });
    const cut = await swarm(homes.c, "c", ["relay", "sync"]);
    expect(cut).toMatchObject({ code: 1, out: expect.stringContaining("cannot reach the relay") });
    expect(cut.ms).toBeLessThan(8_000);
    expect(await swarm(homes.c, "c", ["task", "create", "x"], as("cgent"))).toMatchObject({
      code: 1,
      out: expect.stringContaining("nothing was changed"),
    });
    checked("link", "set", cables["c"] as string, "up");
    await round();
    await round();
    expect(inbox("c")).toEqual(["before", "meanwhile"]);
    expect(homes.a.json(".claude/teams/demo/inboxes/agent.json").map((one: any) => one.text)).toEqual([
      "from the cut-off side",
    ]);
  }, 90_000);
});
