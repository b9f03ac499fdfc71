// While a lock is held others wait: no hook and no verb may start a program or look at processes meanwhile.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readTrace, traced } from "../../scripts/locks/holds.ts";
import { aFilledHome, BOB, LEAD } from "../../scripts/torture/fixture.ts";
import { HOOKS, type Operation, VERBS } from "../../scripts/torture/operations.ts";
import { startHook, startVerb } from "../../scripts/torture/processes.ts";
import { as } from "../support/a-team.ts";
import { inMemory } from "../support/in-memory.ts";

/** Decides under the lock whether the lead of that moment is alive, or two sessions would both take over. */
const MAY_ASK = "swarm lead take";
/** An inbox at its limit, read and written. */
const MOST_BYTES = 2 * 8 * 1024 * 1024;

const hook = (name: string, payload: object): Operation => ({
  name,
  isHook: true,
  start: (home, more = {}) =>
    startHook(
      home,
      name.split(" ")[0] ?? "",
      { ...BOB, ...payload },
      { ...more, env: { ...as("bob"), ...more.env } },
    ),
});
const verb = (...args: string[]): Operation => ({
  name: `swarm ${args.join(" ")}`,
  isHook: false,
  start: (home, more = {}) =>
    startVerb(home, args, {
      ...more,
      env: { ...as("bob"), CLAUDE_CODE_SESSION_ID: BOB.session_id, ...more.env },
    }),
});

const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command }, tool_use_id: "t-9" });

/** What those of the torture leave out: hooks that only read, git in a shared checkout, and verbs that look at much. */
const OTHERS: Operation[] = [
  hook("post-compact", { trigger: "auto" }),
  hook("config-change", { source: "user_settings" }),
  hook("task-created", { task_id: "9", task_subject: "x", teammate_name: "bob", team_name: "atm-dev" }),
  hook("pre-tool-use git", bash("git add -A && git commit -m x")),
  hook("pre-tool-use write", {
    tool_name: "Write",
    tool_input: { file_path: "a.ts", content: "" },
    tool_use_id: "t-8",
  }),
  hook("post-tool-use test", { ...bash("npm test"), tool_response: {} }),
  verb("status"),
  verb("task", "list"),
  verb("doctor"),
  verb("gc"),
  verb("claim", "src/**"),
  verb("worktree", "list"),
  verb("report"),
];

let lane: Awaited<ReturnType<typeof aFilledHome>>;

beforeAll(async () => {
  lane = await aFilledHome(inMemory());
});
afterAll(() => lane.remove());

test.each([...HOOKS, ...VERBS, ...OTHERS].map((one) => [one.name, one] as const))(
  "%s",
  async (name, operation) => {
    const { home, renew } = lane;
    renew();
    execFileSync("git", ["init", "--quiet"], { cwd: home.project });
    await startHook(home, "session-start", { ...LEAD, source: "startup" }, { env: as("team-lead") }); // another agent there
    const file = home.path("tmp", "locks.jsonl");
    await operation.start(home, { env: traced(file) });
    const traces = readTrace(file);
    rmSync(file, { force: true });
    const asked = traces.flatMap(({ slow }) => slow.map(({ what }) => what));
    expect(name === MAY_ASK ? asked.filter((what) => !what.includes("/proc/")) : asked).toEqual([]);
    for (const { bytes, path } of traces.flatMap(({ holds }) => holds))
      expect(bytes, path).toBeLessThan(MOST_BYTES);
  },
);
