// The stop button in real clients: after `swarm pause --all` no tool call of five busy agents begins, and `unpause` lets each go on.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { aHarbour, named } from "./support/a-harbour.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { run } from "./support/run.ts";
import type { Script } from "./support/script.ts";
import { newsOf } from "./support/seen.ts";
import { agent, bash } from "./support/tools.ts";
import type { Tui } from "./support/tui.ts";
import { ROOT, TEAMS, type World } from "./support/world.ts";

/** Calls a tool again and again, and notes when each call begins; says that it waits where it has to. */
const busy = (name: string): Script =>
  Array.from({ length: 300 }, () => (body) => {
    const news = newsOf(body);
    // The newer client shows the reason of a turn that was ended only with the next one.
    if (news.includes("Paused by person") && !news.includes("The pause is over"))
      return { text: `${name} waits` };
    return { tools: [bash(`echo "${name} $(date +%s%3N)" >> calls; sleep 0.2`)] };
  });

const callsOf = (world: World) => {
  const file = join(world.project, "calls");
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  return lines.map((line) => ({ name: line.split(" ")[0] ?? "", at: Number(line.split(" ")[1]) }));
};

/** When each agent's first call was refused, by the journal. */
function refusalsOf(world: World): Map<string, number> {
  const directory = join(world.configDir, "swarm/journal");
  const lines = readdirSync(directory).flatMap((day) =>
    readFileSync(join(directory, day), "utf8").trim().split("\n"),
  );
  const entries = lines
    .map((line) => JSON.parse(line))
    .filter(({ what, rule }) => what === "deny" && rule === "pause");
  return new Map(
    entries
      .toReversed()
      .map(({ at, input }) => [String(input).match(/echo \\"(\w+)/)?.[1] ?? "", Date.parse(at)]),
  );
}

const swarm = async (world: World, ...args: string[]) => {
  const { stdout, stderr } = await run("node", [`${ROOT}/plugin/bin/swarm`, ...args], {
    cwd: world.project,
    env: world.env,
  });
  return stdout + stderr;
};

const NAMES = ["alice", "bob", "carol", "dave", "lone"];

describe.each(CLIENTS)("the %s client", (client) => {
  test("five busy agents: none begins a call after the pause, all go on after it", async () => {
    const scripts = Object.fromEntries(NAMES.map((name) => [name, busy(name)]));
    const world = await aHarbour(client, scripts);
    const screens: Tui[] = [];
    for (const name of NAMES) screens.push(await world.tui(...(name === "lone" ? [] : named(name))));
    for (const [n, screen] of screens.entries()) await screen.type(`work [[${NAMES[n]}]]`);
    const atWork = (since: number) =>
      new Set(callsOf(world).flatMap(({ name, at }) => (at > since ? name : [])));
    await until(() => atWork(0).size === NAMES.length, { what: "all to work", ms: 60_000 });
    await swarm(world, "pause", "--all", "--why", "lunch");
    const paused = Date.now();
    const stopped = () => screens.every((screen) => !screen.screen().includes("esc to interrupt"));
    await until(stopped, { what: "all turns to end", ms: 30_000 });
    await sleep(3_000);
    // A call whose hook had answered before the pause was set may begin after it, one for each agent; none after a refusal.
    const calls = callsOf(world);
    const refusals = refusalsOf(world);
    expect(refusals.size).toBe(NAMES.length);
    for (const name of NAMES) {
      const begun = calls.filter((call) => call.name === name && call.at > paused);
      expect(begun.length, name).toBeLessThanOrEqual(1);
      expect(
        begun.filter(({ at }) => at > (refusals.get(name) ?? 0)),
        name,
      ).toEqual([]);
    }
    console.log(
      `${client}: the last call began ${Math.max(...calls.map(({ at }) => at)) - paused} ms after the pause`,
    );
    const board = JSON.parse(await swarm(world, "status", "--json"));
    expect(board.agents.map(({ state }: { state: string }) => state)).toEqual(NAMES.map(() => "paused"));
    expect(board.agents[0].evidence).toMatch(/lunch; stopped at Bash/);
    const requests = world.model.requests.length;
    await sleep(2_000);
    expect(world.model.requests).toHaveLength(requests);

    await swarm(world, "unpause", "--all");
    const lifted = Date.now();
    await until(() => atWork(lifted).size === NAMES.length, { what: "all to go on", ms: 30_000 });
    expect(NAMES.filter((name) => !world.conversation(name).includes("The pause is over"))).toEqual([]);
  });

  test("a subagent stops with its session, and the session is woken", async () => {
    const world = await aHarbour(client, {
      parent: [{ tools: [agent({ prompt: "work [[worker]]" })] }, { text: "it runs" }],
      worker: busy("worker"),
    });
    const screen = await world.tui();
    await screen.type("go [[parent]]");
    await until(() => callsOf(world).length > 1, { what: "the subagent to work", ms: 30_000 });
    await swarm(world, "pause", "--all");
    const paused = Date.now();
    await until(() => !screen.screen().includes("esc to interrupt"), { what: "the turn to end", ms: 30_000 });
    await sleep(2_000);
    expect(callsOf(world).filter(({ at }) => at > paused).length).toBeLessThanOrEqual(1);
    await swarm(world, "unpause", "--all");
    await until(() => world.conversation("parent").includes("The pause is over"), {
      what: "the wake-up",
      ms: 15_000,
    });
  });

  test("an in-process teammate stops alone and goes on by a message", async () => {
    const world = await aWorld({
      client,
      env: { ...TEAMS, CLAUDE_CODE_MAX_RETRIES: "0" },
      scripts: {
        lead: [{ tools: [agent({ name: "carol", prompt: "work [[carol]]" })] }, { text: "she works" }],
        carol: busy("carol"),
      },
    });
    const screen = await world.tui("--teammate-mode", "in-process");
    await screen.type("go [[lead]]");
    await until(() => callsOf(world).length > 1, {
      what: "carol to work",
      ms: 30_000,
      onTimeout: screen.screen,
    });
    expect(await swarm(world, "pause", "carol")).toMatch(/^paused carol@session-/);
    const paused = Date.now();
    await sleep(3_000);
    const begun = callsOf(world).filter(({ at }) => at > paused);
    expect(begun.length).toBeLessThanOrEqual(1);
    expect(await swarm(world, "unpause", "carol")).toContain("woken by a message");
    const lifted = Date.now();
    await until(() => callsOf(world).some(({ at }) => at > lifted), { what: "carol to go on", ms: 20_000 });
    expect(world.conversation("carol")).toContain("The pause is over");
  });
});
