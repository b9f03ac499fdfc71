// The optional review plugin in the real client: each of its three questions is put to a model once, and an objection counts.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS, type Client } from "./support/clients.ts";
import { type Body, type Script, SIDE } from "./support/script.ts";
import { agent, sendMessage } from "./support/tools.ts";
import { ROOT, TEAMS, type World } from "./support/world.ts";

const REVIEW = join(ROOT, "plugin-review");
const OBJECTION = "the reader could not tell what is meant";

/** The first time it is asked; a turn that goes on for its sake is let go. */
function objects(question: string): Script {
  let asked = 0;
  const answer = (body: Body) => {
    const isMine = JSON.stringify(body.messages).includes(question) && ++asked === 1;
    return { text: isMine ? JSON.stringify({ ok: false, reason: OBJECTION }) : '{"ok": true}' };
  };
  return [answer];
}

const reviewed = (client: Client, question: string, scripts: Record<string, Script>, env = {}) =>
  aWorld({
    client,
    env: { ...TEAMS, ...env },
    plugins: [REVIEW],
    scripts: { ...scripts, [SIDE]: objects(question) },
  });

const timesAsked = (world: World, question: string) =>
  world.model.requests.filter(
    ({ script, body }) => script === SIDE && JSON.stringify(body.messages).includes(question),
  ).length;

describe.each(CLIENTS)("the %s client", (client) => {
  test("a change to a task", async () => {
    const question = "one change to a task on a team";
    const update = { name: "TaskUpdate", input: { taskId: "1", status: "in_progress" } };
    const world = await reviewed(
      client,
      question,
      { go: [{ tools: [update] }, { text: "over" }] },
      { CLAUDE_CODE_TASK_LIST_ID: "dev" },
    );
    const list = join(world.configDir, "tasks", "dev");
    mkdirSync(list, { recursive: true });
    const task = { id: "1", subject: "one", description: "", status: "pending", blocks: [], blockedBy: [] };
    writeFileSync(join(list, "1.json"), JSON.stringify(task));
    await world.print("go [[go]]");
    expect(timesAsked(world, question)).toBe(1);
    expect(JSON.parse(readFileSync(join(list, "1.json"), "utf8")).status).toBe("pending");
  });

  test("a message to a teammate", async () => {
    const question = "one message between members of an agent team";
    const world = await reviewed(client, question, {
      go: [{ tools: [sendMessage("alice", "do the thing")] }, { text: "over" }],
    });
    await world.print("go [[go]]");
    expect(timesAsked(world, question)).toBe(1);
    const asked = world.model.requests.find(({ script }) => script === SIDE);
    expect(JSON.stringify(asked?.body)).toContain("do the thing");
    expect(existsSync(join(world.configDir, "teams"))).toBe(false);
  });

  test("the last words of an agent that stops: it goes on once for the objection, and is let go", async () => {
    const question = "an agent that is about to stop";
    const world = await reviewed(client, question, {
      go: [{ tools: [agent({ prompt: "please [[sub]]", run_in_background: false })] }, { text: "over" }],
      sub: [{ text: "half of it is done" }, { text: "the other half is with bob" }],
    });
    await world.print("go [[go]]");
    expect(timesAsked(world, question)).toBe(2);
    expect(world.seen("sub")).toHaveLength(2);
    expect(world.seen("sub")[1]).toContain(OBJECTION);
  });

  test("it is valid, and installed from the same marketplace", async () => {
    const world = await aWorld({ client });
    expect(await world.cli("plugin", "validate", REVIEW)).toMatchObject({ code: 0 });
    await world.cli("plugin", "marketplace", "add", ROOT);
    expect(await world.cli("plugin", "install", "swarm-review@swarm")).toMatchObject({ code: 0 });
  });
});
