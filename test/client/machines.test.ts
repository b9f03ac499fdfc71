// Two halves of a team under two config directories on one host, joined by a real server: an idle client of one half is woken by a
// message from the other.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { aServer, whyNoServer } from "../support/a-nats-server.ts";
import { until } from "../support/until.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS, type Client } from "./support/clients.ts";
import { run } from "./support/run.ts";
import type { Scripts } from "./support/script.ts";
import { bash } from "./support/tools.ts";
import { PLUGIN, type World } from "./support/world.ts";

const TEAM = "bridge";

const half = (client: Client, scripts: Scripts) =>
  aWorld({
    client,
    scripts: { hi: [{ text: "hello there" }], ...scripts },
    env: { ENABLE_TOOL_SEARCH: "false" },
  });

async function swarm(world: World, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run("node", [join(PLUGIN, "bin/swarm"), ...args], {
    cwd: world.project,
    env: world.env,
  });
  if (code !== 0) throw new Error(`swarm ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** A session that joined by its own Bash tool, and sleeps. */
async function joined(world: World, name: string) {
  const screen = await world.tui();
  await screen.type(`join [[join-${name}]]`);
  await screen.wait(/joined the team/);
  return screen;
}
const joins = (name: string) => ({
  [`join-${name}`]: [{ tools: [bash(`swarm join ${TEAM} --name ${name}`)] }, { text: "joined the team" }],
});

const statusOf = (world: World) => {
  const file = join(world.configDir, "swarm/relay/status", `${TEAM}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
};
const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

describe.skipIf(whyNoServer()).each(CLIENTS)("the %s client", (client) => {
  test("an idle client is woken from the other machine and answers; the couriers leave with the clients", async () => {
    const server = await aServer();
    onTestFinished(() => server.remove());
    const laptop = await half(client, {
      ...joins("alice"),
      tell: [{ tools: [bash('swarm send bob "please [[pong]]"')] }, { text: "sent it" }],
      thanks: [{ text: "thank you" }],
      again: [{ tools: [bash('swarm send bob "still there? [[yes]]"')] }, { text: "sent that too" }],
    });
    const cloud = await half(client, {
      ...joins("bob"),
      pong: [{ tools: [bash('swarm send alice "the answer is 42 [[thanks]]"')] }, { text: "answered" }],
      yes: [{ text: "still here" }],
    });
    await swarm(laptop, "create", TEAM);
    for (const [world, name] of [
      [laptop, "laptop"],
      [cloud, "cloud"],
    ] as const)
      await swarm(world, "relay", "join", server.url, "--team", TEAM, "--machine", name);
    const bob = await joined(cloud, "bob");
    const alice = await joined(laptop, "alice");
    const couriers = await Promise.all(
      [laptop, cloud].map((world) =>
        until(() => statusOf(world)?.connectedSince && (statusOf(world).pid as number), {
          what: "a connected courier",
          ms: 20_000,
        }),
      ),
    );
    await until(async () => (await swarm(laptop, "status", "--team", TEAM)).includes("on cloud"), {
      what: "bob on alice's board",
      ms: 20_000,
    });
    await alice.type("go [[tell]]");
    await until(() => cloud.seen("pong").length > 0, { what: "bob's turn", ms: 20_000, everyMs: 20 });
    expect(cloud.seen("pong")[0]).toContain("<from>alice</from>");
    await until(() => laptop.seen("thanks").length > 0, { what: "alice's turn", ms: 20_000, everyMs: 20 });
    expect(laptop.seen("thanks")[0]).toContain("<from>bob</from>");
    await until(
      async () => (await swarm(laptop, "outbox", "--team", TEAM, "--agent", "alice")).includes("answered"),
      {
        what: "the message to be answered",
        ms: 20_000,
      },
    );
    // Nothing happens in bob's client, so no hook of it can start another courier.
    process.kill(couriers[1] as number, "SIGKILL");
    await alice.type("go [[again]]");
    await until(() => cloud.seen("yes").length > 0, { what: "bob's next turn", ms: 60_000 });
    couriers[1] = statusOf(cloud).pid;
    for (const screen of [alice, bob]) await screen.exit();
    await until(() => couriers.every((pid) => !isAlive(pid)), { what: "the couriers to leave", ms: 60_000 });
  }, 240_000);
});
