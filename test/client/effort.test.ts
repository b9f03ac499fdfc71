// An effort in the real client: it outlives sessions and compactions, holds back and lets go, and subagents carry it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import type { Scripts } from "./support/script.ts";
import type { Tui } from "./support/tui.ts";
import { OBSERVER, PLUGIN, TEAMS, type World } from "./support/world.ts";

const bash = (command: string) => ({ name: "Bash", input: { command, description: "a test" } });
const agent = (input: object) => ({
  name: "Agent",
  input: { description: "a test", subagent_type: "general-purpose", ...input },
});
const START = bash("swarm effort start implement --dir work --phase '1: plan'");
const LOG = bash("swarm effort log 'built the form'");

const efforts = (world: World, ...parts: string[]) => join(world.configDir, "swarm/efforts", ...parts);
const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const sessionsOf = (world: World) =>
  readdirSync(efforts(world, "1/sessions"))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .map((name) => json(efforts(world, "1/sessions", name)));
const logOf = (world: World) => readFileSync(join(world.project, "work/1_IMPLEMENT_LOG.md"), "utf8");
const set = (world: World, settings: string) => {
  mkdirSync(join(world.configDir, "swarm"), { recursive: true });
  writeFileSync(join(world.configDir, "swarm/settings.toml"), settings);
};
/** The client takes a command before it empties its prompt: what is typed in between would be added to it. */
const ready = (screen: Tui) => screen.wait(/❯\s*\n\s*─/);

