// What proves that a task is done: noted at its completion, shown in every list, gone when the task is opened again.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PostToolUse, TaskCompleted } from "../../lib/hook/events.ts";
import { commands } from "../../lib/tasks/commands.ts";
import * as hooks from "../../lib/tasks/hooks.ts";
import { notesOf, proofOf, readTask, type Task, updateTask } from "../../lib/tasks/store.ts";
import { appendRun, type Run } from "../../lib/worktrees/store/runs.ts";
import { aCall } from "../support/a-call.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aTask, aTeam, member } from "../support/a-task.ts";

const [task] = commands;
const swarmTask = (home: Home, words: string[], flags: Record<string, string> = {}) =>
  task?.run(aCall(home, words, flags, { env: member("alice") }) as never) as { text: string };

function aList(verify?: string): Home {
  const home = aHome();
  aTeam(home, ["team-lead", "alice"], [aTask("1", { owner: "alice", status: "in_progress" })]);
  if (verify) home.write(".claude/swarm/settings.toml", `[tasks]\nverify = ${JSON.stringify(verify)}\n`);
  return home;
}

function aRepository(home: Home): string {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], {
      cwd: home.project,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: home.root },
    });
  git("init", "-q");
  home.write("project/a", "a");
  git("add", ".");
  git("commit", "-qm", "first");
  return git("rev-parse", "--short", "HEAD").trim();
}

const line = (home: Home) => swarmTask(home, ["list"]).text;

test("without anything it says so", () => {
  const home = aList();
  swarmTask(home, ["done", "1"]);
  expect(line(home)).toBe("#1  completed  task 1  @alice  (unverified)");
});

test("by the person's check, on a commit", () => {
  const home = aList("true");
  const commit = aRepository(home);
  swarmTask(home, ["done", "1"]);
  expect(line(home)).toBe(`#1  completed  task 1  @alice  (verified by \`true\` on tree ${commit})`);
});

test("by the person's check, with changes since the commit", () => {
  const home = aList("true");
  const commit = aRepository(home);
  home.write("project/new", "");
  swarmTask(home, ["done", "1"]);
  expect(line(home)).toMatch(new RegExp(`on tree ${commit}\\+[0-9a-f]{8}\\)$`));
});

test("outside a repository the check alone", () => {
  const home = aList("true");
  swarmTask(home, ["done", "1"]);
  expect(line(home)).toContain("(verified by `true`)");
});

const RUN: Run = {
  id: "r-1",
  ...{ began: "2026-02-20T11:58:00Z", ended: "2026-02-20T11:59:00Z", command: "npm test", exitCode: 0 },
  ...{ tree: "/t", fingerprint: "1a2b3c4", agent: "alice", session: "alice-session", others: [] },
};

test.each<[string, Partial<Run>, string | undefined]>([
  ["a clean one", {}, undefined],
  ["a failed one", { exitCode: 1 }, "it ended with 1"],
  ["an interrupted one", { exitCode: undefined }, "it ended with no exit code"],
  ["a void one", { others: [{ by: "bob", files: ["a"] }] }, "others changed files during it"],
  ["a part of a pipe", { isWhole: true }, "run it alone"],
])("by a run: %s", (_which, more, why) => {
  const home = aList();
  appendRun(home.paths, { common: "/repository/.git" }, { ...RUN, ...more });
  const done = (flag: string) => swarmTask(home, ["done", "1"], { [flag]: "r-1" });
  if (why) for (const flag of ["run", "evidence"]) expect(() => done(flag)).toThrow(why);
  else done("evidence");
  expect(line(home)).toContain(why ? "in_progress" : "(verified by `npm test` on tree 1a2b3c4)");
});

test("by a run that is not on record", () =>
  expect(() => swarmTask(aList(), ["done", "1"], { run: "r-2" })).toThrow("there is no run"));

test("a file is noted with its checksum, and verifies nothing", () => {
  const home = aList();
  home.write("project/report.txt", "all green\n");
  swarmTask(home, ["done", "1"], { evidence: "report.txt" });
  expect(line(home)).toContain("(unverified, evidence report.txt (sha256 ");
  expect(notesOf(readTask(home.paths, "dev", "1") as Task).evidence?.sha256).toMatch(/^[0-9a-f]{64}$/);
});

test("the checksum is that of the file's bytes, also where they are no text", () => {
  const home = aList();
  const bytes = Buffer.from([0x89, 0x50, 0xff, 0xfe, 0x00]);
  writeFileSync(home.path("project/r-screen.png"), bytes);
  swarmTask(home, ["done", "1"], { evidence: "r-screen.png" });
  const sum = createHash("sha256").update(bytes).digest("hex");
  expect(line(home)).toContain(`(unverified, evidence r-screen.png (sha256 ${sum.slice(0, 12)}))`);
});

