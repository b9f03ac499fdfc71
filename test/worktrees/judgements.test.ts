// What an agent hears before it writes beside others, from the files of Swarm alone: no git runs.
import { expect, onTestFinished, test } from "vitest";
import { PreToolUse, SessionStart } from "../../lib/hook/events.ts";
import type { Outcome } from "../../lib/hook/outcome.ts";
import { startOf } from "../../lib/system/processes.ts";
import { preToolUse, sessionStart } from "../../lib/worktrees/hooks/shared.ts";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { addClaim, bindTask } from "../../lib/worktrees/store/claims.ts";
import { takeTurn } from "../../lib/worktrees/store/index-turn.ts";
import { noteFiles } from "../../lib/worktrees/store/ledger.ts";
import type { Tree } from "../../lib/worktrees/store/repository.ts";
import { aBareTree, aLinkedTree } from "../support/a-bare-tree.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { onFileCalls } from "../support/file-calls.ts";
import { virtualTime } from "../support/in-no-time.ts";

const NOW = new Date();
/** After the files of a scene were made. */
const LATER = new Date(NOW.getTime() + 60_000);
const ago = (ms: number) => new Date(NOW.getTime() - ms);

interface Scene {
  home: Home;
  tree: Tree;
  side: Tree;
  /** What ada hears when she writes a.ts in her tree. */
  writes: (at?: Tree, env?: Record<string, string>) => Outcome | undefined;
  note: (by: string, at: Date, how?: "edit" | "read", tree?: Tree) => void;
}

/** ada and bob in one tree. */
function aScene(): Scene {
  const home = aHome();
  const tree = aBareTree(home);
  const side = aLinkedTree(home, "side");
  for (const name of ["ada", "bob", "cid", "dan"])
    home.write(`.claude/swarm/sessions/${name}-s/session.json`, {
      ...{ session: `${name}-s`, team: "dev", agent: name, state: "active", status: "working" },
      ...{
        startedAt: "x",
        lastSeen: ago(1_000).toISOString(),
        pid: process.pid,
        pidStartedAt: startOf(process.pid),
      },
    });
  for (const name of ["ada", "bob"]) writePresence(home.paths, tree, { session: `${name}-s` }, NOW);
  for (const path of ["project/a.ts", "side/a.ts"]) home.write(path, "x");
  let calls = 0;
  return {
    ...{ home, tree, side },
    writes: (at = tree, env = {}) => {
      const tool_input = { file_path: `${at.top}/a.ts` };
      const input = {
        session_id: "ada-s",
        cwd: tree.top,
        tool_name: "Write",
        tool_input,
        tool_use_id: `c${++calls}`,
      };
      return preToolUse(aContext(home, PreToolUse, input, { now: NOW, env })) as Outcome | undefined;
    },
    note: (by, at, how = "edit", where = tree) =>
      noteFiles(home.paths, [{ tree: where, file: "a.ts" }], { by, how, call: "x", now: at }),
  };
}

const said = (outcome: Outcome | undefined) => {
  const { context, deny, ask } = outcome ?? {};
  return deny ?? ask ?? (typeof context === "string" ? context : context?.text) ?? "";
};

type Note = [by: string, at: Date, how?: "edit" | "read", where?: "side"];

test.each<[string, Note[], string]>([
  ["nothing was written", [], ""],
  ["bob wrote", [["bob-s", ago(5_000)]], "bob changed a.ts"],
  ["bob only read", [["bob-s", ago(5_000), "read"]], ""],
  [
    "she wrote last",
    [
      ["bob-s", ago(9_000)],
      ["ada-s", LATER],
    ],
    "",
  ],
  [
    "she read it since",
    [
      ["bob-s", ago(9_000)],
      ["ada-s", LATER, "read"],
    ],
    "",
  ],
  [
    "she read it before",
    [
      ["ada-s", ago(60_000), "read"],
      ["bob-s", ago(5_000)],
    ],
    "after you last read it",
  ],
  ["she never read it", [["bob-s", ago(5_000)]], "and you have not read it"],
  [
    "the last of two others did",
    [
      ["bob-s", ago(9_000)],
      ["dan-s", ago(5_000)],
    ],
    "dan changed a.ts",
  ],
  ["cid wrote, who is not here", [["cid-s", ago(5_000)]], ""],
  ["bob announced it, and the file is older", [["bob-s", new Date(NOW.getTime() + 3_600_000)]], ""],
  [
    "bob wrote, and announced another write that did not happen",
    [
      ["bob-s", ago(5_000)],
      ["bob-s", new Date(NOW.getTime() + 3_600_000)],
    ],
    "bob changed a.ts",
  ],
  [
    "bob wrote, and then cid, who is not here any more",
    [
      ["bob-s", ago(9_000)],
      ["cid-s", ago(5_000)],
    ],
    "bob changed a.ts 9s ago",
  ],
  [
    "bob wrote before she read it, and cid, who is not here any more, since",
    [
      ["bob-s", ago(9_000)],
      ["ada-s", ago(7_000), "read"],
      ["cid-s", ago(5_000)],
    ],
    "",
  ],
  ["bob did in another tree", [["bob-s", ago(5_000), "edit", "side"]], "will have to be merged"],
  [
    "she did since bob did there",
    [
      ["bob-s", ago(9_000), "edit", "side"],
      ["ada-s", LATER],
    ],
    "",
  ],
  [
    "she read since bob did there",
    [
      ["bob-s", ago(9_000), "edit", "side"],
      ["ada-s", LATER, "read"],
    ],
    "will have to be merged",
  ],
  [
    "bob did here and there",
    [
      ["bob-s", ago(5_000)],
      ["bob-s", ago(4_000), "edit", "side"],
    ],
    "in this tree",
  ],
  [
    "bob did there and here",
    [
      ["bob-s", ago(5_000), "edit", "side"],
      ["bob-s", ago(4_000)],
    ],
    "in this tree",
  ],
])("a write where %s", (_, notes, expected) => {
  const scene = aScene();
  writePresence(scene.home.paths, scene.tree, { session: "dan-s" }, NOW);
  for (const [by, at, how, where] of notes) scene.note(by, at, how, where && scene.side);
  const found = said(scene.writes());
  if (expected) expect(found).toContain(expected);
  else expect(found).toBe("");
});

