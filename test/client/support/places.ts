// The directories of a world and the environment its client starts with.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { API_KEY, seedConfig } from "./seed.ts";

export type Paths = {
  root: string;
  home: string;
  configDir: string;
  project: string;
  tmp: string;
  observerLog: string;
};

export function makePlaces(settings: object, files: Record<string, string>): Paths {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "swarm-world-")));
  const [home, project, tmp] = [join(root, "home"), join(root, "project"), join(root, "tmp")];
  for (const dir of [home, project, tmp]) mkdirSync(dir);
  for (const [name, text] of Object.entries(files)) write(join(project, name), text);
  startRepository(project);
  const configDir = join(home, ".claude");
  seedConfig(configDir, project, settings);
  return { root, home, configDir, project, tmp, observerLog: join(root, "observed.jsonl") };
}

function write(file: string, text: string) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function startRepository(cwd: string) {
  const git = (...args: string[]) => execFileSync("git", args, { cwd, env: { PATH: path() } });
  git("init", "-q", "-b", "main");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "start");
}

const path = () => process.env["PATH"] ?? "";

export const environmentOf = (paths: Paths, modelUrl: string): Record<string, string> => ({
  PATH: path(),
  HOME: paths.home,
  TMPDIR: paths.tmp,
  SHELL: "/bin/bash",
  TERM: "xterm-256color",
  LANG: "C.UTF-8",
  CLAUDE_CONFIG_DIR: paths.configDir,
  ANTHROPIC_BASE_URL: modelUrl,
  ANTHROPIC_API_KEY: API_KEY,
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  IS_SANDBOX: "1",
  OBSERVER_LOG: paths.observerLog,
});
