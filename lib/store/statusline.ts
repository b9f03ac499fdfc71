// The status line in the person's settings. A plugin cannot bring one, and its folder moves with every update: so the
// settings name a small launcher in our own directory, which finds the plugin's present place.
import { chmodSync, existsSync, realpathSync, rmSync, statSync } from "node:fs";
import { withMember } from "../parse/json-edit.ts";
import { maybe, maybeText, object, someText } from "../parse/shape.ts";
import { clientSettingsPath, launcherPath, type Places, statuslinePath } from "./paths.ts";
import { readJson } from "./read-json.ts";
import { readText } from "./read-text.ts";
import { writeJson, writeWhole } from "./write-file.ts";

const PREVIOUS_LIMIT_MS = 2_000;

const line = object({ type: maybeText, command: maybeText });
const installed = object({ root: someText, previous: maybe(line) });
const clientSettings = object({ statusLine: maybe(line) });

type Line = ReturnType<typeof line>;
export type Installed = ReturnType<typeof installed>;

export const readInstalled = (places: Places): Installed | undefined =>
  existsSync(statuslinePath(places)) ? readJson(statuslinePath(places), installed) : undefined;

export const writeInstalled = (places: Places, state: Installed): void =>
  writeJson(statuslinePath(places), state);

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

const commandFor = (places: Places) => `node '${launcherPath(places).replaceAll("'", "'\\''")}'`;

export interface Change {
  settings: string;
  /** The command that was there before and goes on, or is there again. */
  previous: string | undefined;
  changed: boolean;
}

export function installLine(places: Places, root: string): Change {
  const { text, line } = readClientSettings(places);
  const before = isOurs(places, line) ? readInstalled(places)?.previous : line;
  writeInstalled(places, { root, ...(before ? { previous: before } : {}) });
  writeWhole(launcherPath(places), LAUNCHER);
  const ours = { ...before, type: "command", command: commandFor(places) };
  if (!isOurs(places, line)) writeClientSettings(places, withMember(text, "statusLine", ours));
  return { settings: clientSettingsPath(places), previous: before?.command, changed: !isOurs(places, line) };
}

/** Somebody else's line that has taken our place meanwhile is left alone. */
export function removeLine(places: Places): Change {
  const { text, line } = readClientSettings(places);
  const previous = readInstalled(places)?.previous;
  const changed = isOurs(places, line);
  if (changed) writeClientSettings(places, withMember(text, "statusLine", previous));
  for (const path of [launcherPath(places), statuslinePath(places)]) rmSync(path, { force: true });
  return {
    settings: clientSettingsPath(places),
    previous: changed ? previous?.command : line?.command,
    changed,
  };
}

const isOurs = (places: Places, line: Line | undefined) => line?.command === commandFor(places);

function readClientSettings(places: Places): { text: string; line: Line | undefined } {
  const path = clientSettingsPath(places);
  const text = readText(path) || "{}\n";
  try {
    return { text, line: clientSettings(JSON.parse(text), "").statusLine };
  } catch (error) {
    throw new Error(`${path} cannot be used (${(error as Error).message}); it was left alone`);
  }
}

/** Through a link, and with the permissions the file had. */
function writeClientSettings(places: Places, text: string): void {
  const asked = clientSettingsPath(places);
  const stat = statSync(asked, { throwIfNoEntry: false });
  const path = stat ? realpathSync(asked) : asked;
  writeWhole(path, text);
  if (stat) chmodSync(path, stat.mode & 0o777);
}

/** What the person's earlier line prints for the same input; empty if it fails or takes too long. */
export function runPrevious({ previous }: Installed, input: string): string {
  if (!previous?.command) return "";
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
