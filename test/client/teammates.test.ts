// Teams of real clients: made, at work, suspended, brought back and cleaned up, on both clients.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import type { Scripts } from "./support/script.ts";
import { errorsOf } from "./support/state.ts";
import { agent, bash, sendMessage } from "./support/tools.ts";
import type { Tui } from "./support/tui.ts";
import { TEAMS, type World } from "./support/world.ts";

/** One command a turn, then a word that shows on the screen. */
const runs = (command: string, word: string): Scripts[string] => [{ tools: [bash(command)] }, { text: word }];

const read = (world: World, ...path: string[]) => readFileSync(join(world.configDir, ...path), "utf8");
const configOf = (world: World, team: string) => JSON.parse(read(world, "teams", team, "config.json"));
const memberOf = (world: World, team: string, name: string) =>
  configOf(world, team).members.find((one: { name: string }) => one.name === name);
const firedOf = (world: World, event: string) => read(world, "swarm/fired", event).split("\n").length - 1;
const isAlive = (pid: number) => existsSync(`/proc/${pid}/cwd`);

/** Pressed again while the dialog is still being drawn. */
async function approve(screen: Tui, done: () => boolean) {
  await screen.wait(/Would you like to proceed/);
  await until(() => done() || screen.keys("Enter"), { what: "the plan to be approved", everyMs: 1_000 });
}

