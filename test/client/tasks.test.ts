// One task list, two hands: the client's own Task tools and `swarm task`, at the same moment, on both clients.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { run } from "./support/run.ts";
import type { Script } from "./support/script.ts";
import { ROOT, TEAMS, type World } from "./support/world.ts";

const TOOLS = { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1", ENABLE_TOOL_SEARCH: "false" };
const BOB = { ...TOOLS, CLAUDE_CODE_TEAM_NAME: "dev", CLAUDE_CODE_AGENT_NAME: "bob" };
/** The client's own tools work on the list that this variable names, on both versions. */
const SHARED = { ...BOB, CLAUDE_CODE_TASK_LIST_ID: "dev" };

const call = (name: string, input: Record<string, unknown>) => ({ name, input });
const bash = (command: string) => call("Bash", { command, description: "a test" });
const step = (...tools: ReturnType<typeof call>[]) => ({ tools });

function put(world: World, path: string, content: unknown): void {
  const file = join(world.configDir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
}

const get = (world: World, path: string) => JSON.parse(readFileSync(join(world.configDir, path), "utf8"));
const filesOf = (world: World) => readdirSync(join(world.configDir, "tasks/dev"));
const task = (id: string, fields = {}) => ({
  id,
  subject: `task ${id}`,
  description: "",
  status: "pending",
  blocks: [],
  blockedBy: [],
  ...fields,
});
const team = (world: World) =>
  put(world, "teams/dev/config.json", {
    name: "dev",
    members: ["team-lead", "bob", "amy"].map((name) => ({ name })),
  });
const swarm = (world: World, ...args: string[]) =>
  run(process.execPath, [join(ROOT, "plugin/bin/swarm"), "task", ...args], {
    cwd: world.project,
    env: world.env,
  });

describe.each(CLIENTS)("tasks beside the %s client", (client) => {
  const named = async (script: Script, env: Record<string, string> = SHARED) => {
    const world = await aWorld({ client, env, scripts: { go: script } });
    team(world);
    return world;
  };

  test("each sees, changes and finishes what the other made", async () => {
    const world = await named([
      step(call("TaskCreate", { subject: "by the client", description: "d" })),
      step(bash("swarm task create 'by the verb' --blocked-by 1")),
      step(bash("swarm task claim 1")),
      step(call("TaskUpdate", { taskId: "1", metadata: { kept: "yes" } })),
      step(bash("swarm task update 1 --comment 'half way'")),
      step(call("TaskList", {})),
      step(call("TaskUpdate", { taskId: "1", status: "completed" })),
      step(bash("swarm task list")),
      { text: "over" },
    ]);
    expect(await world.print("go [[go]]")).toMatchObject({ code: 0, stdout: "over\n" });
    const seen = world.seen("go");
    expect(seen[2]).toContain("created #2  pending  by the verb  waits for #1");
    expect(seen[6]).toMatch(/#1 \[in_progress\] by the client.*bob/);
    expect(seen[6]).toMatch(/#2 \[pending\] by the verb.*blocked by #1/i);
    expect(seen[8]).toMatch(/#1 {2}completed.*\n#2 {2}pending {2}by the verb/);
    expect(get(world, "tasks/dev/1.json")).toMatchObject({
      status: "completed",
      owner: "bob",
      metadata: { kept: "yes", swarm: { comments: [{ author: "bob", text: "half way" }] } },
    });
    expect(get(world, "teams/dev/inboxes/team-lead.json")[0].text).toBe(
      "bob completed task #1: by the client",
    );
  });

  // Not by `metadata`: the client merges that from what it read before it took the lock, and so loses even its own.
  test("both write one list at the same moment, and nothing is lost", async () => {
    const tasks = ["1", "2", "3", "4", "5", "6"];
    const mix = (n: number) => [
      ...tasks.map((id) => call("TaskUpdate", { taskId: id, activeForm: `client ${n}` })),
      call("TaskCreate", { subject: `client ${n}`, description: "" }),
    ];
    const world = await named([...[1, 2, 3, 4].map((n) => step(...mix(n))), { text: "over" }]);
    for (const id of tasks) put(world, `tasks/dev/${id}.json`, task(id));
    let isOver = false;
    const ours = async (n: number) => {
      const made: string[] = [];
      for (let round = 0; !isOver || round < 2; round++) {
        const text = `ours ${n}.${round}`;
        const id = tasks[(n + round) % tasks.length] as string;
        expect(await swarm(world, "update", id, "--comment", text)).toMatchObject({ code: 0, stderr: "" });
        expect(await swarm(world, "create", text)).toMatchObject({ code: 0, stderr: "" });
        made.push(text);
      }
      return made;
    };
    const work = [ours(0), ours(1)];
    const ran = await world.print("go [[go]]");
    isOver = true;
    const made = (await Promise.all(work)).flat();
    expect(ran).toMatchObject({ code: 0, stdout: "over\n" });
    expect(world.seen("go").join("\n")).not.toContain("<result error>");

    const all = filesOf(world)
      .filter((name) => name.endsWith(".json"))
      .map((name) => get(world, `tasks/dev/${name}`));
    expect(all.map((one) => one.subject).sort()).toEqual(
      [...tasks.map((id) => `task ${id}`), ...[1, 2, 3, 4].map((n) => `client ${n}`), ...made].sort(),
    );
    const shared = all.filter((one) => tasks.includes(one.id));
    expect(shared.map(({ activeForm }) => activeForm)).toEqual(tasks.map(() => "client 4"));
    const comments = shared.flatMap(({ metadata }) => metadata?.swarm.comments ?? []);
    expect(comments.map((one) => one.text).sort()).toEqual(made.sort());
    expect(filesOf(world).filter((name) => name.includes(".lock"))).toEqual([".lock"]);
  });

  test("the rules hold for the client's own tool, and the model reads the right way", async () => {
    const world = await named([
      step(call("TaskUpdate", { taskId: "1", status: "completed" })),
      step(call("TaskUpdate", { taskId: "1", owner: "bobb" })),
      step(call("TaskUpdate", { taskId: "2", status: "in_progress" })),
      { text: "over" },
    ]);
    put(world, "tasks/dev/1.json", task("1"));
    put(world, "tasks/dev/2.json", task("2", { owner: "amy" }));
    await world.print("go [[go]]");
    const seen = world.seen("go");
    expect(seen[1]).toContain("the order is pending, in_progress, completed. Set it to in_progress first.");
    expect(seen[2]).toContain('"bobb" is no member of team dev; nearest: bob. Members: team-lead, bob, amy.');
    expect(seen[3]).toContain("Task #2 is amy's");
    expect(get(world, "tasks/dev/1.json").status).toBe("pending");
  });

  test("a task without a subject is not created", async () => {
    const world = await named([
      step(call("TaskCreate", { subject: "  ", description: "d" })),
      { text: "over" },
    ]);
    await world.print("go [[go]]");
    expect(world.seen("go")[1]).toContain("A task needs a subject");
    expect(filesOf(world)).not.toContain("1.json");
  });

  test("the person's check decides whether a task is completed", async () => {
    const world = await named([
      step(call("TaskUpdate", { taskId: "1", status: "completed" })),
      step(bash("touch fixed")),
      step(call("TaskUpdate", { taskId: "1", status: "completed" })),
      { text: "over" },
    ]);
    const check = "echo ran >> runs; test -f fixed || { echo 1 test failed; exit 1; }";
    put(world, "swarm/settings.toml", `[tasks]\nverify = "${check}"`);
    put(world, "tasks/dev/1.json", task("1", { owner: "bob", status: "in_progress" }));
    put(world, "tasks/dev/2.json", task("2"));
    await world.print("go [[go]]");
    expect(world.seen("go")[1]).toMatch(/failed with exit code 1.*\n.*\n1 test failed/);
    expect(get(world, "tasks/dev/1.json").status).toBe("completed");
    expect(readFileSync(join(world.project, "runs"), "utf8")).toBe("ran\nran\n");
  });

  test("a member reads its tasks first, and is held back once when it stops in the middle", async () => {
    const world = await named([{ text: "I stop here" }, { text: "left as it is" }], BOB);
    const work = task("5", { subject: "Create HOOKS.md", owner: "bob", status: "in_progress" });
    put(world, "tasks/dev/5.json", work);
    expect(await world.print("go [[go]]")).toMatchObject({ stdout: "left as it is\n" });
    const [first, second, ...more] = world.seen("go");
    expect(first).toContain(
      "# Team Updates for bob\n\n## Your Assigned Tasks\n\n- Task #5: Create HOOKS.md\n\nUse `/task-list` to see full details.",
    );
    expect(second).toMatch(/Stop hook feedback:[\s\S]*- Task #5: Create HOOKS.md/);
    expect(more).toEqual([]);
  });

  test("an in-process teammate of a native team: held back once, its turn ends run no check", async () => {
    const alice = {
      description: "a",
      prompt: "do [[alice]]",
      subagent_type: "general-purpose",
      name: "alice",
    };
    const world = await aWorld({
      client,
      env: TEAMS,
      scripts: {
        lead: [
          step(call("TaskCreate", { subject: "native work", description: "d" })),
          step(call("Agent", alice)),
          { text: "waiting" },
        ],
        alice: [
          step(call("TaskUpdate", { taskId: "1", status: "in_progress" })),
          { text: "stopping early" },
          { text: "stopping anyway" },
        ],
      },
    });
    put(world, "swarm/settings.toml", '[tasks]\nverify = "echo ran >> runs"');
    const screen = await world.tui("--teammate-mode", "in-process");
    await screen.type("go [[lead]]");
    await until(() => world.seen("alice").length >= 3, { what: "the teammate to go on" });
    expect(world.seen("alice")[2]).toMatch(/Stop hook feedback:[\s\S]*- Task #1: native work/);
    await screen.wait(/waiting/);
    await screen.exit();
    expect(readdirSync(world.project)).not.toContain("runs");
  });

  test.each([
    ["task-create", "swarm task create"],
    ["task-list", "swarm task list"],
    ["task-update", "swarm task done"],
    ["task-delete", "swarm task delete"],
  ])("/%s answers to its bare name and gets its arguments unharmed", async (name, verb) => {
    const world = await named([{ text: "over" }]);
    const words = "5 \"two words\" $(touch x) `y` 'z' [[go]]";
    await world.print(`/${name} ${words}`);
    expect(world.seen("go")[0]).toContain(`<request>\n${words}\n</request>`);
    expect(world.seen("go")[0]).toContain(verb);
    expect(readdirSync(world.project)).not.toContain("x");
  });
});
