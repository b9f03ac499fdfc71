// Context in the real client: files arrive, warnings come once, the status line shows, the wake-up works.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { run } from "./support/run.ts";
import { recordOf, sessionsOf } from "./support/state.ts";
import { PLUGIN, ROOT, TEAMS } from "./support/world.ts";

const bash = (command: string) => ({ name: "Bash", input: { command, description: "a test" } });
const agent = (input: object) => ({
  name: "Agent",
  input: { description: "a test", subagent_type: "general-purpose", ...input },
});
/** A model takes its time: what runs beside the turn is done before the next call. */
const tokens = (input_tokens: number) => ({ usage: { input_tokens }, delayMs: 1_000 });
const files = {
  ".atm.toml": "[context]\nwindow = 100000\n",
  "Desktop/TODAY.md": "Today we build the printer.\n",
  "Desktop/identity.md": "A calm builder.\n",
  "specs/deep/SYSTEM-SPEC.md": "The printer prints.\n",
  ".claude/roles/builder.md":
    "---\nauto_include:\n  - Desktop/identity.md\n  - ${PROJECT_PATH}/**/SYSTEM-SPEC.md\n---\n# Builder\n",
};
const count = (texts: string[], words: string) => texts.join("\n").split(words).length - 1;

describe.each(CLIENTS)("the %s client", (client) => {
  test("core and role files arrive before the first answer", async () => {
    const world = await aWorld({
      client,
      files,
      env: { CLAUDE_SESSION_ROLE: "builder", MISSION_EXECUTION_ID: "m-7" },
      scripts: { hi: [{ text: "hello" }] },
    });
    await world.print("say [[hi]]");
    const [seen] = world.seen("hi");
    expect(seen).toContain("[CLAUDE OS SYS: INFO]: Session context loaded");
    expect(seen).toContain("## TODAY.MD (daily memory)\nToday we build the printer.");
    expect(seen).toContain("## Desktop/identity.md\nA calm builder.");
    expect(seen).toContain("## specs/deep/SYSTEM-SPEC.md\nThe printer prints.");
    expect(seen).toContain("Mission: m-7");
  });

  test("each level is said once, by tool and by stop, and the turn goes on for it", async () => {
    const world = await aWorld({
      client,
      files,
      scripts: {
        work: [
          { tools: [bash("echo one")], ...tokens(61_000) },
          { tools: [bash("echo two")], ...tokens(62_000) },
          { tools: [bash("echo three")], ...tokens(63_000) },
          { text: "The printer is built.", ...tokens(83_000) },
          { text: "notes written", ...tokens(84_000) },
        ],
      },
    });
    expect(await world.print("go [[work]]")).toMatchObject({ stdout: "notes written\n" });
    const seen = world.seen("work");
    expect(count(seen, "Context at 60% - Consider writing reset notes soon")).toBe(1);
    expect(seen.at(-1)).toContain("[CLAUDE OS SYS: WARNING]: Context at 80%");
    expect(count(seen, "Context at 80%")).toBe(1);
  });

  test("90 and 95 are said once each as well, whatever stands between them", async () => {
    const world = await aWorld({
      client,
      files,
      scripts: {
        work: [
          { tools: [bash("echo one")], ...tokens(91_000) },
          { tools: [bash("echo two")], ...tokens(92_000) },
          { tools: [bash("echo three")], ...tokens(96_000) },
          { tools: [bash("echo four")], ...tokens(97_000) },
          { text: "state written", ...tokens(98_000) },
          { text: "state written", ...tokens(98_000) },
        ],
      },
    });
    expect(await world.print("go [[work]]")).toMatchObject({ stdout: "state written\n" });
    const seen = world.seen("work");
    expect(count(seen, "Context at 90% - URGENT\nStop the task and write down the minimal state.")).toBe(1);
    expect(count(seen, "Context at 95% - CRITICAL\nEmergency reset immediately")).toBe(1);
    expect(count(seen, "Context at")).toBe(2);
  });

  test("two minutes without a status bring one reminder, and a status none", async () => {
    const remind = `Consider setting a session status with status("what you're working on")`;
    const again = Array.from({ length: 3 }, () => ({ text: "still here" }));
    const world = await aWorld({
      client,
      files,
      scripts: {
        hi: [{ text: "hello" }],
        more: again,
        set: [{ tools: [bash('swarm status set "building the printer"')] }, { text: "status is set" }],
      },
    });
    /** As if it had begun three minutes ago. */
    const age = () => {
      for (const record of sessionsOf(world)) {
        const startedAt = new Date(Date.now() - 180_000).toISOString();
        writeFileSync(recordOf(world, record.session), JSON.stringify({ ...record, startedAt }));
      }
    };
    const said = () => count([...world.seen("hi"), ...world.seen("more")], remind);
    const screen = await world.tui();
    await screen.type("hi [[hi]]");
    await screen.wait(/hello/);
    expect(said()).toBe(0);
    await until(() => sessionsOf(world)[0]?.["state"] === "idle", { what: "the turn's end on record" });
    age();
    await screen.type("one [[more]]");
    await until(() => said() > 0, { what: "the reminder" });
    await screen.type("two [[more]]");
    await until(() => world.seen("more").length > 1, { what: "the next turn" });
    expect(said()).toBe(1);
    await screen.exit();

    const other = await world.tui();
    await other.type("go [[set]]");
    await other.wait(/status is set/);
    await until(() => sessionsOf(world).some((one) => one["statusText"]), { what: "the status on record" });
    age();
    await other.type("three [[more]]");
    await until(() => world.seen("more").length > 2, { what: "the last turn" });
    expect(said()).toBe(1);
    await other.exit();
  });

  test("after a compaction a level is said again", async () => {
    const full = tokens(61_000);
    const fill = [
      { tools: [bash("echo one")], ...full },
      { tools: [bash("echo two")], ...full },
    ];
    const end = [
      { text: "turn over", ...full },
      { text: "turn over", ...full },
    ];
    const world = await aWorld({
      client,
      files,
      scripts: { first: [...fill, ...end], second: [...fill, ...end] },
    });
    const screen = await world.tui();
    const said = (script: string) =>
      world
        .seen(script)
        .join("\n")
        .match(/Context at 60%|Memory check \(60%/g)?.length;
    await screen.type("go [[first]]");
    await until(() => said("first"), { what: "the first warning" });
    await screen.wait(/turn over/);
    await screen.type("/compact");
    await screen.wait(/Compacted/);
    await screen.type("go [[second]]");
    await until(() => said("second"), { what: "the second warning" });
    await screen.exit();
    expect([said("first"), said("second")]).toEqual([1, 1]);
  });

  test("a background session is asked to ping, once", async () => {
    const world = await aWorld({
      client,
      env: { CLAUDE_SESSION_MODE: "background" },
      scripts: { hi: [{ text: "hello" }, { text: "pinged" }] },
    });
    expect(await world.print("say [[hi]]")).toMatchObject({ stdout: "pinged\n" });
    expect(world.seen("hi")[1]).toContain("[CLAUDE OS SYS: INFO]: Reminder - Ping before ending");
  });

  test("the status line shows, tells the hooks the window, and the filling is said once", async () => {
    const world = await aWorld({
      client,
      env: { CLAUDE_CODE_TEAM_NAME: "printers", CLAUDE_CODE_AGENT_NAME: "team-lead" },
      settings: { cleanupPeriodDays: 99, statusLine: { type: "command", command: "echo MY-OWN-LINE" } },
      scripts: {
        install: [{ tools: [bash("swarm statusline install")] }, { text: "installed" }],
        fill: [{ text: "filled", ...tokens(640_000) }],
        more: [{ text: "still here" }],
      },
    });
    await world.print("go [[install]]");
    expect(world.seen("install")[1]).toContain("Your own line goes on above it: echo MY-OWN-LINE");
    const settings = JSON.parse(readFileSync(join(world.configDir, "settings.json"), "utf8"));
    expect(settings).toMatchObject({
      cleanupPeriodDays: 99,
      statusLine: { command: expect.stringContaining("statusline.cjs") },
    });

    const screen = await world.tui();
    await screen.type("go [[fill]]");
    await screen.wait(/MY-OWN-LINE[\s\S]*team-lead@printers · context \d+%/);
    await screen.type("on [[more]]");
    await screen.wait(/still here/);
    const seen = [...world.seen("fill"), ...world.seen("more")];
    expect(count(seen, "[CLAUDE OS SYS: INFO]")).toBe(1);
    expect(seen.join("\n")).toMatch(/Context at 60% - Consider|Memory check \(60% context used\)/);
    await screen.exit();
  });

  test("the line that `swarm wake` types into the pane becomes the summary of what finished", async () => {
    const world = await aWorld({
      client,
      env: TEAMS,
      scripts: {
        lead: [
          { tools: [agent({ prompt: "please [[sub]]", run_in_background: false })] },
          { text: "waiting" },
        ],
        sub: [{ text: "The spec is written." }],
      },
    });
    const screen = await world.tui();
    await screen.type("go [[lead]]");
    await screen.wait(/waiting/);
    const session = world.model.requests.find(({ script }) => script === "lead")?.session ?? "";
    const wake = () =>
      run(process.execPath, [join(ROOT, "plugin/bin/swarm"), "wake", session], {
        cwd: world.project,
        env: world.env,
      });
    await until(() => world.seen("sub").length, { what: "the subagent" });
    await until(async () => (await wake()).code === 0, { what: "the session to be idle", everyMs: 500 });
    const summary = await until(() => world.seen("lead").find((text) => text.includes("📬")), {
      what: "the summary",
    });
    expect(summary).toContain("📬 1 task(s) completed and ready for review:");
    expect(summary).toMatch(/• a[0-9a-f]{16} \(general-purpose\) - The spec is written\. \[just now\]/);
    await screen.exit();
  });

  test("/swarm-statusline is known by its bare name, with its argument", async () => {
    const world = await aWorld({ client, scripts: { go: [{ text: "ok" }] } });
    await world.print("/swarm-statusline remove [[go]]");
    expect(world.seen("go")[0]).toContain("<arguments>\nremove [[go]]\n</arguments>");
  });

  test("a teammate inside the session is warned by its own use, and the lead is notified", async () => {
    const world = await aWorld({
      client,
      plugins: [PLUGIN],
      env: TEAMS,
      files,
      scripts: {
        lead: [{ tools: [agent({ prompt: "please [[alice]]", name: "alice" })] }, { text: "waiting" }],
        alice: [
          { tools: [bash("echo a")], ...tokens(82_000) },
          { tools: [bash("echo b")], ...tokens(83_000) },
          { text: "alice is done", ...tokens(84_000) },
        ],
      },
    });
    const screen = await world.tui("--teammate-mode", "in-process");
    await screen.type("go [[lead]]");
    const notices = () =>
      world.model.requests.some(({ body }) => JSON.stringify(body.messages).includes("alice has used 8"));
    await until(notices, { what: "the note in the lead's conversation" });
    const warned = () => count(world.seen("alice"), "Context at 80%");
    await until(warned, { what: "the warning in the teammate's" });
    expect(warned()).toBe(1);
    expect(world.seen("lead").join("\n")).not.toContain("Context at");
    await screen.exit();
  });
});
