// The first day of a new user, in the default permission mode and with no settings prepared: from the marketplace to the uninstall.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { run } from "./support/run.ts";
import type { Scripts } from "./support/script.ts";
import { errorsOf } from "./support/state.ts";
import { bash } from "./support/tools.ts";
import type { Tui } from "./support/tui.ts";
import { until } from "./support/until.ts";
import { ROOT, type World } from "./support/world.ts";

const runs = (command: string, word: string): Scripts[string] => [{ tools: [bash(command)] }, { text: word }];

const SCRIPTS: Scripts = {
  onboard: runs("swarm onboard", "shown the steps"),
  create: runs("swarm create alpha 'my first team'", "created it"),
  spawn: [
    { tools: [bash("swarm spawn ada --wait 60 --prompt 'say hello [[ada]]'")] },
    { tools: [bash("swarm spawn bob --wait 60 --prompt 'say hello [[bob]]'")] },
    { text: "spawned both" },
  ],
  ada: runs('swarm send team-lead "ada is here [[hello]]"', "ada waits"),
  bob: [{ text: "bob is here" }],
  hello: [{ text: "the lead heard ada" }],
  one: runs('swarm task create "Part one" --owner ada', "made the first"),
  two: runs('swarm task create "Part two" --owner bob --blocked-by 1', "made the second"),
  trybob: runs('swarm send bob "do part two [[bobwork]]"', "asked bob"),
  giveada: runs('swarm send ada "do part one [[adawork]]"', "asked ada for part one"),
  givebob: runs('swarm send bob "now part two [[bobagain]]"', "asked bob again"),
  adawork: [
    { tools: [bash("swarm task claim 1")] },
    { tools: [bash('swarm task done 1 && swarm send team-lead "part one is ready [[ready]]"')] },
    { text: "ada is done" },
  ],
  ready: [{ text: "the lead knows of part one" }],
  bobagain: [{ tools: [bash("swarm task claim 2 && swarm task done 2")] }, { text: "bob is done" }],
  bobwork: [
    { tools: [bash("swarm task claim 2 && swarm task done 2")] },
    { text: "bob went as far as he could" },
  ],
  ask: runs('swarm send ada "please push it [[push]]"', "asked ada"),
  push: [{ tools: [bash("git push origin main")] }, { text: "ada tried to push [[pushed]]" }],
  pushed: [{ text: "the lead knows of the push" }],
  suspend: runs("swarm suspend", "suspended them"),
  resume: runs("swarm resume alpha --wait 60", "resumed them"),
  over: runs("swarm resume alpha --wait 60", "took it over"),
  cleanup: runs("swarm cleanup alpha --force", "cleaned up"),
};

interface Row {
  agent: string;
  state: string;
  evidence: string;
  waiting?: { tool?: string; detail?: string; since?: string; pane?: string };
}

/** What a person sees in another terminal. */
function terminalOf(world: World) {
  const plugin = () => {
    const cache = join(world.configDir, "plugins/cache/swarm/swarm");
    return join(cache, readdirSync(cache)[0] ?? "", "bin/swarm");
  };
  const swarm = (...words: string[]) =>
    run(process.execPath, [plugin(), ...words], { cwd: world.project, env: world.env });
  const rows = async (): Promise<Row[]> =>
    JSON.parse((await swarm("status", "--team", "alpha", "--json")).stdout).agents;
  const row = async (name: string) => (await rows()).find(({ agent }) => agent === name);
  return { row };
}

const read = (world: World, ...path: string[]) => readFileSync(join(world.configDir, ...path), "utf8");
const configOf = (world: World) => JSON.parse(read(world, "teams/alpha/config.json"));
const memberOf = (world: World, name: string) =>
  configOf(world).members.find((one: { name: string }) => one.name === name);
const taskOf = (world: World, id: number) => JSON.parse(read(world, "tasks/alpha", `${id}.json`));
const isAlive = (pid: number) => existsSync(`/proc/${pid}/cwd`);

const say = async (screen: Tui, line: string, word: RegExp) => {
  await screen.type(line);
  await screen.wait(word, 90_000);
};
/** The person says yes to what the client asks. */
const allow = async (screen: Tui, about: RegExp) => {
  await screen.wait(about, 60_000);
  await screen.wait(/Do you want to proceed/, 30_000);
  screen.keys("Enter");
};

