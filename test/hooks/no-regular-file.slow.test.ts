// Something else in the place of a file: a FIFO that nobody writes to, a directory, a link to such a FIFO, a socket. Every hook as a
// real process, on every place that it may open. None waits, none fails the client.

import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { statuslinePath } from "../../lib/context/store/status-line.ts";
import { agentContextPath, dueWarningPath, windowReadingPath } from "../../lib/context/store/window.ts";
import * as pathsOf from "../../lib/core/paths.ts";
import { activeMarkPath, effortPath, effortTaskPath, messagesPath } from "../../lib/efforts/store/efforts.ts";
import { mainAgentOf, windowFile } from "../../lib/efforts/store/windows.ts";
import { courierPath, receiptsPath, relayPath, serverDir } from "../../lib/machines/store/paths.ts";
import { inboxPath, mailboxFiles } from "../../lib/mail/store/mailbox-files.ts";
import { mailMarkPath, watchFilePath } from "../../lib/mail/store/session-files.ts";
import { wakeTriggerPath } from "../../lib/mail/store/wake-triggers.ts";
import { FILE_KINDS, kindOf } from "../../lib/ops/file-kinds.ts";
import { daemonPortPath, daemonSocketPath, lifecycleLogPath } from "../../lib/sessions/store/lifecycle.ts";
import { sessionPath, subagentPath } from "../../lib/sessions/store/sessions.ts";
import { indexPath } from "../../lib/tasks/store/task-index.ts";
import { taskPath, tasksDir } from "../../lib/tasks/store.ts";
import { memberLogPath, promptPath } from "../../lib/teammates/store/member-files.ts";
import { breadcrumbPath, spawnDebugPath, spawnLedgerPath } from "../../lib/teammates/store/spawns.ts";
import { teamConfigPath } from "../../lib/teams/store/config.ts";
import { heartbeatPath, noticesPath } from "../../lib/teams/store/liveness.ts";
import { repositoryPath } from "../../lib/worktrees/store/repository.ts";
import { savedPatchPath } from "../../lib/worktrees/store/trees.ts";
import { aFilledHome } from "../../scripts/torture/fixture.ts";
import { inLanes, type Ran, startHook } from "../../scripts/torture/processes.ts";
import { as, TEAM } from "../support/a-team.ts";
import type { Home } from "../support/home-at.ts";
import { inMemory } from "../support/in-memory.ts";
import { payload, ROOT } from "../support/run-built.ts";

const SESSION = "s-bob";
const HOOKS = readdirSync(join(ROOT, "hooks")).map((name) => basename(name, ".ts"));
/** The ones that between them touch every kind of file; the others in the long form (SWARM_LONG=1). */
const BUSIEST = [
  "session-start",
  "user-prompt-submit",
  "pre-tool-use",
  "post-tool-use",
  "stop",
  "session-end",
];
const LIMIT_MS = 10_000;
const isLong = process.env["SWARM_LONG"] !== undefined;

