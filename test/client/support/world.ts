// A throw-away world for the real client: home, configuration, git project, temp directory and a mock model.
// Nothing of the machine's environment gets in but PATH, and nothing stays behind.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cleanUpAfterUs } from "../../support/after-us.ts";
import { endProcessesOf, processesOf } from "../../support/processes-of-a-home.ts";
import { type Client, clientBinary } from "./clients.ts";
import { type MockModel, startMockModel } from "./mock-model.ts";
import { type Observed, readObserved } from "./observer.ts";
import { environmentOf, makePlaces, type Paths } from "./places.ts";
import { type Ran, run } from "./run.ts";
import type { Cues, Scripts } from "./script.ts";
import { newsOf, textOf } from "./seen.ts";
import { startTui, type Tui } from "./tui.ts";

/** The project, which is also the plugin under test. */
export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** A plugin that only watches. */
/** What the client is given: the folder that a marketplace installs. */
export const PLUGIN = join(ROOT, "plugin");
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
  cues?: Cues;
  plugins?: string[];
  settings?: object;
  /** The permission mode of its sessions; by default nothing is asked. */
  mode?: string;
  env?: Record<string, string>;
  /** Files of the project, by path. */
  files?: Record<string, string>;
};

export type World = Paths & {
  env: Record<string, string>;
  model: MockModel;
  print: (prompt: string, args?: string[]) => Promise<Ran>;
  cli: (...args: string[]) => Promise<Ran>;
  tui: (...args: string[]) => Promise<Tui>;
  /** What was new to the model, one text per request that this script answered. */
  seen: (script: string) => string[];
  /** The whole conversation at the last request that this script answered. */
  conversation: (script: string) => string;
  /** What the observer plugin recorded. */
  observed: (event: string) => Observed[];
  /** What of this world still runs. */
  processes: () => number[];
  dispose: () => Promise<void>;
};

export async function makeWorld(options: WorldOptions): Promise<World> {
  const { client, scripts = {}, plugins = [PLUGIN], settings = {}, files = {} } = options;
  const { mode = "bypassPermissions" } = options;
  const binary = await clientBinary(client);
  const paths = makePlaces(settings, files);
  const allClean = cleanUpAfterUs(paths.home, paths.root);
  const model = await startMockModel(scripts, options.cues);
  const env = { ...environmentOf(paths, model.url), ...options.env };
  const cwd = paths.project;
  const session = ["--permission-mode", mode, ...plugins.flatMap((dir) => ["--plugin-dir", dir])];
  const screens: Tui[] = [];
  const cli = (...args: string[]) => run(binary, args, { cwd, env });

  return {
    ...paths,
    ...eyesOn(model, paths),
    env,
    model,
    cli,
    print: (prompt, args = []) => cli("-p", prompt, ...session, ...args),
    async tui(...args) {
      const socket = join(paths.root, `tmux-${screens.length}`);
      const screen = startTui({ binary, args: [...session, ...args], cwd, env, socket });
      screens.push(screen);
      await screen.wait(/❯/);
      return screen;
    },
    async dispose() {
      for (const screen of screens) screen.close();
      await endProcessesOf(paths.home, 3_000);
      model.close();
      rmSync(paths.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      allClean();
    },
  };
}

function eyesOn(model: MockModel, { home, observerLog }: Paths) {
  const asked = (script: string) => model.requests.filter((request) => request.script === script);
  return {
    seen: (script: string) => asked(script).map(({ body }) => newsOf(body)),
    conversation: (script: string) => textOf(asked(script).at(-1)?.body.messages ?? []),
    observed: (event: string) => readObserved(observerLog, event),
    processes: () => processesOf(home),
  };
}
