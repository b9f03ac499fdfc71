// A throw-away world for the real client: home, configuration, git project, temp directory and a mock model.
// Nothing of the machine's environment gets in but PATH, and nothing stays behind.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, clientBinary } from "./clients.ts";
import { type MockModel, startMockModel } from "./mock-model.ts";
import { endProcessesOf, processesOf } from "./processes.ts";
import { type Ran, run } from "./run.ts";
import type { Scripts } from "./script.ts";
import { API_KEY, seedConfig } from "./seed.ts";
import { seenText } from "./seen.ts";
import { startTui, type Tui } from "./tui.ts";

/** The project, which is also the plugin under test. */
export const ROOT = fileURLToPath(new URL("../../../", import.meta.url)).slice(0, -1);
export const OBSERVER = join(ROOT, "test/client/observer");

/** Native teams, and with them the task tools and SendMessage on every model. */
export const TEAMS = {
  CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: "1",
  CLAUDE_CODE_ENABLE_TODO_TOOLS: "1",
  ENABLE_TOOL_SEARCH: "false",
};

export type WorldOptions = {
  client: Client;
  scripts?: Scripts;
  plugins?: string[];
  settings?: object;
  env?: Record<string, string>;
  /** Files of the project, by path. */
  files?: Record<string, string>;
};

export type Observed = {
  payload: { hook_event_name: string; session_id: string } & Record<string, unknown>;
  env: { TMUX_PANE?: string; CLAUDE_PID?: string; CLAUDE_PLUGIN_ROOT: string };
};

export type World = {
  root: string;
  project: string;
  configDir: string;
  env: Record<string, string>;
  model: MockModel;
  print: (prompt: string, args?: string[]) => Promise<Ran>;
  cli: (...args: string[]) => Promise<Ran>;
  tui: (...args: string[]) => Promise<Tui>;
  /** What the model saw, one text per request that this script answered. */
  seen: (script: string) => string[];
  /** What the observer plugin recorded. */
  observed: (event: string) => Observed[];
  /** What of this world still runs. */
  processes: () => number[];
  dispose: () => Promise<void>;
};

export async function makeWorld(options: WorldOptions): Promise<World> {
  const { client, scripts = {}, plugins = [ROOT], settings = {}, files = {} } = options;
  const binary = await clientBinary(client);
  const root = realpathSync(mkdtempSync(join(tmpdir(), "swarm-world-")));
  const project = makeProject(join(root, "project"), files);
  const home = join(root, "home");
  const configDir = join(home, ".claude");
  seedConfig(configDir, project, settings);
  mkdirSync(join(root, "tmp"));

  const model = await startMockModel(scripts);
  const observations = join(root, "observed.jsonl");
  const env = {
    ...environment(root, home, configDir, model.url),
    OBSERVER_LOG: observations,
    ...options.env,
  };
  const session = [
    "--permission-mode",
    "bypassPermissions",
    ...plugins.flatMap((dir) => ["--plugin-dir", dir]),
  ];
  const screens: Tui[] = [];
  const cli = (...args: string[]) => run(binary, args, { cwd: project, env });

  return {
    root,
    project,
    configDir,
    env,
    model,
    cli,
    print: (prompt, args = []) => cli("-p", prompt, ...session, ...args),
    async tui(...args) {
      const socket = join(root, `tmux-${screens.length}`);
      const screen = startTui({ binary, args: [...session, ...args], cwd: project, env, socket });
      screens.push(screen);
      await screen.wait(/❯/);
      return screen;
    },
    seen: (script) =>
      model.requests.filter((request) => request.script === script).map(({ body }) => seenText(body)),
    observed: (event) =>
      readLines<Observed>(observations).filter(({ payload }) => payload.hook_event_name === event),
    processes: () => processesOf(home),
    async dispose() {
      for (const screen of screens) screen.close();
      await endProcessesOf(home);
      model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

function makeProject(project: string, files: Record<string, string>): string {
  mkdirSync(project);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project, env: { PATH: path() } });
  git("init", "-q", "-b", "main");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "start");
  return project;
}

const path = () => process.env["PATH"] ?? "";

const environment = (root: string, home: string, configDir: string, modelUrl: string) => ({
  PATH: path(),
  HOME: home,
  TMPDIR: join(root, "tmp"),
  SHELL: "/bin/bash",
  TERM: "xterm-256color",
  LANG: "C.UTF-8",
  CLAUDE_CONFIG_DIR: configDir,
  ANTHROPIC_BASE_URL: modelUrl,
  ANTHROPIC_API_KEY: API_KEY,
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  IS_SANDBOX: "1",
});

function readLines<T>(file: string): T[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}