function pathsFrom({ paths, project }: Home): Record<string, string> {
  const beside = (name: string) => join(dirname(watchFilePath(paths, SESSION)), name);
  const window = (name: string) => windowFile(paths, mainAgentOf(SESSION), name);
  const inbox = inboxPath(paths, TEAM, "bob");
  const inRepository = (...parts: string[]) =>
    repositoryPath(paths, { common: join(project, ".git") }, ...parts);
  return {
    settings: pathsOf.personalSettingsPath(paths),
    "project settings": join(project, ".atm.toml"),
    "client settings": pathsOf.clientSettingsPath(paths),
    plugins: pathsOf.installedPluginsPath(paths),
    session: sessionPath(paths, SESSION),
    "a session of 0.1.0": pathsOf.swarmPath(paths, "sessions", `${SESSION}.json`),
    "a session alone": sessionPath(paths, "s-alone"),
    subagent: subagentPath(paths, SESSION, "a1"),
    process: pathsOf.processPath(paths, 4711),
    gates: pathsOf.gatesPath(paths, SESSION, "main"),
    spawns: spawnLedgerPath(paths, SESSION),
    bridge: windowReadingPath(paths, SESSION),
    levels: agentContextPath(paths, SESSION, "main"),
    due: dueWarningPath(paths, SESSION),
    statusline: statuslinePath(paths),
    journal: pathsOf.journalPath(paths, new Date().toISOString().slice(0, 10)),
    errors: pathsOf.errorsPath(paths),
    "guarded calls": pathsOf.guardedCallsPath(paths),
    notices: noticesPath(paths, TEAM),
    upkeep: pathsOf.upkeepPath(paths),
    "effort task": effortTaskPath(paths, "work"),
    effort: effortPath(paths, 1),
    "effort messages": messagesPath(paths, 1),
    "active effort": activeMarkPath(paths, 1),
    "effort link": window("link.json"),
    beats: window("beats"),
    entries: window("entries"),
    loaded: window("loaded"),
    call: window("call.json"),
    team: teamConfigPath(paths, TEAM),
    budget: join(paths.base, "swarm/cost/budget.json"),
    "cost index": join(paths.base, "swarm/cost/index.jsonl"),
    "a call that waits": join(paths.base, "swarm/notify/pending/x.json"),
    "calls made": join(paths.base, "swarm/notify/sent.json"),
    "rate limits": join(paths.base, "swarm/quota/readings.jsonl"),
    inbox,
    "marks of 0.1.0": `${inbox}.shown`,
    "taken marks of 0.1.0": `${inbox}.shown.taken`,
    "a change to the inbox": join(paths.base, "teams", TEAM, "spool/bob/000000000001-a.json"),
    "a broadcast": join(paths.base, "teams", TEAM, "broadcasts/000000000001-a+bob.json"),
    "a change to the team": join(paths.base, "teams", TEAM, "config-spool/000000000001-a.json"),
    "inbox lock": `${inbox}.lock`,
    "lead's inbox": inboxPath(paths, TEAM, "team-lead"),
    archive: mailboxFiles(paths, TEAM, "bob").archive,
    "wake trigger 0": wakeTriggerPath(paths, TEAM, "bob", 0),
    "wake trigger 1": wakeTriggerPath(paths, TEAM, "bob", 1),
    "mail marks": mailMarkPath(paths, SESSION),
    "watch file": watchFilePath(paths, SESSION),
    unconfirmed: beside("told.jsonl"),
    listed: beside("listed"),
    turn: beside("turn"),
    wake: beside("wake"),
    heartbeat: heartbeatPath(paths, TEAM, "bob"),
    "the lead's heartbeat": heartbeatPath(paths, TEAM, "team-lead"),
    "lifecycle log": lifecycleLogPath(paths),
    "daemon's socket": daemonSocketPath(paths),
    "daemon's port": daemonPortPath(paths),
    "spawn debug": spawnDebugPath(paths),
    breadcrumb: breadcrumbPath(paths),
    task: taskPath(paths, TEAM, "1"),
    "task list": join(tasksDir(paths, TEAM), ".highwatermark"),
    "task lock": join(tasksDir(paths, TEAM), ".lock"),
    "task index": indexPath(paths, tasksDir(paths, TEAM)),
    transcript: join(project, "transcript.jsonl"),
    "agent definition": join(project, ".claude/agents/Explore.md"),
    "page of the day": join(project, `.claude/scratchpad/${new Date().toISOString().slice(0, 10)}.md`),
    pauses: pathsOf.swarmPath(paths, "pauses.json"),
    "where a paused agent stopped": pathsOf.swarmPath(paths, "paused", SESSION, "main.json"),
    "checks of tasks": pathsOf.swarmPath(paths, "verified", SESSION, "1.json"),
    "offers made": pathsOf.swarmPath(paths, "setup.json"),
    "a report": pathsOf.swarmPath(paths, "reports", "x.html"),
    "an agent in the repository": inRepository("agents", "tree.s-bob"),
    "claims of files": inRepository("claims.json"),
    "ledger of the repository": inRepository("ledger", "00.jsonl"),
    "merge forecast": inRepository("forecast.json"),
    "turns with the index": inRepository("index-turns.json"),
    "test runs": inRepository("runs.jsonl"),
    "notes about trees": pathsOf.swarmPath(paths, "tree-notes", `${SESSION}.jsonl`),
    "a worktree": pathsOf.swarmPath(paths, "trees", TEAM, "bob.json"),
    "a saved patch": savedPatchPath(paths, "x"),
    relay: relayPath(paths, TEAM),
    receipts: receiptsPath(paths, TEAM),
    courier: courierPath(paths),
    "relay server": join(serverDir(paths, TEAM), "nats.conf"),
    "prompt of a member": promptPath(paths, TEAM, "bob"),
    "log of a member": memberLogPath(paths, TEAM, "bob"),
    ...Object.fromEntries(
      ["PreToolUse", "SessionStart", "Stop"].map((event) => [
        `stamp of ${event}`,
        pathsOf.firedPath(paths, event),
      ]),
    ),
  };
}

