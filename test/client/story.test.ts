// The first day of a new user, in the default permission mode and with no settings prepared: from the marketplace to the uninstall.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { aCamera, resize, takePicture } from "./support/pictures.ts";
import { run } from "./support/run.ts";
import type { Body, Cues, Scripts } from "./support/script.ts";
import { newsOf } from "./support/seen.ts";
import { errorsOf } from "./support/state.ts";
import { bash } from "./support/tools.ts";
import type { Tui } from "./support/tui.ts";
import { ROOT, type World } from "./support/world.ts";

const runs = (command: string, word: string, about?: string): Scripts[string] => [
  { tools: [bash(command, about)] },
  { text: word },
];
/** As the command's text asks: the model shows what was printed. */
const shows = (command: string, word: string): Scripts[string] => [
  { tools: [bash(command)] },
  (body) => ({ text: `\`\`\`\n${resultIn(body)}\n\`\`\`\n${word}` }),
];
const resultIn = (body: Body) => /<result>([\s\S]*?)<\/result>/.exec(newsOf(body))?.[1]?.trimEnd() ?? "";

const READ = "Read README.md and send team-lead one sentence about it.";

/** Each begins with the words that its conversation is given: those a person types, or a message. */
const PLAY: [name: string, words: RegExp, script: Scripts[string]][] = [
  [
    "onboard",
    /Run `swarm onboard`/,
    shows("swarm onboard", "Step 2 is up to you. Step 3 makes a team: shall we?"),
  ],
  [
    "create",
    /`swarm create`, followed by/,
    runs("swarm create alpha 'my first team'", "The team alpha is made, and you lead it."),
  ],
  [
    "spawn",
    /`swarm spawn`, followed by/,
    [
      { tools: [bash(`swarm spawn ada --wait 60 --prompt '${READ}'`, "Open the teammate ada")] },
      { tools: [bash("swarm spawn bob --wait 60 --prompt 'Wait for work.'")] },
      { text: "ada and bob are up, in the panes beside us." },
    ],
  ],
  [
    "ada",
    /Read README\.md and send/,
    [
      {
        tools: [bash('swarm send team-lead "README.md says: it reads a grammar and builds a tree."')],
        delayMs: 6_000,
      },
      { text: "I wrote to team-lead what is in it." },
    ],
  ],
  ["bob", /Wait for work/, [{ text: "I am ready." }]],
  ["read", /README\.md says/, [{ text: "ada says that it reads a grammar and builds a tree." }]],
  [
    "one",
    /<request>\nFix the typos/,
    runs('swarm task create "Fix the typos" --owner ada', "Task 1 is made, for ada."),
  ],
  [
    "two",
    /<request>\nReview the fixes/,
    runs(
      'swarm task create "Review the fixes" --owner bob --blocked-by 1',
      "Task 2 is made; it waits for task 1.",
    ),
  ],
  ["early", /<request>\nbob review/, runs('swarm send bob "Please review now."', "Asked bob.")],
  ["fix", /<request>\nada fix/, runs('swarm send ada "Please fix the typos."', "Asked ada.")],
  [
    "late",
    /<request>\nbob once more/,
    runs('swarm send bob "They are fixed: review again."', "Asked bob again."),
  ],
  ["push", /<request>\nada push/, runs('swarm send ada "Please push to main."', "Asked ada to push.")],
  [
    "bob-early",
    /Please review now/,
    runs("swarm task claim 2 && swarm task done 2", "Task 2 waits for task 1."),
  ],
  [
    "ada-fixes",
    /Please fix the typos/,
    [
      { tools: [bash("swarm task claim 1")] },
      { tools: [bash('swarm task done 1 && swarm send team-lead "The typos are fixed."')] },
      { text: "Task 1 is done." },
    ],
  ],
  ["fixed", /The typos are fixed/, [{ text: "Task 1 is done; bob can review." }]],
  [
    "bob-late",
    /review again/,
    runs(
      'swarm task claim 2 && swarm task done 2 && swarm send team-lead "They are reviewed."',
      "Task 2 is done.",
    ),
  ],
  ["reviewed", /They are reviewed/, [{ text: "bob has reviewed the fixes." }]],
  [
    "ada-pushes",
    /Please push to main/,
    runs("git push origin main", "I could not push: there is no remote.", "Push to main"),
  ],
  ["pushed", /I could not push/, [{ text: "ada has no remote to push to." }]],
  [
    "status",
    /Run `swarm status`/,
    shows("swarm status", "ada needs you: she waits for permission to push, in pane %1."),
  ],
  ["suspend", /`swarm suspend`, followed by/, runs("swarm suspend", "Both are suspended.")],
  [
    "over",
    /`swarm resume`[\s\S]*the lead was killed/,
    shows("swarm resume alpha --wait 60", "You lead alpha now; ada and bob go on."),
  ],
  ["resume", /`swarm resume`, followed by/, runs("swarm resume alpha --wait 60", "Both are back.")],
  ["cleanup", /`swarm cleanup`, followed by/, runs("swarm cleanup alpha --force", "The team is archived.")],
];

