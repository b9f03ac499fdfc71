// Swarm in the real client: what it promises on paper arrives at the model and on the disk, on both clients.
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { agentsInside, errorsOf, sessionsOf } from "./support/state.ts";
import { agent, bash, sendMessage } from "./support/tools.ts";
import { TEAMS, type World } from "./support/world.ts";

const ATM = `[core]
default_team = "atm-dev"
identity = "team-lead"
welcome-message = "Read docs/project-plan.md before starting"
`;
const SCRUM_MASTER = "---\nname: scrum-master\ndescription: Leads a sprint\n---\nLead the sprint.\n";

const sessionIn = (world: World, script: string) =>
  world.model.requests.findLast((request) => request.script === script)?.session;

describe.each(CLIENTS)("the %s client", (client) => {
  test("a new session gets its id, and its end is on record", async () => {
    const world = await aWorld({ client, scripts: { hi: [{ text: "hello there" }] } });
    expect(await world.print("say [[hi]]")).toEqual({ code: 0, stdout: "hello there\n", stderr: "" });

    const session = sessionIn(world, "hi");
    expect(world.seen("hi")[0]).toContain(`SESSION_ID=${session} (starting fresh)`);
    expect(sessionsOf(world)).toEqual([
      expect.objectContaining({ session, kind: "solo", endReason: "other", endedAt: expect.any(String) }),
    ]);
    expect(errorsOf(world)).toBe("");
  });

  test("a project with .atm.toml adds its team and its welcome", async () => {
    const world = await aWorld({ client, files: { ".atm.toml": ATM }, scripts: { hi: [{ text: "hello" }] } });
    await world.print("say [[hi]]");
    expect(world.seen("hi")[0]).toMatch(
      /SESSION_ID=\S+ \(starting fresh\)\nATM team: atm-dev\nWelcome: Read docs\/project-plan.md before starting/,
    );
  });

  test("an orchestrator without a name is not spawned", async () => {
    const world = await aWorld({
      client,
      files: { ".atm.toml": ATM, ".claude/agents/scrum-master.md": SCRUM_MASTER },
      scripts: {
        lead: [
          { tools: [agent({ prompt: "please [[sprint]]", subagent_type: "scrum-master" })] },
          { text: "understood" },
        ],
        sprint: [{ text: "the sprint has begun" }],
      },
    });
    await world.print("go [[lead]]");
    expect(world.seen("lead")[1]).toMatch(
      /<result error>.*BLOCKED: 'scrum-master' is an orchestrator and must be a named teammate\./,
    );
    expect(world.seen("sprint")).toEqual([]);
  });

  test("a screen session compacts, clears and leaves, and gets its id each time", async () => {
    const world = await aWorld({
      client,
      scripts: {
        run: [{ tools: [bash("echo enough to compact")] }, { text: "first answer" }],
        more: [{ text: "second answer" }],
        anew: [{ text: "third answer" }],
      },
    });
    const screen = await world.tui();
    await screen.type("go [[run]]");
    await screen.wait(/first answer/);
    const session = sessionIn(world, "run");

    await screen.type("/compact");
    await screen.wait(/Compacted/);
    await screen.type("on [[more]]");
    await screen.wait(/second answer/);
    expect(world.conversation("more")).toContain(`SESSION_ID=${session} (returning from compact)`);

    await screen.type("/clear");
    await until(() => !screen.screen().includes("second answer"), { what: "an empty screen" });
    await screen.type("again [[anew]]");
    await screen.wait(/third answer/);
    const next = sessionIn(world, "anew");
    expect(next).not.toBe(session);
    expect(world.conversation("anew")).toContain(`SESSION_ID=${next} (starting fresh)`);

    await screen.exit();
    expect(sessionsOf(world)).toContainEqual(
      expect.objectContaining({ session: next, endReason: "prompt_input_exit", endedAt: expect.any(String) }),
    );
    expect(errorsOf(world)).toBe("");
  });

  test("nothing keeps running after a session", async () => {
    const world = await aWorld({ client, scripts: { run: [{ tools: [bash("true")] }, { text: "done" }] } });
    await world.print("go [[run]]");
    await until(() => world.processes().length === 0, { what: "every process to end", ms: 5_000 });
  });

  describe("native teammates are known by name and team", () => {
    const scripts = {
      lead: [{ tools: [agent({ prompt: "please [[alice]]", name: "alice" })] }, { text: "waiting" }],
      alice: [{ tools: [sendMessage("team-lead", "a report")] }, { text: "alice is done" }],
    };
    const team = expect.stringMatching(/^session-[0-9a-f]{8}$/);

    test("in the lead's own process", async () => {
      const world = await aWorld({ client, env: TEAMS, scripts });
      const screen = await world.tui("--teammate-mode", "in-process");
      await screen.type("go [[lead]]");
      await until(() => world.seen("lead")[2], { what: "the report", onTimeout: screen.screen });

      const session = sessionIn(world, "lead") ?? "";
      expect(sessionsOf(world)).toEqual([
        expect.objectContaining({ session, kind: "lead", agent: "team-lead", team }),
      ]);
      expect(agentsInside(world, session)).toEqual([
        expect.objectContaining({ kind: "in-process", agent: "alice", team, evidence: ["payload agent_id"] }),
      ]);
      expect(errorsOf(world)).toBe("");
    });

    test("in a pane of its own", async () => {
      const world = await aWorld({ client, env: TEAMS, scripts });
      const screen = await world.tui("--teammate-mode", "tmux");
      await screen.type("go [[lead]]");
      await until(() => world.seen("lead")[2], { what: "the report", onTimeout: screen.screen });

      const records = sessionsOf(world);
      expect(records.find(({ session }) => session === sessionIn(world, "lead"))).toMatchObject({
        kind: "lead",
        agent: "team-lead",
        team,
      });
      expect(records.find(({ session }) => session === sessionIn(world, "alice"))).toMatchObject({
        kind: "pane",
        agent: "alice",
        team,
        pane: "%1",
        evidence: ["client command line"],
      });
      expect(errorsOf(world)).toBe("");
    });
  });
});
