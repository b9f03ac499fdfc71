// The status line in the person's settings.json. A plugin cannot bring one, and its folder changes with every update: so the
// settings name a launcher, swarm/statusline.cjs, which reads the plugin's present folder from swarm/statusline.json.

import { rmSync } from "node:fs";
import { readClientSetting, writeClientSetting } from "../../core/client-settings.ts";
import type { FileKind } from "../../core/file-kind.ts";
import { writeJson, writeWhole } from "../../core/files.ts";
import { readJson } from "../../core/json.ts";
import { clientSettingsPath, type Paths, swarmPath } from "../../core/paths.ts";
import { lenient, maybe, maybeText, parserOf, someText } from "../../core/schema.ts";
import { shellQuoted } from "../../core/text.ts";

export const STATUS_LINE_FILES: FileKind = {
  name: "status line",
  path: "swarm/{statusline.json,statusline.cjs}",
  kept: "one of each",
};

const PREVIOUS_LIMIT_MS = 2_000;

export const statuslinePath = (paths: Paths) => swarmPath(paths, "statusline.json");
const launcherPath = (paths: Paths) => swarmPath(paths, "statusline.cjs");

const lineSchema = () => lenient({ type: maybeText, command: maybeText });
const parseLine = parserOf(() => maybe(lineSchema()));
const parseInstalled = parserOf(() => lenient({ root: someText, previous: maybe(lineSchema()) }));

type Line = NonNullable<ReturnType<typeof parseLine>>;
type Installed = ReturnType<typeof parseInstalled>;

export const readInstalled = (paths: Paths): Installed | undefined =>
  readJson(statuslinePath(paths), parseInstalled);

export const writeInstalled = (paths: Paths, state: Installed): void =>
  writeJson(statuslinePath(paths), state);

const LAUNCHER = `// Written by Swarm (swarm statusline install): runs the status line of the plugin's present version.
const { constants, fstatSync, openSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const fd = openSync(join(__dirname, "statusline.json"), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
if (!fstatSync(fd).isFile()) throw new Error("statusline.json is not a regular file");
const { root, previous } = JSON.parse(readFileSync(fd, "utf8"));
try {
  process.argv.splice(2, 0, "statusline");
  require(join(root, "bin", "swarm"));
} catch (error) {
  if (error.code !== "MODULE_NOT_FOUND" && error.code !== "ENOENT") throw error;
  // The plugin is gone: the line that was there before goes on.
  if (previous?.command) require("node:child_process").spawnSync(previous.command, { shell: true, stdio: "inherit" });
}
`;

const commandFor = (paths: Paths) => `node ${shellQuoted(launcherPath(paths))}`;

/** Returns the command that was there before and goes on. */
export function installLine(paths: Paths, root: string) {
  const line = readLine(paths);
  const changed = !isOurs(paths, line) && !(startsLauncher(line) && !isLauncher(line));
  const stored = readInstalled(paths)?.previous;
  const before = startsLauncher(line) ? stored : line;
  const previous = startsLauncher(before) ? undefined : before;
  writeInstalled(paths, { root, previous });
  writeWhole(launcherPath(paths), LAUNCHER);
  const ours = { ...previous, type: "command", command: commandFor(paths) };
  if (changed) writeClientSetting(paths, "statusLine", ours);
  return { previous: previous?.command, changed };
}

/** Returns the command that is there again. A line that somebody has set meanwhile is left alone. */
export function removeLine(paths: Paths) {
  const line = readLine(paths);
  const previous = readInstalled(paths)?.previous;
  const changed = isOurs(paths, line) || isLauncher(line);
  if (!changed && startsLauncher(line))
    throw new Error(
      `your status line starts ours: take ours out of it in ${clientSettingsPath(paths)} first: ${line?.command}`,
    );
  if (changed) writeClientSetting(paths, "statusLine", previous);
  for (const path of [launcherPath(paths), statuslinePath(paths)]) rmSync(path, { force: true });
  return { previous: changed ? previous?.command : line?.command, changed };
}

const isOurs = (paths: Paths, line: Line | undefined) => line?.command === commandFor(paths);

// Its path may be spelled in another way, as through a link, and a person may have put a command around it. As the line that was
// there before, it would start itself for ever.
const startsLauncher = (line: Line | undefined) =>
  /[\\/]swarm[\\/]statusline\.cjs\b/.test(line?.command ?? "");
/** Nothing but the launcher. */
const isLauncher = (line: Line | undefined) =>
  /^\s*node\s+(?:'[^']*'|"[^"]*"|[^\s'"|;&]+)\s*$/.test(line?.command ?? "") && startsLauncher(line);

const readLine = (paths: Paths) => readClientSetting(paths, "statusLine", parseLine);

/** What the person's earlier line prints for the same input; empty if it fails or takes too long. */
export function runPrevious(paths: Paths, input: string): string {
  const previous = readInstalled(paths)?.previous;
  if (!previous?.command || startsLauncher(previous)) return "";
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const { stdout } = spawnSync(previous.command, {
    shell: true,
    input,
    timeout: PREVIOUS_LIMIT_MS,
    killSignal: "SIGKILL",
    stdio: ["pipe", "pipe", "ignore"],
    encoding: "utf8",
  });
  return stdout?.trimEnd() ?? "";
}