const SCRIPTS: Scripts = Object.fromEntries(PLAY.map(([name, , script]) => [name, script]));
const CUES: Cues = PLAY.map(([name, words]) => [name, words]);

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
const isIdle = (screen: Tui, pane?: string) => !/esc to interr|running stop hook/i.test(screen.screen(pane));
describe.each(CLIENTS)("the %s client", (client) => {
  test("a new user's day, with what the client asks by default", async () => {
    const env = { ENABLE_TOOL_SEARCH: "false", COLORTERM: "truecolor" };
    const files = { "README.md": "# Parser\n\nIt reads a grammar and builds a tree.\n" };
    const world = await aWorld({
      client,
      plugins: [],
      mode: "default",
      env,
      files,
      scripts: SCRIPTS,
      cues: CUES,
    });
    expect(await world.cli("plugin", "marketplace", "add", ROOT)).toMatchObject({ code: 0 });
    expect(await world.cli("plugin", "install", "swarm@swarm")).toMatchObject({ code: 0 });
    const { row } = terminalOf(world);
    const screen = await world.tui();
    const camera = aCamera(world, screen, 50);
    const isShown = client === "latest";
    await say(screen, "/swarm-onboard", /Step 3 makes a team/);
    await until(() => isIdle(screen), { what: "an idle client" });
    if (isShown)
      takePicture(camera, {
        name: "onboard",
        about: "/swarm-onboard lists the steps from nothing to a team and marks the next one",
        shows: [/❯ .*swarm-onboard/, /\[x\] 1\. Start Claude Code inside tmux/, /--> 2\. Let the client run/],
      });
    resize(camera, 38);
    await screen.type("/clear");
    await say(screen, "/swarm-create alpha my first team", /you lead it/);

    // The lead is asked before it starts somebody, and the board says so.
    await screen.type("/swarm-spawn ada reads README.md and reports, bob waits for work");
    await screen.wait(/Do you want to proceed/, 60_000);
    const lead = await until(async () => (await row("team-lead"))?.waiting?.tool && row("team-lead"), {
      what: "the lead's prompt on the board",
      ms: 15_000,
    });
    expect(lead).toMatchObject({ state: "permission", waiting: { tool: "Bash", pane: "%0" } });
    if (isShown)
      takePicture(camera, {
        name: "spawn",
        about: "the client asks the person before the lead starts a teammate",
        shows: [/swarm spawn ada/, /Do you want to proceed\?/, /1\. Yes/],
      });
    await screen.allow(/spawn ada/);
    await screen.allow(/spawn bob/);
    await screen.wait(/ada and bob are up/, 90_000);
    expect(screen.panes()).toHaveLength(3);
    screen.tmux("resize-pane", "-t", "%0", "-x", "110");

    // Mail both ways: a teammate is not asked for `swarm send`.
    await screen.wait(/ada says that it reads/, 60_000);
    expect((await row("ada"))?.state).not.toBe("permission");
    await until(
      () => /I wrote to team-lead/.test(screen.screen("%1")) && isIdle(screen) && isIdle(screen, "%1"),
      {
        what: "an idle team",
      },
    );
    if (isShown)
      takePicture(camera, {
        name: "mail",
        about: "three clients in tmux: the lead, ada, whose message has just arrived, and bob",
        shows: [/ada says that it reads a grammar/, /I wrote to team-lead/, /ada@alpha/, /bob@alpha/],
      });

    await say(screen, "/task-create Fix the typos, for ada", /Task 1 is made/);
    await say(screen, "/task-create Review the fixes, for bob, after 1", /Task 2 is made/);
    await say(screen, "/swarm-send bob review now, please", /Asked bob\./);
    await until(() => world.seen("bob-early").length === 2, { what: "bob to try", ms: 60_000 });
    expect(taskOf(world, 2).status).toBe("pending");
    await say(screen, "/swarm-send ada fix the typos, please", /Asked ada\./);
    await screen.wait(/bob can review/, 90_000);
    await say(screen, "/swarm-send bob once more, they are fixed", /Asked bob again/);
    await screen.wait(/bob has reviewed/, 90_000);
    expect(taskOf(world, 2).status).toBe("completed");
    expect(taskOf(world, 1).status).toBe("completed");

    // A real prompt: on the board within 15 s, and the lead is not woken for it.
    const turns = () => world.model.requests.filter(({ script }) => script === "pushed").length;
    await say(screen, "/swarm-send ada push to main, please", /Asked ada to push/);
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
    await say(screen, "/swarm-status", /ada needs you/);
    await until(() => isIdle(screen), { what: "an idle lead" });
    expect(world.conversation("status")).toContain(
      "ada waits for permission: Bash(git push origin main), pane %1",
    );
    if (isShown)
      takePicture(camera, {
        name: "board",
        about: "the board: ada waits for permission to push, which her pane asks for",
        shows: [
          /ada +permission .*waits for permission: Bash\(git push origin main\), pane %1, for \d+s/,
          /ada needs you/,
          /Do you want to proceed\?/,
        ],
      });
    screen.keysIn("%1", "Enter");
    await screen.wait(/ada has no remote/, 60_000);
    expect(world.conversation("pushed")).toContain("ada no longer waits: Bash(git push origin main)");
    await until(async () => (await row("ada"))?.state === "idle", { what: "ada to be idle", ms: 20_000 });

    const pids = ["ada", "bob"].map((name) => memberOf(world, name).pid);
    await say(screen, "/swarm-suspend", /Both are suspended/);
    expect(pids.map(isAlive)).toEqual([false, false]);
    await say(screen, "/swarm-resume alpha", /Both are back/);
    expect(screen.panes()).toHaveLength(3);

    // The lead's client is killed; another session takes the team over, and its teammates go on.
    const { pid, sessionId } = memberOf(world, "team-lead");
    process.kill(pid, "SIGKILL");
    await until(async () => (await row("team-lead"))?.state === "gone", {
      what: "the end of the lead",
      ms: 20_000,
    });
    const next = await world.tui();
    const other = aCamera(world, next, 24);
    await say(next, "/swarm-resume alpha (the lead was killed)", /You lead alpha now/);
    if (isShown)
      takePicture(other, {
        name: "hand-over",
        about: "a new session takes the team over from a lead that was killed",
        shows: [/team alpha is active \(the old lead is gone: .* \(crashed\)\)/, /already running/],
      });
    expect(configOf(world).leadSessionId).not.toBe(sessionId);
    expect(["ada", "bob"].map((name) => isAlive(memberOf(world, name).pid))).toEqual([true, true]);

    await say(next, "/swarm-cleanup alpha --force", /The team is archived/);
    expect(readdirSync(join(world.configDir, "archives"))).toEqual([expect.stringMatching(/^alpha-/)]);
    await next.exit();
    expect(errorsOf(world)).toBe("");
    expect(JSON.parse(read(world, "settings.json"))).not.toHaveProperty("permissions");
    expect(await world.cli("plugin", "uninstall", "swarm@swarm")).toMatchObject({ code: 0 });
    await world.print("Wait for work.");
    expect(world.conversation("bob")).not.toContain("(starting fresh)");
  }, 420_000);
});
