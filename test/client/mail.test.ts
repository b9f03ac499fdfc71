// Mail between real clients: named teammates, each a process of its own, that sleep until somebody writes.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import {
  aHarbour,
  asleep,
  jsonOf,
  mailOf,
  named,
  shown,
  TEAM,
  teamFile,
  timesShown,
  wakeUp,
  wordsFor,
  writeByHand,
} from "./support/a-harbour.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS, clientBinary } from "./support/clients.ts";
import type { Script } from "./support/script.ts";
import { newsOf } from "./support/seen.ts";
import { agent, bash, sendMessage } from "./support/tools.ts";
import type { Tui } from "./support/tui.ts";
import { PLUGIN, TEAMS } from "./support/world.ts";

describe.each(CLIENTS)("the %s client", (client) => {
  test("`swarm send` wakes an idle teammate within three seconds, and the answer comes back the same way", async () => {
    const world = await aHarbour(client, {
      tell: [{ tools: [bash('swarm send bob "please [[pong]]"')] }, { text: "told" }],
      pong: [{ tools: [bash('swarm send alice "the answer is 42 [[thanks]]"')] }, { text: "answered" }],
      thanks: [{ text: "thank you" }],
    });
    await asleep(world, "bob");
    const alice = await asleep(world, "alice");
    await alice.type("go [[tell]]");
    expect(await wakeUp(world, "pong", "bob")).toBeLessThan(3_000);
    expect(await wakeUp(world, "thanks", "alice")).toBeLessThan(3_000);

    const head = "# Team Updates for bob\n\n## Unread Messages (1)\n\n<message>\n  <from>alice</from>\n";
    expect(world.seen("pong")[0]).toContain(head);
    await until(() => mailOf(world, "bob")[0]?.state === "answered", { what: "the message to be answered" });
    expect([timesShown(world, "[[pong]]"), timesShown(world, "[[thanks]]")]).toEqual([1, 1]);
  });

  test("so do a slash command and the format of Claude Swarm hooks written by hand", async () => {
    const text = `by slash command, it's "$HOME" [[first]]`;
    const world = await aHarbour(client, {
      slash: [
        { tools: [bash(`swarm send bob --file - <<'SWARM_TEXT'\n${text}\nSWARM_TEXT`)] },
        { text: "sent" },
      ],
      first: [{ text: "got the first" }],
      second: [{ text: "got the second" }],
    });
    const bob = await asleep(world, "bob");
    const alice = await asleep(world, "alice");
    await alice.type("/swarm-send bob a word [[slash]]");
    expect(await wakeUp(world, "first", "bob")).toBeLessThan(3_000);
    expect(world.seen("slash")[0]).toContain("bob a word [[slash]]");
    expect(world.seen("first")[0]).toContain(text);
    await bob.wait(/got the first/);

    writeByHand(world, "bob", "team-lead", "by hand [[second]]", mailOf(world, "bob"));
    expect(await wakeUp(world, "second", "bob")).toBeLessThan(3_000);
    await bob.wait(/got the second/);
    expect([timesShown(world, "[[first]]"), timesShown(world, "[[second]]")]).toEqual([1, 1]);
  });

  test("/swarm-broadcast and /swarm-inbox answer to their bare names", async () => {
    const world = await aHarbour(client, {
      cast: [
        { tools: [bash("swarm broadcast --file - <<'SWARM_TEXT'\nlunch is ready\nSWARM_TEXT")] },
        { text: "over" },
      ],
      look: [{ tools: [bash("swarm inbox")] }, { text: "over" }],
    });
    await world.print("/swarm-broadcast lunch is ready [[cast]]", named("bob"));
    expect(world.seen("cast")[0]).toContain("<request>\nlunch is ready [[cast]]\n</request>");
    expect(world.seen("cast")[1]).toMatch(/to 4 of 4: team-lead, alice, carol, dave/);
    await world.print("/swarm-inbox --peek [[look]]", named("carol"));
    expect(world.seen("look")[0]).toContain("<content>lunch is ready</content>");
    expect(world.seen("look")[1]).toContain("no unread mail (1 read; --all shows them)");
  });

  test("a session that gets its mailbox after it has started is woken as well", async () => {
    // What `swarm create` and `swarm join` do to the record of the session they are called from.
    const mailbox = { team: TEAM, agent: "team-lead", isLead: true, kind: "lead" };
    const take = [
      'const fs = require("fs"), { CLAUDE_CONFIG_DIR: dir, CLAUDE_CODE_SESSION_ID: id } = process.env',
      "const file = dir + '/swarm/sessions/' + id + '/session.json'",
      `fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file)), ...${JSON.stringify(mailbox)} }))`,
    ].join(";");
    const world = await aHarbour(client, {
      join: [
        { tools: [bash(`node <<'EOF'\n${take}\nEOF`)] },
        { tools: [bash("sleep 2")] },
        { text: "seated" },
      ],
      report: [{ text: "read the report" }],
    });
    const lead = await world.tui();
    await lead.type("join the team [[join]]");
    await lead.wait(/seated/);
    writeByHand(world, "team-lead", "bob", "done [[report]]");
    expect(await wakeUp(world, "report", "team-lead")).toBeLessThan(5_000); // a lead's mail is gathered for 1.5 s
    await lead.wait(/read the report/);
  });

  test("a busy teammate gets it within the same turn, once", async () => {
    const world = await aHarbour(client, {
      work: [...Array.from({ length: 6 }, () => ({ tools: [bash("sleep 1")] })), { text: "work done" }],
    });
    const bob = await asleep(world, "bob");
    await bob.type("go [[work]]");
    await until(() => world.seen("work").length > 1, { what: "bob to be busy" });
    writeByHand(world, "bob", "alice", "while you work");
    await bob.wait(/work done/);
    const step = world.seen("work").findIndex((text) => text.includes("while you work"));
    expect(step).toBeGreaterThan(0);
    expect(step).toBeLessThan(7);
    expect(timesShown(world, "while you work")).toBe(1);
  });

  test("in -p, where nothing watches, it comes with the next tool call; what came too late waits for the next start", async () => {
    const world = await aHarbour(client, {
      run: [
        { tools: [bash('swarm send bob "note to self"')] },
        { tools: [bash("echo second")] },
        { tools: [bash("true")] },
        { text: "over" },
      ],
    });
    expect(await world.print("go [[run]]", named("bob"))).toMatchObject({ code: 0, stdout: "over\n" });
    const isNote = (text: string) => text.includes("<content>note to self</content>");
    expect(world.seen("run").findIndex(isNote)).toBe(2);
    expect(timesShown(world, "note to self")).toBe(1);

    writeByHand(world, "bob", "alice", "are you up?");
    await world.print("hi again [[hi]]", named("bob"));
    expect(world.seen("hi").at(-1)).toContain("<content>are you up?</content>");
  });

  test("mail before stopping makes the agent go on, and only then its last words go to the lead", async () => {
    const world = await aHarbour(client, {
      last: [{ tools: [bash("true")] }, { text: "first end", delayMs: 1_500 }, { text: "second end" }],
    });
    const running = world.print("go [[last]]", named("bob"));
    await until(() => world.seen("last").length > 1, { what: "the last step", everyMs: 20 });
    writeByHand(world, "bob", "alice", "one more thing");
    expect((await running).stdout).toBe("second end\n");
    expect(world.seen("last")[2]).toContain("<content>one more thing</content>");
    expect(wordsFor(world, "team-lead")).toEqual([
      "[report] second end",
      "bob session ended cleanly. Check task status for any incomplete work.",
    ]);
  });

  test("a gate that stops the agent does not stop its mail: a denied call and a held stop bring it along", async () => {
    const world = await aHarbour(client, {
      held: [{ text: "first end", delayMs: 1_500 }, { text: "second end" }],
      denied: [{ tools: [bash("rm -rf /")], delayMs: 1_500 }, { text: "understood" }, { text: "pinged" }],
    });
    world.env["CLAUDE_SESSION_MODE"] = "background";
    const meanwhile = async (script: string, name: string) => {
      const running = world.print(`go [[${script}]]`, named(name));
      await until(() => world.seen(script).length > 0, { what: script, everyMs: 20 });
      writeByHand(world, name, "alice", "one more thing");
      await running;
      return world.seen(script)[1];
    };
    const ending = await meanwhile("held", "bob");
    expect(ending).toContain("Reminder - Ping before ending");
    expect(ending).toContain("<content>one more thing</content>");
    const denial = await meanwhile("denied", "carol");
    expect(denial).toContain("rule delete-root");
    expect(denial).toContain("<content>one more thing</content>");
    expect(timesShown(world, "one more thing")).toBe(2);
  });

  test("a client started from a member's own Bash tool neither reads its mail nor speaks in its name", async () => {
    const binary = await clientBinary(client);
    const child = `'${binary}' -p 'I am a child [[child]]' --permission-mode bypassPermissions --plugin-dir '${PLUGIN}'`;
    const world = await aHarbour(
      client,
      {
        parent: [
          { tools: [bash(`swarm send bob 'for bob alone' && ${child}`)] },
          { tools: [bash("true")] },
          { text: "parent done" },
        ],
        child: [{ tools: [bash("true")] }, { text: "child done" }],
      },
      { "../home/.claude/swarm/settings.toml": '[mail]\ndeliver = ["start", "prompt", "tool", "stop"]\n' },
    );
    const bob = await asleep(world, "bob");
    await bob.type("go [[parent]]");
    await bob.wait(/parent done/);
    expect(world.seen("child").length).toBe(2);
    expect(world.seen("child").join("\n")).not.toContain("for bob alone");
    expect(world.seen("parent").join("\n")).toContain("<content>for bob alone</content>");
    await until(() => mailOf(world, "team-lead").length > 1, { what: "bob's report" });
    expect(wordsFor(world, "team-lead")).toEqual(["[report] hello there", "[report] parent done"]);
  });

  test("a teammate that was killed is named to the lead at its next start; after /clear the lead knows its role", async () => {
    const world = await aHarbour(client, { more: [{ text: "still the lead" }] });
    await asleep(world, "bob");
    const bob = jsonOf(teamFile(world, "config.json")).members.find(
      ({ name }: { name: string }) => name === "bob",
    );
    process.kill(bob.pid, "SIGKILL");
    const lead = await asleep(world, "team-lead");
    // The lead's own start closes the record of the dead process before it looks at its members.
    expect(world.seen("hi").at(-1)).toMatch(
      /## Crashed, now marked offline \(1\)\n\n- bob: (its session ended at|process \d+ has ended)/,
    );
    await lead.type("/clear");
    await lead.type("who am I? [[more]]");
    await lead.wait(/still the lead/);
    const news = world.seen("more")[0];
    expect(news).toContain(`You are team-lead, the lead of team '${TEAM}'.`);
    expect(news).toContain("- bob: offline");
  });

  test("two hundred messages between four agents: none lost, none twice, each sender's order kept", async () => {
    const crew = ["alice", "bob", "carol", "dave"];
    const each = 17;
    const flood = (from: string): Script => {
      const others = crew.filter((name) => name !== from).join(" ");
      const send = `swarm send $to "${from} to $to $i" > /dev/null || echo "lost $to $i"`;
      return [{ tools: [bash(`for i in $(seq 1 ${each}); do for to in ${others}; do ${send}; done; done`)] }];
    };
    const world = await aHarbour(
      client,
      Object.fromEntries(crew.map((name) => [`flood-${name}`, flood(name)])),
    );
    const screens: [string, Tui][] = [];
    for (const name of crew) screens.push([name, await asleep(world, name)]);
    for (const [name, screen] of screens) await screen.type(`go [[flood-${name}]]`);
    const count = crew.length * (crew.length - 1) * each;
    const onTimeout = () => `${shown(world).length} shown`;
    await until(() => shown(world).length >= count, {
      what: `${count} messages`,
      ms: 150_000,
      everyMs: 500,
      onTimeout,
    });
    await until(() => crew.every((name) => mailOf(world, name).every(({ read }) => read)), {
      what: "every mark",
    });
    const texts = shown(world);
    for (const from of crew)
      for (const to of crew.filter((name) => name !== from))
        expect(texts.filter((text) => text.startsWith(`${from} to ${to} `))).toEqual(
          Array.from({ length: each }, (_, n) => `${from} to ${to} ${n + 1}`),
        );
    expect(world.model.requests.map(({ body }) => newsOf(body)).join("\n")).not.toContain("lost ");
  }, 240_000);

  test.each(["in-process", "tmux"])(
    "a native team (%s) is left to the client: nothing doubles, and the last words arrive",
    async (mode) => {
      const world = await aWorld({
        client,
        env: TEAMS,
        scripts: {
          lead: [{ tools: [agent({ prompt: "please [[alice]]", name: "alice" })] }, { text: "waiting" }],
          alice: [{ tools: [sendMessage("team-lead", "a word from alice")] }, { text: "alice has finished" }],
        },
      });
      const screen = await world.tui("--teammate-mode", mode);
      await screen.type("go [[lead]]");
      const times = (text: string) => world.seen("lead").join("\n").split(text).length - 1;
      const both = () => times("a word from alice") > 0 && times("alice has finished") > 0;
      await until(both, { what: "both to arrive", onTimeout: () => world.seen("lead").join("\n") });
      // What came a second time would come with the client's next look, a second later.
      await pause(2_500);
      expect([times("a word from alice"), times("alice has finished")]).toEqual([1, 1]);
      expect(
        readdirSync(join(world.configDir, "teams")).filter((name) => !/^session-[0-9a-f]{8}/.test(name)),
      ).toEqual([]);
      await screen.exit();
    },
  );
});