const PLAN = "# Plan for the parser\n\nSplit it.\n\nlaunchSwarm: true\nteammateCount: 2\n";
const writePlan: Scripts[string][number] = (body) => {
  const path = JSON.stringify(body).match(/[^"\s`\\]+\/\.claude\/plans\/[\w-]+\.md/)?.[0] ?? "";
  return { tools: [{ name: "Write", input: { file_path: path, content: PLAN } }] };
};

const spawnWith = (name: string) =>
  `swarm spawn ${name} reviewer sonnet --dangerously-skip-permissions --wait 60 --prompt - <<'END'\nhello "${name}" $(x) [[${name}]]\nEND`;

describe.each(CLIENTS)("the %s client", (client) => {
  const quiet = { ENABLE_TOOL_SEARCH: "false" };

  test("an approved plan that asks for a team leads to the exact next commands, at once", async () => {
    const exitPlan = { name: "ExitPlanMode", input: {} };
    const world = await aWorld({
      client,
      env: quiet,
      scripts: { plan: [writePlan, { tools: [exitPlan] }, { text: "planned" }] },
    });
    const screen = await world.tui("--permission-mode", "plan");
    await screen.type("go [[plan]]");
    await approve(screen, () => world.seen("plan").length > 2);
    expect(world.seen("plan")[2]).toContain("# Swarm Launch Detected");
    expect(world.seen("plan")[2]).toContain('swarm spawn teammate-2 --team the-parser --prompt "');
    const { status, members } = configOf(world, "the-parser");
    expect({ status, members }).toMatchObject({ status: "active", members: [{ name: "team-lead" }] });
  });

  test("a team from first to last: create, spawn, assign, talk, complete, suspend, resume, clean up", async () => {
    const world = await aWorld({
      client,
      env: quiet,
      scripts: {
        create: runs("swarm create alpha 'a team'", "created it"),
        spawn: [
          { tools: [bash(spawnWith("ada"))] },
          { tools: [bash(spawnWith("bob"))] },
          { text: "spawned both" },
        ],
        ada: runs("echo I am $CLAUDE_CODE_AGENT_NAME; swarm session show --json", "ada waits"),
        bob: [{ text: "bob waits" }],
        assign: runs(
          'swarm task create "Write the part" --owner ada && swarm send ada "task 1 is yours [[adawork]]"',
          "gave it out",
        ),
        adawork: runs(
          'swarm task claim 1; swarm task done 1 && swarm send team-lead "task 1 is done [[heard]]"',
          "ada reported",
        ),
        heard: [{ text: "the lead heard it" }],
        suspend: runs("swarm suspend", "suspended them"),
        resume: runs("swarm resume alpha --wait 60", "resumed them"),
        cleanup: runs("swarm cleanup --force", "cleaned up"),
      },
    });
    const screen = await world.tui();
    const say = async (line: string, word: RegExp) => {
      await screen.type(line);
      await screen.wait(word, 90_000);
    };
    await say("/swarm-create alpha a team [[create]]", /created it/);
    // The tmux server knows nothing of the lead's variables, as if it had been there long before them.
    for (const name of ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "CLAUDE_CONFIG_DIR"])
      execFileSync("tmux", ["-S", join(world.root, "tmux-0"), "set-environment", "-gu", name]);
    await say("/swarm-spawn two of them [[spawn]]", /spawned both/);
    const pids = ["ada", "bob"].map((name) => memberOf(world, "alpha", name).pid);
    expect(pids.map(isAlive)).toEqual([true, true]);
    expect(screen.panes()).toHaveLength(3);
    await until(() => world.seen("ada").length === 2, { what: "ada's first turn" });
    expect(world.seen("ada")[0]).toContain('hello "ada" $(x) [[ada]]');
    expect(world.seen("ada")[1]).toContain("I am ada");
    expect(world.seen("ada")[1]).toMatch(/"agent": "ada"/);
    expect(world.model.requests.find((one) => one.script === "ada")?.body.model).toMatch(/sonnet/);

    await say("give it out [[assign]]", /gave it out/);
    await until(() => world.seen("adawork").length >= 2, {
      what: "ada to wake, claim and finish",
      ms: 60_000,
    });
    // The lead was idle, and became a lead only after its session had started.
    await screen.wait(/the lead heard it/, 60_000);
    const task = JSON.parse(readFileSync(join(world.configDir, "tasks", "alpha", "1.json"), "utf8"));
    expect(task).toMatchObject({ subject: "Write the part", owner: "ada", status: "completed" });

    await say("/swarm-suspend [[suspend]]", /suspended them/);
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(screen.panes()).toHaveLength(1);
    expect(configOf(world, "alpha").status).toBe("suspended");

    await say("/swarm-resume alpha [[resume]]", /resumed them/);
    expect(screen.panes()).toHaveLength(3);
    const again = () =>
      world.model.requests.findLast(({ body }) =>
        JSON.stringify(body.messages).includes("you are ada again"),
      );
    const back = await until(again, { what: "ada to be back" });
    expect(JSON.stringify(back.body.messages)).toContain("ada waits"); // the old conversation goes on
    expect(back.body.model).toMatch(/sonnet/);

    await say("/swarm-cleanup alpha --force [[cleanup]]", /cleaned up/);
    expect(screen.panes()).toHaveLength(1);
    expect(readdirSync(join(world.configDir, "archives"))).toEqual([expect.stringMatching(/^alpha-/)]);
    await screen.exit();
    expect(firedOf(world, "PostToolUse")).toBeGreaterThanOrEqual(7); // the matcher leaves out the plan only
    expect(errorsOf(world)).toBe("");
  });

  test.each([
    ["suspends the team", {}, "suspended", 0],
    ["leaves it at work when asked to", { SWARM_KEEP_ALIVE: "true" }, "active", 1],
  ])("the lead's end %s", async (_, env, status, left) => {
    const spawn = "swarm spawn ada --dangerously-skip-permissions --wait 60 'hi [[ada]]'";
    const world = await aWorld({
      client,
      env: { ...quiet, ...env },
      scripts: { go: runs(`swarm create alpha && ${spawn}`, "spawned her"), ada: [{ text: "ada waits" }] },
    });
    const screen = await world.tui();
    await screen.type("go [[go]]");
    await screen.wait(/spawned her/, 60_000);
    await until(() => world.seen("ada").length === 1, { what: "ada's turn" });
    const { pid } = memberOf(world, "alpha", "ada");
    await screen.exit();
    expect(configOf(world, "alpha").status).toBe(status);
    if (left === 0) await until(() => !isAlive(pid), { what: "ada to end", ms: 10_000 });
    else expect(isAlive(pid)).toBe(true);
    const goesOn = read(world, "teams/alpha/inboxes/ada.json").includes("Team remains active.");
    expect(goesOn).toBe(left === 1);
    expect(memberOf(world, "alpha", "team-lead").status).toBe("offline");
    // Only tmux is left, and ada if she stays: the helper has ended by itself.
    await until(() => world.processes().length <= 1 + left, { what: "the helper to end", ms: 15_000 });
    expect(errorsOf(world)).toBe("");
  });

  test("a native team beside ours is left undisturbed", async () => {
    const spawn = "swarm spawn ada --dangerously-skip-permissions --wait 60 'hi [[ada]]'";
    const world = await aWorld({
      client,
      env: { ...TEAMS },
      scripts: {
        native: [{ tools: [agent({ prompt: "please [[nat]]", name: "nat" })] }, { text: "nat is there" }],
        nat: [{ text: "nat waits" }],
        ours: [
          { tools: [bash(`swarm create alpha && ${spawn}`)] },
          { tools: [bash("swarm suspend && swarm cleanup --yes")] },
          { text: "ours came and went" },
        ],
        ada: [{ text: "ada waits" }],
        more: [{ tools: [sendMessage("nat", "still there? [[natanswers]]")] }, { text: "asked nat" }],
        natanswers: [{ tools: [sendMessage("team-lead", "yes I am [[heardnat]]")] }, { text: "answered" }],
        heardnat: [{ text: "nat was heard" }],
      },
    });
    const screen = await world.tui("--teammate-mode", "tmux");
    await screen.type("go [[native]]");
    await screen.wait(/nat is there/);
    await until(() => world.seen("nat").length > 0, { what: "nat's turn" });
    const [native] = readdirSync(join(world.configDir, "teams"));
    await until(() => configOf(world, native as string).members.length === 2, { what: "nat on the roster" });
    const roster = () => configOf(world, native as string).members.map((one: { name: string }) => one.name);

    await screen.type("go [[ours]]");
    await screen.wait(/ours came and went/, 60_000);
    expect(world.seen("ours")[2]).toMatch(
      /team alpha is suspended[\s\S]*ada: ended[\s\S]*Archived team alpha/,
    );
    expect(roster()).toEqual(["team-lead", "nat"]);
    expect(screen.panes()).toHaveLength(2);

    await screen.type("go [[more]]");
    await screen.wait(/nat was heard/, 30_000);
  });

  test("without a screen, a teammate does its work and leaves a log", async () => {
    const spawn = "swarm spawn ada --backend headless --wait 60 --prompt='-x [[ada]]'";
    const world = await aWorld({
      client,
      env: { ...quiet, SWARM_KEEP_ALIVE: "true" }, // or the end of the lead's -p would end her
      scripts: { go: runs(`swarm create alpha && ${spawn}`, "spawned her"), ada: [{ text: "ada did it" }] },
    });
    await world.print("go [[go]]");
    expect(world.seen("go")[1]).toContain("ada is up");
    await until(() => world.seen("ada").length === 1, { what: "ada's turn" });
    expect(world.seen("ada")[0]).toContain("-x [[ada]]");
    const log = join(world.configDir, "teams/alpha/logs/ada.jsonl");
    await until(() => existsSync(log) && readFileSync(log, "utf8").includes("ada did it"), {
      what: "her log",
    });
  });

  test.each([
    "swarm-create",
    "swarm-join",
    "swarm-spawn",
    "swarm-suspend",
    "swarm-resume",
    "swarm-kill",
    "swarm-cleanup",
    "swarm-list-teams",
    "swarm-onboard",
  ])("/%s is known by its bare name, and what follows it arrives", async (name) => {
    const odd = `it's "x" [[cmd]] --yes`;
    const world = await aWorld({ client, env: quiet, scripts: { cmd: [{ text: "seen it" }] } });
    const { code, stdout } = await world.print(`/${name} ${odd}`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "seen it\n" });
    expect(world.seen("cmd")[0]).toContain(`\`${name.replace("swarm-", "swarm ")}\``);
    // onboard takes no words; the client appends them itself.
    expect(world.seen("cmd")[0]).toContain(
      name === "swarm-onboard" ? odd : `<arguments>\n${odd}\n</arguments>`,
    );
  });
});
