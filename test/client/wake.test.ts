// Sleep and waking, again and again: the client's watch, its queue and its own ways to end a turn must never leave mail waiting.
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { aHarbour, asleep, mailOf, named, shown, writeByHand } from "./support/a-harbour.ts";
import { CLIENTS } from "./support/clients.ts";
import { run } from "./support/run.ts";
import { bash } from "./support/tools.ts";
import { ROOT, type World } from "./support/world.ts";

/** From another shell, in another member's name. */
const send = (world: World, to: string, text: string) =>
  run("node", [`${ROOT}/plugin/bin/swarm`, "send", to, text], {
    cwd: world.project,
    env: { ...world.env, CLAUDE_CODE_TEAM_NAME: "harbour", CLAUDE_CODE_AGENT_NAME: "alice" },
  });

const isShown = (world: World, text: string) => shown(world).includes(text);

describe.each(CLIENTS)("the %s client", (client) => {
  test("twelve times woken, by `swarm send` and by hand: within three seconds, one turn each, nothing twice", async () => {
    const world = await aHarbour(client, {});
    const bob = await asleep(world, "bob");
    const before = world.model.requests.length;
    for (let n = 1; n <= 12; n++) {
      const text = `number ${n}`;
      await until(() => !bob.screen().includes("esc to interrupt"), { what: "bob to sleep" });
      if (n % 2) await send(world, "bob", text);
      else writeByHand(world, "bob", "alice", text, mailOf(world, "bob"));
      const written = Date.now();
      await until(() => isShown(world, text), { what: text, ms: 10_000, everyMs: 20 });
      expect(Date.now() - written).toBeLessThan(3_000);
      await pause(400 * (n % 4)); // also right after the turn, when the client is just asked to watch anew
    }
    await pause(2_500);
    expect(shown(world)).toEqual(Array.from({ length: 12 }, (_, n) => `number ${n + 1}`));
    const asked = world.model.requests.slice(before).filter(({ script }) => script !== "#side");
    expect(asked).toHaveLength(12);
  });

  test("a stream of mail does not keep it asleep", async () => {
    const world = await aHarbour(client, {});
    await asleep(world, "bob");
    let streaming = true;
    const sent: string[] = [];
    const stream = (async () => {
      while (streaming) {
        sent.push(`drop ${sent.length}`);
        await send(world, "bob", sent.at(-1) ?? "");
      }
    })();
    onTestFinished(async () => {
      streaming = false;
      await stream;
    });
    await until(() => shown(world).length > 0, { what: "the first", ms: 15_000, everyMs: 20 });
    const waited = sent.length;
    streaming = false;
    await stream;
    await until(() => shown(world).length >= sent.length, { what: "the rest" });
    expect(waited).toBeGreaterThan(1); // more came before it woke
    expect(shown(world)).toEqual(sent);
  });

  test("who interrupts a turn ends it: mail wakes again", async () => {
    const world = await aHarbour(client, { long: [{ tools: [bash("tail -f /dev/null")] }] });
    const bob = await asleep(world, "bob");
    await bob.type("go [[long]]");
    await bob.wait(/tail -f/);
    await until(() => bob.screen().includes("esc to interrupt"), { what: "bob to be busy" });
    bob.keys("Escape");
    await until(() => !bob.screen().includes("esc to interrupt"), { what: "the turn to be over" });
    await send(world, "bob", "are you there?");
    await until(() => isShown(world, "are you there?"), { what: "the message", ms: 10_000 });
  });

  test.each([
    ["at the permission prompt", "default", { name: "Write", input: { file_path: "x", content: "x" } }],
    ["while it runs", "bypassPermissions", bash("tail -f /dev/null")],
  ])("mail that came with a call which a person breaks off %s is not lost", async (when, mode, tool) => {
    const world = await aHarbour(client, {
      work: [{ tools: [tool], delayMs: 2_000 }],
      next: [{ text: "next done" }],
    });
    const bob = await world.tui(...named("bob"), "--permission-mode", mode);
    await bob.type("go [[work]]");
    await until(() => world.seen("work").length > 0, { what: "bob to be busy" });
    writeByHand(world, "bob", "alice", "with the call");
    await until(() => mailOf(world, "bob")[0]?.state === "shown", { what: "the call" });
    await bob.wait(when === "while it runs" ? /tail -f/ : /Do you want to create/);
    bob.keys("Escape");
    await until(() => !/esc to interrupt|Do you want/.test(bob.screen()), { what: "the turn to be over" });
    expect(isShown(world, "with the call")).toBe(false);
    await bob.type("next [[next]]");
    await bob.wait(/next done/);
    expect(shown(world)).toEqual(["with the call"]);
  });

  test("a turn that an error ended leaves nothing waiting that came while it ran", async () => {
    const broken = { error: { status: 401, type: "authentication_error", message: "no" }, delayMs: 1_500 };
    const world = await aHarbour(client, { broken: [broken] });
    const bob = await asleep(world, "bob");
    await bob.type("go [[broken]]");
    await until(() => world.seen("broken").length > 0, { what: "bob to be busy" });
    await send(world, "bob", "meanwhile");
    await until(() => isShown(world, "meanwhile"), {
      what: "the message",
      ms: 60_000,
      onTimeout: bob.screen,
    });
  });

  test("a prompt that is typed while mail arrives brings it along, once", async () => {
    const world = await aHarbour(client, { more: [{ text: "and more" }] });
    const bob = await asleep(world, "bob");
    const sending = send(world, "bob", "at the same time");
    await bob.type("more [[more]]");
    await sending;
    await until(() => isShown(world, "at the same time"), { what: "the message", ms: 10_000 });
    await pause(2_500);
    expect(shown(world)).toEqual(["at the same time"]);
    expect(mailOf(world, "bob").every(({ read }) => read)).toBe(true);
  });
});
