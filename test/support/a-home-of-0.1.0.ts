// A home that 0.1.0 left behind (test/fixtures/home-0.1.0, made by test/fixtures/make-home.mjs with that version's own scripts), and the
// scripts of both versions in it: this one's in this process, the old ones as processes.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { taskIdOf } from "../../lib/efforts/store/efforts.ts";
import { startOf } from "../../lib/system/processes.ts";
import { aHome, type Home } from "./a-home.ts";
import { type Ended, runInProcess } from "./in-process.ts";
import { endProcessesOf } from "./processes-of-a-home.ts";
import { cleanEnv, ROOT } from "./run-built.ts";

export const FIXTURE = join(ROOT, "test/fixtures/home-0.1.0");
const RELEASE_0_1_0 = "7d01adf";
export const NEW = join(ROOT, "plugin");

/** The built code of 0.1.0, where the repository's history is at hand. */
export const OLD = ((): string | undefined => {
  const archive = spawnSync("git", ["-C", ROOT, "archive", RELEASE_0_1_0, "bin", "dist", "hooks.json"], {
    maxBuffer: 64 * 1024 * 1024,
  });
  if (archive.status !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "swarm-0.1.0-"));
  execFileSync("tar", ["-x", "-C", folder], { input: archive.stdout });
  return folder;
})();
afterAll(() => {
  if (OLD) rmSync(OLD, { recursive: true, force: true });
});

const AGENTS = ["lead", "alice", "bob", "captain"] as const;
export type Agent = (typeof AGENTS)[number];
export const sessionOf = (who: Agent) => `5e55${AGENTS.indexOf(who)}000-0000-4000-8000-000000000000`;

export interface World extends Home {
  clients: Record<Agent, ChildProcess>;
}

/** A stand-in process for each client, since who is alive is decided by that. */
const start = () => spawn("sleep", ["600"], { stdio: "ignore" });
let clients: World["clients"];
beforeAll(() => {
  clients = { lead: start(), alice: start(), bob: start(), captain: start() };
});
afterAll(() => {
  for (const client of Object.values(clients)) client.kill();
});

/** The fixture in a home of its own. */
export function aHomeOf010(): World {
  const home = aHome();
  onTestFinished(() => endProcessesOf(home.root));
  const filled = (text: string) => {
    let result = text
      .replaceAll("__HOME__", home.root)
      .replaceAll("__PLUGIN__", join(home.root, "plugins/cache/swarm/0.1.0"))
      .replaceAll("__TASK__", taskIdOf(join(home.project, "reviews/parser")));
    for (const [name, { pid = 0 }] of Object.entries(clients))
      result = result
        .replaceAll(`__PID_${name}__`, String(pid))
        .replaceAll(`__STARTED_${name}__`, startOf(pid) ?? "");
    return result;
  };
  for (const name of readdirSync(FIXTURE, { recursive: true, encoding: "utf8" })) {
    if (!statSync(join(FIXTURE, name)).isFile()) continue;
    const path = home.path(filled(name).replaceAll(/(^|\/)dot-/g, "$1."));
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, filled(readFileSync(join(FIXTURE, name), "utf8")), { mode: 0o600 });
  }
  mkdirSync(home.path("pier"), { recursive: true });
  return { ...home, clients };
}

const cwdOf = (home: World, who: Agent) => (who === "captain" ? home.path("pier") : home.project);

export function environment(home: World, who: Agent, more: Record<string, string> = {}) {
  const isTeammate = who === "alice" || who === "bob";
  return cleanEnv(home, {
    CLAUDE_PROJECT_DIR: cwdOf(home, who),
    CLAUDE_CODE_SESSION_ID: sessionOf(who),
    CLAUDE_PID: String(home.clients[who].pid),
    CLAUDECODE: "1",
    ...(isTeammate ? { CLAUDE_CODE_TEAM_NAME: "harbour", CLAUDE_CODE_AGENT_NAME: who } : {}),
    ...more,
  });
}

export function swarm(
  home: World,
  who: Agent,
  args: string[],
  { version = NEW, more = {}, mayFail = false } = {},
) {
  const place = { cwd: cwdOf(home, who), env: environment(home, who, more) };
  const done =
    version === NEW
      ? runInProcess({ name: "swarm", args, input: "", ...place })
      : ofAProcess([join(version, "bin/swarm"), ...args], { ...place, input: "" });
  if (!mayFail) expect(done.stderr || `exit code ${done.exitCode}`).toBe("exit code 0");
  return done.stdout;
}

function ofAProcess(
  args: string[],
  place: { cwd: string; env: Record<string, string>; input: string },
): Ended {
  const done = spawnSync(process.execPath, args, { ...place, encoding: "utf8", timeout: 60_000 });
  return { exitCode: done.status ?? -1, stdout: done.stdout, stderr: done.stderr };
}

export const json = (home: World, who: Agent, args: string[], given: { version?: string } = {}) =>
  JSON.parse(swarm(home, who, [...args, "--json"], given));

const scriptOf = (event: string) => event.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

export function hookCall(home: World, who: Agent, event: string, input: object, version: string) {
  return {
    args: [join(version, `dist/hooks/${scriptOf(event)}.cjs`)],
    options: { cwd: cwdOf(home, who), env: environment(home, who, { CLAUDE_PLUGIN_ROOT: version }) },
    input: JSON.stringify({
      session_id: sessionOf(who),
      cwd: cwdOf(home, who),
      hook_event_name: event,
      transcript_path: home.path("transcripts", `${who}.jsonl`),
      ...input,
    }),
  };
}

/** What the hook gave the model. */
export function hook(home: World, who: Agent, event: string, input: object, version = NEW): string {
  const { args, options, input: text } = hookCall(home, who, event, input, version);
  const { stdout, ...ended } =
    version === NEW
      ? runInProcess({ name: scriptOf(event), args: [], input: text, ...options })
      : ofAProcess(args, { ...options, input: text });
  expect(ended).toEqual({ exitCode: 0, stderr: "" });
  return stdout;
}

export const contents = (text: string) =>
  [...text.matchAll(/<content>(.*?)<\/content>/gs)].map((found) => found[1] ?? "");
export const prompt = (home: World, who: Agent, version = NEW) =>
  contents(hook(home, who, "UserPromptSubmit", { prompt: "go on" }, version));
export const stop = (home: World, who: Agent, version = NEW) =>
  contents(hook(home, who, "Stop", { last_assistant_message: "done" }, version));