const servers: Server[] = [];

const THINGS: Record<string, (path: string) => unknown> = {
  FIFO: (path) => execFileSync("mkfifo", [path]),
  directory: (path) => mkdirSync(path),
  "link to a FIFO": (path) => {
    execFileSync("mkfifo", [`${path}.fifo`]);
    symlinkSync(`${path}.fifo`, path);
  },
  // Bound under a short name: a socket's path may not be long.
  socket: (path) =>
    new Promise<void>((resolve) => {
      const short = join(inMemory(), `swarm-${process.pid}-${servers.length}`);
      const server = createServer().listen(short, () => {
        renameSync(short, path);
        resolve();
      });
      servers.push(server);
    }),
};

/** What stands there becomes the thing; a file below it cannot be there then. */
async function put(thing: string, path: string) {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  await THINGS[thing]?.(path);
}

const NAMES = readdirSync(join(ROOT, "test/payloads")).map((name) => basename(name, ".json"));
const payloads = new Map(
  HOOKS.map((hook) => {
    const event = hook.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
    const name = [event, `${event}-Bash`].find((one) => NAMES.includes(one));
    return [hook, payload(name ?? NAMES.find((one) => one.startsWith(`${event}-`)) ?? "")] as const;
  }),
);

let lane: Awaited<ReturnType<typeof aFilledHome>>;

beforeAll(async () => {
  lane = await aFilledHome(inMemory());
}, 60_000);

afterAll(() => {
  for (const server of servers) server.close();
  lane.remove();
});

/** The home as it was, with a repository around the project. */
function renewed(): void {
  lane.renew();
  mkdirSync(join(lane.home.project, ".git"), { recursive: true });
  writeFileSync(join(lane.home.project, ".git", "HEAD"), "ref: refs/heads/main\n");
}

async function failuresOf(hooks: readonly string[]): Promise<string[]> {
  const failures: string[] = [];
  const note = (what: string, { hung, exitCode, ms }: Ran) => {
    if (hung || exitCode !== 0) failures.push(`${what}: ${hung ? `hung for ${ms} ms` : `exit ${exitCode}`}`);
  };
  await inLanes(2, hooks, async (hook) => {
    const given = {
      ...payloads.get(hook),
      cwd: lane.home.project,
      transcript_path: join(lane.home.project, "transcript.jsonl"),
    };
    const start = { hangsAfterMs: LIMIT_MS };
    note(
      hook,
      await startHook(lane.home, hook, { ...given, session_id: SESSION }, { ...start, env: as("bob") }),
    );
    if (hook === "pre-tool-use")
      note(`${hook} alone`, await startHook(lane.home, hook, { ...given, session_id: "s-alone" }, start));
  });
  return failures;
}

test("every kind of state file is among the places", () => {
  const { home } = lane;
  const known = Object.values(pathsFrom(home)).map((path) =>
    kindOf(path.slice(home.path(".claude").length + 1)),
  );
  const inTemp = Object.values(pathsFrom(home)).map((path) => kindOf(`tmp/${basename(path)}`));
  const lifecycle = kindOf("daemon/hooks/events.jsonl");
  const missing = FILE_KINDS.filter((kind) => ![...known, ...inTemp, lifecycle].includes(kind)).map(
    ({ name }) => name,
  );
  // What is put aside is never opened again; bytecode has its own tests (test/hook/loader.slow.test.ts).
  expect(missing.sort()).toEqual([
    "archived teams",
    "bytecode",
    "damaged files",
    "half-written files",
    "inboxes of removed members",
    "inboxes that were too large",
  ]);
});

test.each(Object.keys(THINGS))(
  "a %s in every place at once: every hook ends, and ends well",
  async (thing) => {
    renewed();
    for (const path of Object.values(pathsFrom(lane.home))) await put(thing, path);
    expect(lstatSync(sessionPath(lane.home.paths, SESSION)).isFile()).toBe(false);
    expect(await failuresOf(HOOKS)).toEqual([]);
  },
  120_000,
);

describe.each(isLong ? Object.keys(THINGS) : ["FIFO"])("a %s", (thing) => {
  test(
    "in one place after the other",
    async () => {
      const failures: string[] = [];
      for (const [name, path] of Object.entries(pathsFrom(lane.home))) {
        renewed();
        await put(thing, path);
        failures.push(...(await failuresOf(isLong ? HOOKS : BUSIEST)).map((one) => `${name}: ${one}`));
      }
      expect(failures).toEqual([]);
    },
    isLong ? 1_800_000 : 300_000,
  );
});