test("bob after /clear is still bob, and a file that is gone was deleted by who noted it", () => {
  const scene = aScene();
  const record = scene.home.json(".claude/swarm/sessions/bob-s/session.json");
  scene.home.write(".claude/swarm/sessions/old/session.json", { ...record, session: "old", next: "bob-s" });
  scene.home.write(".claude/swarm/sessions/bob-s/session.json", { ...record, previous: "old" });
  scene.note("old", ago(5_000));
  expect(said(scene.writes())).toContain("bob changed a.ts");
});

test.each<[string, string, string | undefined]>([
  ["notice", "", "context"],
  ["ask", '[worktrees]\ncollisions = "ask"\n', "ask"],
  ["deny", '[worktrees]\ncollisions = "deny"\n', "deny"],
])("the setting %s", (_, settings, kind) => {
  const scene = aScene();
  scene.home.write(".claude/swarm/settings.toml", settings);
  scene.note("bob-s", ago(5_000));
  const outcome = scene.writes();
  expect(Object.keys(outcome ?? {})).toContain(kind);
  if (kind !== "context") expect(outcome?.rule).toBe("worktrees:collision");
  else expect(outcome?.journal).toEqual([{ what: "collision", files: ["a.ts"], by: ["bob"] }]);
});

test.each<[string, (scene: Scene) => void, boolean]>([
  [
    "bob's",
    ({ home, tree }) =>
      void addClaim(home.paths, tree, NOW, {
        by: "bob-s",
        patterns: ["*.ts"],
        until: undefined,
        why: undefined,
      }),
    true,
  ],
  [
    "her own",
    ({ home, tree }) =>
      void addClaim(home.paths, tree, NOW, {
        by: "ada-s",
        patterns: ["*.ts"],
        until: undefined,
        why: undefined,
      }),
    false,
  ],
  [
    "of other files",
    ({ home, tree }) =>
      void addClaim(home.paths, tree, NOW, {
        by: "bob-s",
        patterns: ["*.md"],
        until: undefined,
        why: undefined,
      }),
    false,
  ],
  [
    "over",
    ({ home, tree }) =>
      void addClaim(home.paths, tree, ago(9_000), {
        by: "bob-s",
        patterns: ["*.ts"],
        until: ago(1),
        why: undefined,
      }),
    false,
  ],
  ["of bob's task", (scene) => task(scene, { owner: "bob" }), true],
  ["of her own task", (scene) => task(scene, { owner: "ada" }), false],
  ["of a task of her namesake in another team", (scene) => task(scene, { owner: "ada" }, "ops"), true],
  ["of her own task in a list of no team", (scene) => task(scene, { owner: "ada" }, "list"), false],
  ["of a task that nobody works on", (scene) => task(scene, { status: "pending" }), false],
  ["of a task without an owner", (scene) => task(scene, {}), false],
])("a claim that is %s", (_, before, isHeld) => {
  const scene = aScene();
  before(scene);
  expect(/^a\.ts is claimed by (bob|ada with task)/.test(said(scene.writes()))).toBe(isHeld);
  const unattended = scene.writes(scene.tree, { CLAUDE_CODE_SESSION_ATTENDED: "0" });
  expect(unattended?.deny !== undefined).toBe(isHeld);
});

function task({ home, tree }: Scene, more: object, list = "dev"): void {
  for (const name of ["dev", "ops"]) home.write(`.claude/teams/${name}/config.json`, { name, members: [] });
  const given = { id: "7", subject: "s", status: "in_progress", blocks: [], blockedBy: [], ...more };
  home.write(`.claude/tasks/${list}/7.json`, given);
  bindTask(home.paths, tree, NOW, { list, id: "7" }, ["*.ts"]);
}