describe.each(CLIENTS)("the %s client", (client) => {
  const world = (scripts: Scripts, more = {}) =>
    aWorld({ client, plugins: [PLUGIN, OBSERVER], scripts, ...more });

  test("an effort started in one session goes on in the next, and in a resumed one", async () => {
    const dehydrate = bash("swarm effort dehydrate 'the form is there' --next 'write tests' --file notes.md");
    const here = await world(
      {
        one: [{ tools: [START] }, { tools: [LOG, dehydrate] }, { text: "see you" }],
        two: [{ text: "I know" }],
        three: [{ text: "still" }],
      },
      { files: { "notes.md": "mind the gap" } },
    );
    await here.print("go [[one]]");
    expect(sessionsOf(here)).toMatchObject([{ number: 1, source: "start", endReason: "other" }]);

    await here.print("go on [[two]]");
    for (const part of [
      "| Session: work | Skill: implement | Phase: 1: plan | Heartbeat: 0/10",
      "Effort 1 goes on here: session 1.2, after 1.1.",
      "## Session Recovery (Dehydrated Context)",
      "the form is there",
      "- write tests",
      "built the form",
      "[Preloaded: notes.md]\nmind the gap",
    ])
      expect(here.seen("two")[0]).toContain(part);

    await here.print("and again [[three]]", ["--continue"]);
    expect(here.seen("three")[0]).toContain("Effort 1 goes on here: session 1.3, after 1.2.");
    expect(sessionsOf(here)).toMatchObject([
      { number: 1 },
      { number: 2, source: "startup", previous: 1 },
      { number: 3, source: "resume", previous: 2 },
    ]);
  });

  test("the tenth call is blocked, the log entry frees it, and the denial says how", async () => {
    const here = await world({
      run: [
        { tools: [START] },
        ...Array.from({ length: 9 }, (_, at) => ({ tools: [bash(`echo call ${at + 1}`)] })),
        { tools: [bash("echo too many")] },
        { tools: [LOG] },
        { tools: [bash("echo free again")] },
        { text: "done" },
      ],
    });
    await here.print("go [[run]]");
    const seen = here.seen("run");
    expect(seen[10]).toContain("<result>call 9</result>");
    expect(seen[11]).toMatch(/<result error>.*heartbeat-block: 10\/10 tool calls without logging/);
    expect(seen[11]).toContain('swarm effort log "');
    expect(seen[12]).toContain("the heartbeat starts again at 0");
    expect(seen[13]).toContain("<result>free again</result>");
    expect(seen.join("\n")).toContain("[Heartbeat 8/10]");
    expect(logOf(here)).toContain("built the form");
  });

  test("calls in one message count each", async () => {
    const many = Array.from({ length: 12 }, (_, at) => bash(`echo call ${at + 1}`));
    const here = await world({ run: [{ tools: [START] }, { tools: many }, { text: "done" }] });
    await here.print("go [[run]]");
    const beats = efforts(here, "windows", sessionsOf(here)[0].client, "main/beats");
    expect(readFileSync(beats, "utf8")).toHaveLength(12);
    expect(here.seen("run")[2]?.match(/heartbeat-block/g)?.length).toBe(2);
  });

  test("a subagent carries the effort: introduced at its start, counted apart, logged by its name", async () => {
    const here = await world({
      lead: [
        { tools: [START] },
        { tools: [agent({ prompt: "please [[sub]]", run_in_background: false })] },
        { text: "over" },
      ],
      sub: [
        { tools: [{ name: "Read", input: { file_path: "/etc/hostname" } }] },
        { tools: [bash("swarm effort log 'looked around'")] },
        { text: "sub is done" },
      ],
    });
    await here.print("go [[lead]]");
    const [seen] = here.seen("sub");
    expect(seen).toContain("This agent works on effort 1: session 1.2, started from 1.1.");
    expect(seen).toContain("template: swarm effort log");
    const sub = { agentType: "general-purpose", previous: 1, endReason: "subagent-stop" };
    expect(sessionsOf(here)).toMatchObject([{ voice: "main" }, { ...sub, loadedFiles: ["/etc/hostname"] }]);
    expect(json(efforts(here, "1/effort.json")).loadedFiles).toEqual(["/etc/hostname"]);
    expect(logOf(here)).toMatch(/· general-purpose\n\nlooked around/);
  });

  test("after /compact and /clear the effort is given back, and what was queued arrives once", async () => {
    const here = await world({
      run: [{ tools: [START] }, { tools: [LOG] }, { text: "hello there" }],
      more: [
        { tools: [bash("swarm effort inject 'mind the tests' --id style")] },
        // The hook after a tool does not hold the turn up: what it says comes with a later request.
        { tools: [bash("sleep 1")] },
        { tools: [bash("sleep 1")] },
        { text: "still here" },
      ],
      clear: [{ text: "clear as day" }],
    });
    const screen = await here.tui();
    await screen.type("go [[run]]");
    await screen.wait(/hello there/);
    await screen.type("/compact");
    await until(() => here.observed("PostCompact").length, { what: "the end of the compaction" });
    await ready(screen);
    await screen.type("on [[more]]");
    await screen.wait(/still here/);
    const compacted = here.seen("more").join("\n");
    expect(compacted).toContain("Effort 1 goes on here: session 1.2, after 1.1.");
    expect(compacted).toContain("(snapshot of the files");
    expect(compacted).toContain("built the form");
    expect(compacted.match(/\[Directive: style\]\nmind the tests/g)).toHaveLength(1);

    await screen.type("/clear");
    await until(() => here.observed("SessionStart").length === 3, { what: "the cleared session" });
    await ready(screen);
    await screen.type("and [[clear]]");
    await screen.wait(/clear as day/);
    expect(here.seen("clear").join("\n")).toContain("Effort 1 goes on here: session 1.3, after 1.2.");
    await screen.exit();
    expect(sessionsOf(here).map((one) => [one.source, one.endReason])).toEqual([
      ["start", "compact"],
      ["compact", "clear"],
      ["clear", "prompt_input_exit"],
    ]);
  });

  test("effort.precompact = block holds one /compact back and lets the next one through", async () => {
    const here = await world({
      run: [{ tools: [START] }, { text: "hello there" }],
      more: [{ text: "told" }],
    });
    set(here, '[effort]\nprecompact = "block"');
    const screen = await here.tui();
    await screen.type("go [[run]]");
    await screen.wait(/hello there/);
    await screen.type("/compact");
    await screen.wait(/is not written down yet/);
    await ready(screen);
    await screen.type("on [[more]]");
    await screen.wait(/told/);
    expect(here.seen("more").join("\n")).toContain("A compaction was held back once");
    expect(here.observed("PostCompact")).toEqual([]);
    await ready(screen);
    await screen.type("/compact");
    await until(() => here.observed("PostCompact").length, { what: "the end of the compaction" });
    await screen.exit();
  });

  test("effort.precompact = kill ends the client before an automatic compaction; the next one goes on", async () => {
    const usage = { input_tokens: 990_000 };
    const here = await world(
      {
        run: [{ tools: [START] }, { tools: [bash("echo full")], usage }, { text: "never said" }],
        next: [{ text: "on it" }],
      },
      { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" } },
    );
    set(here, '[effort]\nprecompact = "kill"');
    const screen = await here.tui();
    await screen.type("go [[run]]");
    await until(() => here.observed("PreCompact").length, { what: "the compaction" });
    await until(() => here.processes().length === 1, { what: "nothing but tmux to be left" });
    expect(here.observed("PreCompact")[0]?.payload).toMatchObject({ trigger: "auto" });
    expect(sessionsOf(here)).toMatchObject([{ endReason: "precompact-kill" }]);
    const prompt = efforts(here, "1/restart.md");
    expect(readFileSync(prompt, "utf8")).toContain("Go on with effort 1 (implement, phase 1: plan)");

    await here.print("go on [[next]]");
    expect(here.seen("next")[0]).toContain("Effort 1 goes on here: session 1.2, after 1.1.");
    expect(existsSync(prompt)).toBe(false);
  });

  test("a nearly full window is shown how to write itself down", async () => {
    const usage = { input_tokens: 920 };
    const full = ["one", "two", "three"].map((word) => ({ tools: [bash(`echo ${word}`)], usage }));
    const here = await world({ run: [{ tools: [START] }, ...full, { text: "done" }] });
    set(here, "[context]\nwindow = 1000");
    await here.print("go [[run]]");
    const seen = here.seen("run").join("\n");
    expect(seen.match(/\[Context 92 %\]/g)).toHaveLength(1);
    expect(seen).toContain('swarm effort dehydrate "');
  });

  test("an in-process teammate has one session of the effort for all its turns", async () => {
    const message = { to: "alice", message: "again [[alice2]]", summary: "again" };
    const here = await world(
      {
        lead: [
          { tools: [START] },
          { tools: [agent({ prompt: "please [[alice]]", name: "alice" })] },
          { text: "waiting" },
        ],
        second: [{ tools: [{ name: "SendMessage", input: message }] }, { text: "sent" }],
        alice: [{ tools: [bash("swarm effort log 'first turn'")] }, { text: "alice is done" }],
        alice2: [{ tools: [bash("swarm effort log 'second turn'")] }, { text: "alice is done again" }],
      },
      { env: TEAMS },
    );
    const screen = await here.tui("--teammate-mode", "in-process");
    await screen.type("go [[lead]]");
    await until(() => here.observed("TeammateIdle").length === 1, { what: "the first turn's end" });
    await screen.type("and [[second]]");
    await until(() => here.observed("TeammateIdle").length === 2, { what: "the second turn's end" });
    expect(sessionsOf(here)).toMatchObject([{ voice: "main" }, { agentType: "alice", previous: 1 }]);
    expect(sessionsOf(here)[1].endedAt).toBeUndefined();
    expect(logOf(here)).toMatch(/· alice\n\nfirst turn[\s\S]*· alice\n\nsecond turn/);
    await screen.exit();
    expect(sessionsOf(here)[1]).toMatchObject({ endReason: "prompt_input_exit" });
  });

  test("/swarm-effort passes its words on untouched", async () => {
    const text = 'it\'s `here`, $HOME and "there" [[slash]]';
    const log = bash(`swarm effort log - <<'SWARM_TEXT'\n${text}\nSWARM_TEXT`);
    const here = await world({
      start: [{ tools: [START] }, { text: "ok" }],
      slash: [{ tools: [log] }, { text: "logged" }],
    });
    await here.print("go [[start]]");
    await here.print(`/swarm-effort log ${text}`);
    expect(here.seen("slash")[0]).toContain(`log ${text}`);
    expect(logOf(here)).toContain(`\n\n${text}\n`);
  });

  test("a session without an effort hears nothing of efforts", async () => {
    const here = await world({ run: [{ tools: [bash("echo hi")] }, { text: "done" }] });
    await here.print("go [[run]]");
    expect(here.seen("run").join("\n")).not.toMatch(/\[Session Context\]|swarm effort |Heartbeat/);
    expect(readdirSync(join(here.configDir, "swarm"))).not.toContain("efforts");
  });
});
