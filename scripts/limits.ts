// npm run limits [-- --docs]: what bounds one machine, measured on this one. `--docs` writes the table into docs/limits.md.
import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { appendMessage } from "../lib/mail/store/inbox.ts";
import { newMessage } from "../lib/mail/store/message.ts";
import { updateTeam } from "../lib/teams/store/config.ts";
import { as, aTeam, inboxOf, TEAM } from "../test/support/a-team.ts";
import type { Home } from "../test/support/home-at.ts";
import { median } from "./bench/measure.ts";
import { withBlock } from "./docs/blocks.ts";
import { aTorturedHome, removeHome } from "./torture/fixture.ts";
import { filesIn } from "./torture/inspect.ts";
import { startHook, startVerb } from "./torture/processes.ts";

const MEMORY = join(import.meta.dirname, "limits", "memory.cjs");
const ROUNDS = 15;
const SESSIONS = 20;
const MB = 1024 * 1024;

interface Row {
  what: string;
  measured: string;
}

async function inHome<T>(work: (home: Home) => T | Promise<T>): Promise<T> {
  const home = aTorturedHome();
  try {
    aTeam(home);
    return await work(home);
  } finally {
    removeHome(home);
  }
}

const msOf = (work: () => void): number =>
  median(
    Array.from({ length: ROUNDS }, () => {
      const from = performance.now();
      work();
      return performance.now() - from;
    }),
  );

const TOOL = { tool_name: "Edit", tool_use_id: "t-1" };

async function liveASession(home: Home, session_id: string): Promise<void> {
  const env = { ...as("bob"), CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli" };
  const call = { ...TOOL, tool_input: { file_path: join(home.project, `${session_id}.ts`) } };
  const hook = (name: string, payload: object) => startHook(home, name, { session_id, ...payload }, { env });
  await hook("session-start", { source: "startup" });
  await hook("user-prompt-submit", { prompt: "go on" });
  await hook("pre-tool-use", call);
  await hook("post-tool-use", { ...call, tool_response: {} });
  await hook("stop", { last_assistant_message: "done" });
  await hook("session-end", { reason: "other" });
}

const sizeOf = (home: Home) => {
  const files = filesIn(home.path(".claude")).filter((path) => statSync(path).isFile());
  return { count: files.length, bytes: files.reduce((sum, path) => sum + statSync(path).size, 0) };
};

/** What an ended session leaves until the daily upkeep or `swarm gc` removes it. */
const filesOfASession = () =>
  inHome(async (home) => {
    execFileSync("git", ["init", "--quiet"], { cwd: home.project });
    await liveASession(home, "first");
    const before = sizeOf(home);
    for (let n = 0; n < SESSIONS; n++) await liveASession(home, `s-${n}`);
    const after = sizeOf(home);
    const each = (of: (size: ReturnType<typeof sizeOf>) => number) => (of(after) - of(before)) / SESSIONS;
    return `${each(({ count }) => count).toFixed(1)} files, ${(each(({ bytes }) => bytes) / 1024).toFixed(1)} KB`;
  });

const anInbox = (unread: number, characters: number) =>
  Array.from({ length: unread }, (_, n) => ({ ...aMessage("x".repeat(characters)), id: `m-${n}` }));

const aMessage = (text: string) => newMessage({ from: "alice", text, at: new Date() });

/** The lock of an inbox is held for all of it: reading, adding one, writing and flushing. */
const oneSend = (unread: number, characters: number) =>
  inHome((home) => {
    home.write(inboxOf("bob"), anInbox(unread, characters));
    return msOf(() => appendMessage(home.paths, TEAM, "bob", aMessage("one more")));
  });

const oneRegistration = (members: number) =>
  inHome((home) => {
    aTeam(
      home,
      Array.from({ length: members }, (_, n) => ({ name: `m${n}`, sessionId: `s-${n}`, cwd: home.project })),
    );
    return msOf(() => {
      updateTeam(home.paths, TEAM, (team) => team && { ...team }, { durable: false });
    });
  });

const memoryOf = (start: (home: Home, env: Record<string, string>) => Promise<unknown>) =>
  inHome(async (home) => {
    const file = home.path("memory");
    const env = { ...as("bob"), NODE_OPTIONS: `--require ${MEMORY}`, SWARM_MEMORY: file };
    for (let n = 0; n < 5; n++) await start(home, env);
    const all = readFileSync(file, "utf8").trim().split("\n").map(Number);
    return `${(Math.max(...all) / 1024).toFixed(0)} MB`;
  });

const hookMemory = (script: string, payload: object, fill?: (home: Home) => void) =>
  memoryOf((home, env) => {
    fill?.(home);
    return startHook(home, script, { session_id: "s-bob", ...payload }, { env });
  });

const watchedPaths = () =>
  inHome(async (home) => {
    const env = { ...as("bob"), CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli" };
    const { stdout } = await startHook(
      home,
      "session-start",
      { session_id: "s-bob", source: "startup" },
      { env },
    );
    return JSON.parse(stdout).hookSpecificOutput.watchPaths.length as number;
  });

const kernel = (name: string) => readFileSync(`/proc/sys/fs/${name}`, "utf8").trim();

const ms = (value: number) => `${value.toFixed(1)} ms`;
const FULL = { unread: 1_980, characters: 1_900 };

async function rows(): Promise<Row[]> {
  const [small, full] = [await oneSend(10, 200), await oneSend(FULL.unread, FULL.characters)];
  const teams = await Promise.all([20, 200, 1_000].map(oneRegistration));
  const fillInbox = (home: Home) => home.write(inboxOf("bob"), anInbox(FULL.unread, FULL.characters));
  const bash = { ...TOOL, tool_name: "Bash", tool_input: { command: "npm test" } };
  return [
    { what: "files that an ended session leaves", measured: await filesOfASession() },
    { what: "one message into an inbox of 10", measured: ms(small) },
    {
      what: `one message into an inbox of ${FULL.unread} (${((FULL.unread * (FULL.characters + 150)) / MB).toFixed(1)} MB)`,
      measured: ms(full),
    },
    { what: "a member registered in a team of 20, 200, 1,000", measured: teams.map(ms).join(", ") },
    { what: "memory of PreToolUse", measured: await hookMemory("pre-tool-use", bash) },
    { what: "memory of SessionStart", measured: await hookMemory("session-start", { source: "startup" }) },
    {
      what: "memory of a prompt with a full inbox",
      measured: await hookMemory("user-prompt-submit", { prompt: "x" }, fillInbox),
    },
    {
      what: "memory of `swarm status`",
      measured: await memoryOf((home, env) => startVerb(home, ["status"], { env })),
    },
    { what: "paths a session asks its client to watch", measured: `${await watchedPaths()}` },
    {
      what: "inotify instances, watches that the kernel allows a user",
      measured: `${kernel("inotify/max_user_instances")}, ${kernel("inotify/max_user_watches")}`,
    },
    { what: "open files that the kernel allows", measured: kernel("file-max") },
  ];
}

async function main(): Promise<void> {
  const head = `node ${process.version}, ${cpus().length} cores; medians of ${ROUNDS}, memory the most of 5.`;
  const body = (await rows()).map(({ what, measured }) => `| ${what} | ${measured} |`);
  const page = [head, "", "| what | measured |", "| --- | --- |", ...body].join("\n");
  console.log(page);
  if (process.argv.includes("--docs"))
    writeFileSync("docs/limits.md", withBlock(readFileSync("docs/limits.md", "utf8"), "limits", page));
}

void main();