test("a proof may come with the status, and later", () => {
  const home = aList();
  home.write("project/report.txt", "all green");
  swarmTask(home, ["update", "1"], { status: "completed", evidence: "report.txt" });
  expect(line(home)).toContain("(unverified, evidence report.txt");
  appendRun(home.paths, { common: "/repository/.git" }, RUN);
  swarmTask(home, ["done", "1"], { run: "r-1" });
  expect(line(home)).toContain("(verified by `npm test` on tree 1a2b3c4, evidence report.txt");
});

test("an empty file shows nothing, and the task stays open", () => {
  const home = aList();
  home.write("project/report.txt", " \n");
  expect(() => swarmTask(home, ["done", "1"], { evidence: "report.txt" })).toThrow("is empty");
  expect(readTask(home.paths, "dev", "1")?.status).toBe("in_progress");
});

test("a failed check completes nothing", () => {
  const home = aList("false");
  expect(() => swarmTask(home, ["done", "1"])).toThrow("tasks.verify");
  expect(readTask(home.paths, "dev", "1")?.status).toBe("in_progress");
});

test("opened again, which tasks.enforce forbids, the proof is gone", () => {
  const home = aList();
  const set = (verify: string) =>
    home.write(".claude/swarm/settings.toml", `[tasks]\nenforce = false\n${verify}`);
  set('verify = "true"\n');
  swarmTask(home, ["done", "1"]);
  swarmTask(home, ["update", "1"], { status: "in_progress" });
  set("");
  swarmTask(home, ["done", "1"]);
  expect(line(home)).toContain("(unverified)");
});

test("the client's own Task tool: the check of TaskCompleted is noted after the client has written the task", () => {
  const home = aList("true");
  const env = { env: member("alice") };
  const session_id = "alice-session";
  const completed = { session_id, task_id: "1", task_subject: "task 1" };
  expect(hooks.taskCompleted(aContext(home, TaskCompleted, completed, env))).toBeUndefined();
  updateTask(home.paths, "dev", "1", (stored) => ({ ...stored, status: "completed" })); // as the client does
  const call = { session_id, tool_name: "TaskUpdate", tool_input: { taskId: "1", status: "completed" } };
  const tool_response = { statusChange: { from: "in_progress", to: "completed" } };
  const after = () => hooks.postToolUse(aContext(home, PostToolUse, { ...call, tool_response }, env));
  after();
  expect(proofOf(readTask(home.paths, "dev", "1") as Task)).toBe("verified by `true`");
  expect(home.has(".claude/swarm/verified/alice-session/1.json")).toBe(false);
});

test("also on a list that only the session has", () => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", '[tasks]\nverify = "true"\n');
  home.write(".claude/tasks/solo-session/1.json", aTask("1", { status: "in_progress" }));
  const session_id = "solo-session";
  hooks.taskCompleted(aContext(home, TaskCompleted, { session_id, task_id: "1", task_subject: "x" }));
  updateTask(home.paths, session_id, "1", (stored) => ({ ...stored, status: "completed" }));
  const call = { session_id, tool_name: "TaskUpdate", tool_input: { taskId: "1", status: "completed" } };
  const tool_response = { statusChange: { from: "in_progress", to: "completed" } };
  expect(hooks.postToolUse(aContext(home, PostToolUse, { ...call, tool_response }))).toBeUndefined();
  expect(proofOf(readTask(home.paths, session_id, "1") as Task)).toBe("verified by `true`");
  expect(home.has(".claude/swarm/verified/solo-session/1.json")).toBe(false);
});

test("foreign notes are shown as plain text", () => {
  const swarm = { verified: { by: "x\u001b[31m\u202e", tree: "t\n#9  fake", at: "now" } };
  const shown = proofOf(aTask("1", { status: "completed", metadata: { swarm } }));
  expect(shown).not.toMatch(/[\u001b\u202e\n]/);
});

test("a proof is one plain line, whatever its texts hold", () => {
  const odd = "a\u001b[31m\nb";
  const verified = { by: odd, tree: odd, at: "t" };
  const evidence = { file: odd, sha256: "\u001b[1mabc", at: "t" };
  const proof = proofOf(aTask("1", { status: "completed", metadata: { swarm: { verified, evidence } } }));
  expect(proof).toMatch(/^verified by `a.*b` on tree a.*b, evidence a.*b \(sha256 .*abc\)$/);
  expect(proof?.split("").filter((one) => one < " ")).toEqual([]);
});

test.each<[string, (home: Home) => void]>([
  ["released, where the rules are off", (home) => swarmTask(home, ["release", "1"])],
  [
    "opened again by another program",
    (home) => updateTask(home.paths, "dev", "1", (one) => ({ ...one, status: "pending" })),
  ],
])("a task that was %s has to be proven again", (_, open) => {
  const home = aList("true");
  swarmTask(home, ["done", "1"]);
  expect(line(home)).toContain("(verified by `true`)");
  home.write(".claude/swarm/settings.toml", "[tasks]\nenforce = false\n");
  open(home);
  swarmTask(home, ["done", "1"]);
  expect(line(home)).toContain("(unverified)");
});