describe.each(CLIENTS)("the %s client", (client) => {
  test("a new user's day, with what the client asks by default", async () => {
    const env = { ENABLE_TOOL_SEARCH: "false" };
    const world = await aWorld({ client, plugins: [], mode: "default", env, scripts: SCRIPTS });
    expect(await world.cli("plugin", "marketplace", "add", ROOT)).toMatchObject({ code: 0 });
    expect(await world.cli("plugin", "install", "swarm@swarm")).toMatchObject({ code: 0 });
    const { row } = terminalOf(world);
    const screen = await world.tui();
    await say(screen, "/swarm-onboard [[onboard]]", /shown the steps/);
    await say(screen, "/swarm-create alpha my first team [[create]]", /created it/);

    // The lead is asked before it starts somebody, and the board says so.
    await screen.type("/swarm-spawn two of them [[spawn]]");
    await screen.wait(/Do you want to proceed/, 60_000);
    const lead = await until(async () => (await row("team-lead"))?.waiting?.tool && row("team-lead"), {
      what: "the lead's prompt on the board",
      ms: 15_000,
    });
    expect(lead).toMatchObject({ state: "permission", waiting: { tool: "Bash", pane: "%0" } });
    await allow(screen, /spawn ada/);
    await allow(screen, /spawn bob/);
    await screen.wait(/spawned both/, 90_000);
    expect(screen.panes()).toHaveLength(3);

    // Mail both ways: a teammate is not asked for `swarm send`.
    await screen.wait(/the lead heard ada/, 60_000);
    expect((await row("ada"))?.state).not.toBe("permission");

    await say(screen, "/task-create Part one [[one]]", /made the first/);
    await say(screen, "/task-create Part two [[two]]", /made the second/);
    await say(screen, "/swarm-send bob part two [[trybob]]", /asked bob/);
    await until(() => world.seen("bobwork").length === 2, { what: "bob to try", ms: 60_000 });
    expect(taskOf(world, 2).status).toBe("pending");
    await say(screen, "/swarm-send ada part one [[giveada]]", /asked ada for part one/);
    await screen.wait(/the lead knows of part one/, 90_000);
    await say(screen, "/swarm-send bob again [[givebob]]", /asked bob again/);
    await until(() => taskOf(world, 2).status === "completed", { what: "bob's task", ms: 60_000 });
    expect(taskOf(world, 1).status).toBe("completed");

    // A real prompt: on the board within 15 s, and the lead is not woken for it.
    const turns = () => world.model.requests.filter(({ script }) => script === "pushed").length;
    await say(screen, "/swarm-send ada please push it [[ask]]", /asked ada/);
    await until(() => /Do you want to proceed/.test(screen.screen("%1")), {
      what: "ada's prompt",
      ms: 60_000,
    });
    const asking = await until(
      async () => {
        const ada = await row("ada");
        // The client's own file says "permission prompt" a moment before our hook has written which.
        return ada?.waiting?.tool ? ada : undefined;
      },
      { what: "ada's prompt on the board, with its tool", ms: 15_000 },
    );
    expect(asking.evidence).toMatch(
      /^waits for permission: Bash\(git push origin main\), pane %1, for \d+s$/,
    );
    await until(
      () => read(world, "teams/alpha/inboxes/team-lead.json").includes("ada waits for permission"),
      {
        what: "the note to the lead",
        ms: 30_000,
      },
    );
    expect(turns()).toBe(0);
    screen.keysIn("%1", "Enter");
    await screen.wait(/the lead knows of the push/, 60_000);
    const pushed = world.conversation("pushed");
    expect(pushed).toContain("ada waits for permission: Bash(git push origin main), pane %1");
    expect(pushed).toContain("ada no longer waits: Bash(git push origin main)");
    await until(async () => (await row("ada"))?.state === "idle", { what: "ada to be idle", ms: 20_000 });

    const pids = ["ada", "bob"].map((name) => memberOf(world, name).pid);
    await say(screen, "/swarm-suspend [[suspend]]", /suspended them/);
    expect(pids.map(isAlive)).toEqual([false, false]);
    await say(screen, "/swarm-resume alpha [[resume]]", /resumed them/);
    expect(screen.panes()).toHaveLength(3);

    // The lead's client is killed; another session takes the team over, and its teammates go on.
    const { pid, sessionId } = memberOf(world, "team-lead");
    process.kill(pid, "SIGKILL");
    await until(async () => (await row("team-lead"))?.state === "gone", {
      what: "the end of the lead",
      ms: 20_000,
    });
    const next = await world.tui();
    await say(next, "/swarm-resume alpha [[over]]", /took it over/);
    expect(configOf(world).leadSessionId).not.toBe(sessionId);
    expect(["ada", "bob"].map((name) => isAlive(memberOf(world, name).pid))).toEqual([true, true]);

    await say(next, "/swarm-cleanup alpha --force [[cleanup]]", /cleaned up/);
    expect(readdirSync(join(world.configDir, "archives"))).toEqual([expect.stringMatching(/^alpha-/)]);
    await next.exit();
    expect(errorsOf(world)).toBe("");
    expect(JSON.parse(read(world, "settings.json"))).not.toHaveProperty("permissions");
    expect(await world.cli("plugin", "uninstall", "swarm@swarm")).toMatchObject({ code: 0 });
    await world.print("say [[bob]]");
    expect(world.conversation("bob")).not.toContain("(starting fresh)");
  }, 420_000);
});
