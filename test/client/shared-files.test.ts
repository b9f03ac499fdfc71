// Clients of both versions at once in one team: the same inbox and the same task list, and nothing gets lost.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS, type Client, clientBinary } from "./support/clients.ts";
import { run } from "./support/run.ts";
import { errorsOf } from "./support/state.ts";
import { bash } from "./support/tools.ts";
import { PLUGIN, type World } from "./support/world.ts";

const ROUNDS = 5;
const TEAM = {
  CLAUDE_CODE_TEAM_NAME: "dev",
  CLAUDE_CODE_TASK_LIST_ID: "dev",
  CLAUDE_CODE_ENABLE_TODO_TOOLS: "1",
  ENABLE_TOOL_SEARCH: "false",
};

/** In each step two tasks by the client's own tool and two messages by ours, all at once. */
const scriptOf = (client: Client) => [
  ...Array.from({ length: ROUNDS }, (_, n) => ({
    tools: [
      { name: "TaskCreate", input: { subject: `${client} ${n}.0`, description: "d" } },
      bash(`swarm send carol '${client} ${n}.0'`),
      { name: "TaskCreate", input: { subject: `${client} ${n}.1`, description: "d" } },
      bash(`swarm send carol '${client} ${n}.1'`),
    ],
  })),
  { text: "over" },
];

const started = async (world: World, client: Client) =>
  run(
    await clientBinary(client),
    ["-p", `go [[${client}]]`, "--permission-mode", "bypassPermissions", "--plugin-dir", PLUGIN],
    { cwd: world.project, env: { ...world.env, CLAUDE_CODE_AGENT_NAME: client } },
  );

test("two clients of both versions, with ours between them, write one inbox and one task list", async () => {
  const scripts = Object.fromEntries(CLIENTS.map((client) => [client, scriptOf(client)]));
  const world = await aWorld({ client: "latest", env: TEAM, scripts });
  const team = join(world.configDir, "teams/dev");
  mkdirSync(team, { recursive: true });
  const members = ["team-lead", "carol", ...CLIENTS].map((name) => ({ name }));
  writeFileSync(join(team, "config.json"), JSON.stringify({ name: "dev", members }));

  const ran = await Promise.all(CLIENTS.map((client) => started(world, client)));
  expect(ran.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
    CLIENTS.map(() => ({ code: 0, stdout: "over\n" })),
  );

  const expected = CLIENTS.flatMap((client) =>
    Array.from({ length: ROUNDS }, (_, n) => [`${client} ${n}.0`, `${client} ${n}.1`]).flat(),
  ).sort();
  const mail = JSON.parse(readFileSync(join(team, "inboxes/carol.json"), "utf8"));
  expect(mail.map((one: { text: string }) => one.text).sort()).toEqual(expected);
  const list = join(world.configDir, "tasks/dev");
  const tasks = readdirSync(list)
    .filter((name) => /^\d+\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(list, name), "utf8")));
  expect(tasks.map((task: { subject: string }) => task.subject).sort()).toEqual(expected);
  expect(errorsOf(world)).toBe("");
}, 240_000);