test.each([
  ["dev", "swarm send bob "],
  ["ops", "swarm send bob@ops "],
  ["list", "swarm send bob "],
])("who works on a task of the list %s is reached by: %s…", (list, line) => {
  const scene = aScene();
  task(scene, { owner: "bob" }, list);
  expect(said(scene.writes())).toContain(line);
});

test("a relative path counts from the working directory", () => {
  const { home, tree, note } = aScene();
  note("bob-s", ago(5_000));
  const tool_input = { file_path: "a.ts" };
  const input = { session_id: "ada-s", cwd: tree.top, tool_name: "Write", tool_input, tool_use_id: "c" };
  expect(said(preToolUse(aContext(home, PreToolUse, input, { now: NOW })) as Outcome | undefined)).toContain(
    "bob changed a.ts",
  );
});

test("another agent's tree is not written to", () => {
  const { home, tree, side, writes } = aScene();
  expect(writes(side)).toBeUndefined();
  writePresence(home.paths, side, { session: "bob-s" }, NOW);
  expect(writes(side)).toMatchObject({
    rule: "worktrees:foreign-tree",
    deny: expect.stringContaining(`Your own copy is ${tree.top}/a.ts`),
  });
});

test.each<[string, number, string, Outcome | undefined]>([
  [
    "has just begun",
    0,
    "deny",
    { deny: expect.stringContaining("bob is taking") as unknown as string, rule: "worktrees:busy-index" },
  ],
  ["has just begun, and the rule is off", 0, "off", undefined],
  ["has begun long ago", 20_001, "deny", undefined],
])(
  "a write waits while another agent's sweep of the tree runs, and is refused if it %s",
  (_, ms, choice, expected) => {
    const { home, tree, writes } = aScene();
    home.write(".claude/swarm/settings.toml", `[worktrees]\nshared_checkout = "${choice}"\n`);
    const record = home.json(".claude/swarm/sessions/bob-s/session.json");
    const running = { lastSeen: NOW.toISOString(), tool: { name: "Bash", id: "sweep", since: "" } };
    home.write(".claude/swarm/sessions/bob-s/session.json", { ...record, ...running });
    takeTurn(home.paths, tree, { by: "bob-s", call: "sweep", isWide: true }, ago(ms));
    onTestFinished(virtualTime());
    const begun = process.uptime();
    expect(writes()).toEqual(expected);
    expect(Math.round(process.uptime() - begun)).toBe(expected ? 1 : 0);
  },
);

test.each<[string, object, Record<string, string>, boolean]>([
  ["in its own", {}, { CLAUDE_CODE_TEAM_NAME: "dev", CLAUDE_CODE_AGENT_NAME: "ada" }, true],
  [
    "of another place",
    { path: "/elsewhere" },
    { CLAUDE_CODE_TEAM_NAME: "dev", CLAUDE_CODE_AGENT_NAME: "ada" },
    false,
  ],
  ["another member", {}, { CLAUDE_CODE_TEAM_NAME: "dev", CLAUDE_CODE_AGENT_NAME: "bob" }, false],
])("a session that starts in a worktree, %s, learns where it is", (_, more, env, isSaid) => {
  const { home, side } = aScene();
  home.write(".claude/teams/dev/config.json", { name: "dev", members: [{ name: "ada" }, { name: "bob" }] });
  home.write(".claude/swarm/trees/dev/ada.json", {
    ...{
      team: "dev",
      agent: "ada",
      path: side.top,
      branch: "<b>",
      from: home.project,
      commonDir: side.common,
    },
    ...{ isOurBranch: true, base: "0123456789", baseName: "main", at: NOW.toISOString(), ...more },
  });
  const ctx = aContext(
    home,
    SessionStart,
    { session_id: "ada-s", cwd: side.top, source: "startup" },
    { env, now: NOW },
  );
  const text = said(sessionStart(ctx) as Outcome | undefined);
  expect(text).toBe(
    isSaid
      ? `You work in a git worktree of your own: ${side.top}, branch &lt;b&gt;, begun at 0123456 (main). Commit on this branch; others see your work when it is merged. Do not write into ${home.project} or into another agent's worktree.`
      : "",
  );
});

test("with many agents a write looks only at those that concern it", () => {
  const { home, tree, writes, note } = aScene();
  const crowd = Array.from({ length: 40 }, (_, n) => `e${n}`);
  for (const name of crowd) {
    const record = home.json(".claude/swarm/sessions/dan-s/session.json");
    home.write(`.claude/swarm/sessions/${name}/session.json`, { ...record, session: name, agent: name });
    writePresence(home.paths, tree, { session: name }, NOW);
    note(name, ago(50_000), "read");
  }
  note("bob-s", ago(1_000));
  const read = new Set<unknown>();
  onFileCalls((_, [path]) => void (/sessions\/.*json$/.test(String(path)) && read.add(path)));
  expect(said(writes())).toContain("bob changed a.ts");
  expect(read.size).toBeLessThan(8);
});
