// Many processes at one list of tasks.
import { join } from "node:path";
import { expect, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { aTask, aTeam, member } from "../support/a-task.ts";
import { ROOT, runSwarm, startScript } from "../support/run-built.ts";

const start = (home: Home, agent: string, args: string[]) =>
  startScript(join(ROOT, "plugin/bin/swarm"), ["task", ...args], home, "", member(agent)).done;

test("two links made at once cannot close a circle", async () => {
  const home = aHome();
  aTeam(
    home,
    ["team-lead"],
    Array.from({ length: 8 }, (_, n) => aTask(`${n + 1}`)),
  );
  const link = (from: number, to: number) =>
    start(home, "team-lead", ["update", `${from}`, "--blocked-by", `${to}`]);
  // Each waits for the next, the last for the first: any seven are fine, all eight are not.
  const ran = await Promise.all(Array.from({ length: 8 }, (_, n) => link(n + 1, ((n + 1) % 8) + 1)));
  expect(ran.filter(({ exitCode }) => exitCode === 0)).toHaveLength(7);
});

test("twenty tasks created at once have twenty numbers", async () => {
  const home = aHome();
  aTeam(home, ["team-lead"]);
  await Promise.all(Array.from({ length: 20 }, (_, n) => start(home, "team-lead", ["create", `task ${n}`])));
  const list: { id: string; subject: string }[] = JSON.parse(
    runSwarm(home, ["task", "list", "--json"], { env: member("team-lead") }).stdout,
  );
  expect(list.map(({ id }) => Number(id))).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  expect(new Set(list.map(({ subject }) => subject)).size).toBe(20);
});

const AGENTS = 64;
const TASKS = 100;

test("64 agents claim 100 tasks at once: each task has exactly one owner", async () => {
  const home = aHome();
  const names = Array.from({ length: AGENTS }, (_, n) => `agent-${n}`);
  aTeam(
    home,
    ["team-lead", ...names],
    Array.from({ length: TASKS }, (_, n) => aTask(`${n + 1}`)),
  );
  const got = new Map<string, string[]>();
  const work = async (name: string) => {
    for (;;) {
      const { exitCode, reply, stderr } = await start(home, name, ["claim", "--json"]);
      expect(stderr).toBe("");
      if (exitCode !== 0) return;
      got.set(reply.id, [...(got.get(reply.id) ?? []), name]);
    }
  };
  await Promise.all(names.map(work));
  expect(got.size).toBe(TASKS);
  for (const [id, owners] of got) {
    expect(owners).toHaveLength(1);
    expect(home.json(`.claude/tasks/dev/${id}.json`)).toMatchObject({
      owner: owners[0],
      status: "in_progress",
    });
  }
}, 120_000);
