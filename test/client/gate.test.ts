// The spawn gate in the real client: what it denies is really not spawned, on both clients and in both display modes.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { errorsOf } from "./support/state.ts";
import { agent } from "./support/tools.ts";
import { TEAMS, type World } from "./support/world.ts";

const ATM = '[core]\ndefault_team = "atm-dev"\nidentity = "team-lead"\n';
const SCRUM_MASTER = "---\nname: scrum-master\ndescription: Leads a sprint\n---\nLead the sprint.\n";
const MODES = ["in-process", "tmux"];

const never = [{ text: "this must not run" }];

const linesOf = (path: string): any[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

function roster(world: World): string[] {
  const teams = join(world.configDir, "teams");
  const team = readdirSync(teams).find((name) => /^session-[0-9a-f]{8}$/.test(name)) ?? "";
  const { members } = JSON.parse(readFileSync(join(teams, team, "config.json"), "utf8"));
  return members.map((member: { name: string }) => member.name);
}

function spawnsOf(world: World): any[] {
  const dir = join(world.configDir, "swarm", "spawns");
  return existsSync(dir) ? readdirSync(dir).flatMap((name) => linesOf(join(dir, name))) : [];
}

describe.each(CLIENTS)("the %s client", (client) => {
  test.each(MODES)("%s: each rule stops its spawn and lets the right one pass", async (mode) => {
    const world = await aWorld({
      client,
      env: TEAMS,
      files: { ".atm.toml": ATM, ".claude/agents/scrum-master.md": SCRUM_MASTER },
      scripts: {
        lead: [
          { tools: [agent({ subagent_type: "scrum-master", prompt: "please [[sprint]]" })] },
          { tools: [agent({ name: "wendy", team_name: "wrong-team", prompt: "please [[wendy]]" })] },
          { tools: [agent({ name: "alice", team_name: "atm-dev", prompt: "please [[alice]]" })] },
          { text: "waiting" },
        ],
        alice: [
          { tools: [agent({ name: "carol", prompt: "please [[carol]]" })] },
          { tools: [agent({ prompt: "please [[helper]]" })] },
          { text: "alice is done" },
        ],
        nest: [{ tools: [agent({ prompt: "please [[sub]]" })] }, { text: "nested" }],
        sub: [{ tools: [agent({ name: "dave", prompt: "please [[dave]]" })] }, { text: "sub is done" }],
        helper: [{ text: "helped" }],
        sprint: never,
        wendy: never,
        carol: never,
        dave: never,
      },
    });
    const screen = await world.tui("--teammate-mode", mode);
    await screen.type("go [[lead]]");
    await until(() => world.seen("alice")[2], { what: "alice's last step", onTimeout: screen.screen });
    await until(() => world.seen("helper")[0], { what: "alice's helper" });
    await screen.type("go [[nest]]");
    await until(() => world.seen("sub")[1], { what: "the subagent's last step", onTimeout: screen.screen });

    const lead = world.seen("lead");
    expect(lead[1]).toMatch(
      /<result error>.*BLOCKED: 'scrum-master' is an orchestrator and must be a named/s,
    );
    expect(lead[2]).toMatch(/<result error>.*BLOCKED: team_name must match .atm.toml core.default_team./s);
    expect(lead[3]).not.toContain("BLOCKED");
    const blocked = /<result error>.*BLOCKED: Only the team lead can spawn named teammates\./s;
    expect(world.seen("alice")[1]).toMatch(blocked);
    expect(world.seen("alice")[1]).toContain("Resolved caller: alice");
    expect(world.seen("sub")[1]).toMatch(blocked);
    expect(roster(world)).toEqual(["team-lead", "alice"]);
    for (const script of ["sprint", "wendy", "carol", "dave"]) expect(world.seen(script)).toEqual([]);

    const log = join(world.configDir, "daemon", "hooks", "events.jsonl");
    const idle = await until(() => linesOf(log).find((line) => line.type === "teammate-idle"), {
      what: "the relay's line",
    });
    const { team_name: team } = idle.payload;
    expect(idle).toMatchObject({ agent: "alice", team, source: { kind: "claude_hook" } });
    expect(errorsOf(world)).toBe("");
    expect(linesOf(join(world.tmp, "gate-agent-spawns-debug.jsonl"))).toHaveLength(7);
  });

  test.each(MODES)("%s: the cap warns, asks, and after a no nobody was spawned", async (mode) => {
    const world = await aWorld({
      client,
      env: TEAMS,
      scripts: {
        lead: [{ tools: [agent({ name: "alice", prompt: "please [[alice]]" })] }, { text: "one is there" }],
        more: [{ tools: [agent({ name: "bob", prompt: "please [[bob]]" })] }, { text: "understood" }],
        alice: [{ text: "alice is done" }],
        bob: never,
      },
    });
    mkdirSync(join(world.configDir, "swarm"), { recursive: true });
    writeFileSync(join(world.configDir, "swarm", "settings.toml"), "[gate]\nmax_teammates = 1\n");
    const screen = await world.tui("--teammate-mode", mode);
    await screen.type("go [[lead]]");
    await screen.wait(/one is there/);
    expect(world.seen("lead")[1]).toContain("this makes 1 teammate alive at once");
    await until(() => spawnsOf(world).find((line) => line.fate === "teammate"), {
      what: "the ledger's answer",
    });

    await screen.type("go [[more]]");
    await screen.wait(/the limit is 1/);
    expect(screen.screen()).toContain("requires confirmation");
    const isAnswered = () => !screen.screen().includes("requires confirmation");
    // A dialog that has just opened may miss a key.
    await until(() => isAnswered() || screen.keys("Escape"), { what: "the dialog to close", everyMs: 500 });
    expect(world.seen("bob")).toEqual([]);
    expect(roster(world)).toEqual(["team-lead", "alice"]);
  });
});
