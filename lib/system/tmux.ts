// tmux, by its command: arguments as a list, never through a shell.
import type { SpawnSyncReturns } from "node:child_process";
import { attempt } from "../core/files.ts";
import type { Env } from "../core/process.ts";
import { startInBackground } from "./programs.ts";

/** `undefined` removes an option; a border that its window no longer needs goes too. Not waited for: a colour is not worth a hook's time. */
export function setPaneOptions(
  tmux: string,
  pane: string,
  options: Readonly<Record<string, string | undefined>>,
): void {
  const words = Object.entries(options).flatMap(([name, value]) => [
    ...["set-option", "-p", "-t", pane],
    ...(value === undefined ? ["-u", name] : [name, value]),
    ";",
  ]);
  const args = ["-S", socketOf(tmux), ...words, ...withoutBorder(pane)];
  attempt(() => startInBackground({ program: "tmux", args })); // no tmux on the PATH: no colour
}

/** Takes away what a session's status sets on its pane. */
export const PLAIN_PANE = { "window-style": undefined, "pane-border-format": undefined };

// Borders have no text in a tmux with its own defaults. A window that gets a teammate shows it until the last one has left; a person who
// has set `pane-border-status` keeps it. The window's option says that it was us.
const HAS_NO_STATUS = "#{==:#{pane-border-status},off}";
const IS_UNUSED = "#{&&:#{@swarm_border},#{==:#{P:#{@swarm}},}}";

const withBorder = (pane: string): string[] => [
  ...["if-shell", "-F", "-t", pane, HAS_NO_STATUS],
  `set-option -w -t ${pane} pane-border-status top ; set-option -w -t ${pane} @swarm_border on`,
];

/** The target is a pane or a window. */
const withoutBorder = (target: string): string[] => [
  ...["if-shell", "-F", "-t", target, IS_UNUSED],
  `set-option -w -u -t ${target} pane-border-status ; set-option -w -u -t ${target} @swarm_border`,
];

/** `$TMUX` is socket, server's pid and session. */
export const socketOf = (tmux: string): string => tmux.split(",")[0] ?? "";

export interface Server {
  /** Absent: the person's usual server, which tmux finds or starts by itself. */
  socket?: string;
  /** What a server started by this call inherits. */
  env?: Env;
}

export interface Opening {
  program: string;
  args: string[];
  cwd: string;
  title: string;
  set: Record<string, string>;
  unset: readonly string[];
  /** Ours, by this value of the pane's `@swarm` option. */
  mark: string;
}

export type Place =
  /** `bordered`: its window shows the status on the borders. */
  | { kind: "beside"; pane: string; down: boolean; bordered: boolean }
  | { kind: "window"; session: string }
  | { kind: "session"; name: string };

/** tmux refuses a longer command: 16 KB are its limit for one message. */
export const LONGEST_COMMAND_BYTES = 15_000;
const LIMIT_MS = 5_000;

export function openPane(server: Server, place: Place, opening: Opening) {
  const made = madePane(server, place, opening);
  const { id } = made;
  // What it printed last stays readable until it is known to be up.
  const kept = tryAsk(server, ["set-option", "-p", "-t", id, "remain-on-exit", "on"]);
  if (kept.status !== 0) throw new Error(`${opening.program} ended before a word`);
  ask(server, ["set-option", "-p", "-t", id, "@swarm", opening.mark]);
  if (place.kind === "beside" && place.bordered) tryAsk(server, withBorder(id));
  if (place.kind === "beside" && place.down) tryAsk(server, ["select-layout", "-E", "-t", id]);
  return made;
}

/** A window of its own where the pane to split has become too small, or a person still uses the member's session. */
function madePane(
  server: Server,
  place: Place,
  opening: Opening,
): { id: string; pid: number; socket: string } {
  const words = [...placeWords(place, opening.title), ...commandWords(opening)];
  const answer = tryAsk(server, words);
  if (place.kind === "beside" && /no space for/.test(answer.stderr))
    return madePane(server, { kind: "window", session: sessionOf(server, place.pane) }, opening);
  if (place.kind === "session" && /duplicate session/.test(answer.stderr))
    return madePane(server, { kind: "window", session: place.name }, opening);
  const [id = "", pid = "", socket = ""] = outputOf(`tmux ${words[0]}`, answer)
    .trim()
    .split(/ (.*?) (.*)/);
  return { id, pid: Number(pid), socket };
}

const sessionOf = (server: Server, pane: string) =>
  ask(server, ["display-message", "-p", "-t", pane, "#{session_id}"]).trim();

function placeWords(place: Place, title: string): string[] {
  if (place.kind === "beside") return ["split-window", "-d", place.down ? "-v" : "-h", "-t", place.pane];
  if (place.kind === "window") return ["new-window", "-d", "-n", title, "-t", `${place.session}:`];
  return ["new-session", "-d", "-s", place.name, "-n", title, "-x", "200", "-y", "50"];
}

/** Several words after `--` are run as they are; `env` only takes variables away, so no value stands in a pane's command. */
const commandWords = ({ program, args, cwd, set, unset }: Opening): string[] => [
  ...["-P", "-F", "#{pane_id} #{pane_pid} #{socket_path}"],
  ...["-c", cwd.replaceAll("#", "##")], // a directory is read as a format
  ...Object.entries(set).flatMap(([name, value]) => ["-e", `${name}=${value}`]),
  ...["--", "env", ...unset.flatMap((name) => ["-u", name]), program, ...args],
];

/** The pane is up: it closes by itself with its client from now on. */
export const letPaneClose = (server: Server, id: string): void => {
  ask(server, ["set-option", "-p", "-u", "-t", id, "remain-on-exit"]);
};

/** With spaces: where the locale is not UTF-8, tmux prints `_` for a tab. */
const FIELDS = "#{pane_id} #{pane_pid} #{pane_dead} #{@swarm}";

/** Every pane of a server: none where it does not run, `undefined` where it cannot be asked. Each server counts from %0. */
export function readPanes(server: Server, limitMs = LIMIT_MS) {
  const answer = attempt(() => tryAsk(server, ["list-panes", "-a", "-F", FIELDS], limitMs));
  const isGone = /no server running|No such file or directory|Connection refused/.test(answer?.stderr ?? "");
  if (answer?.status !== 0) return isGone ? [] : undefined;
  return answer.stdout.split("\n").flatMap((line) => {
    const [, id, pid, dead, mark = ""] = /^(%\d+) (\d+) (\d?) (.*)$/.exec(line) ?? [];
    return id ? { id, pid: Number(pid), dead: dead === "1", mark } : [];
  });
}

/** With what has scrolled away: a dead pane's last line is tmux's own. */
export const readScreen = (server: Server, id: string): string =>
  tryAsk(server, ["capture-pane", "-p", "-S", "-50", "-t", id])
    .stdout.replace(/^Pane is dead .*$/m, "")
    .trim();

/** A pane that has closed by itself leaves its window's border to us, too. */
export function closePane(server: Server, id: string): void {
  tryAsk(server, ["kill-pane", "-t", id]);
  const windows = tryAsk(server, ["list-windows", "-a", "-f", IS_UNUSED, "-F", "#{window_id}"]);
  for (const window of windows.stdout.split("\n").filter(Boolean)) tryAsk(server, withoutBorder(window));
}

/** What panes of a running server get by themselves; a value with a line break is seen in part only. */
export function readServerEnvironment(server: Server): Record<string, string> {
  const lines = tryAsk(server, ["show-environment", "-g"]).stdout.split("\n");
  const set = lines.filter((line) => line.includes("=")).map((line) => line.split(/=(.*)/s, 2));
  return Object.fromEntries(set);
}

const ask = (server: Server, words: string[]): string => outputOf(`tmux ${words[0]}`, tryAsk(server, words));

/** Throws with the first line of what the program says where it fails. */
export function outputOf(program: string, { status, stdout, stderr }: SpawnSyncReturns<string>): string {
  if (status !== 0) throw new Error(`${program}: ${stderr.trim().split("\n")[0] || `status ${status}`}`);
  return stdout;
}

function tryAsk({ socket, env }: Server, words: string[], limitMs = LIMIT_MS) {
  const where = socket ? ["-S", socket] : [];
  return runProgram("tmux", [...where, ...words.map(tmuxWord)], limitMs, env);
}

/** Throws where it cannot be started or does not end in time. */
export function runProgram(program: string, args: string[], timeout: number, env?: Env) {
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const options = { encoding: "utf8", timeout, env: env as NodeJS.ProcessEnv | undefined } as const;
  const done = spawnSync(program, args, options);
  if (done.error) throw done.error;
  return done;
}

/** tmux ends a command at a word's last `;` and takes a backslash before it as "not here". */
export const tmuxWord = (word: string): string => (word.endsWith(";") ? `${word.slice(0, -1)}\\;` : word);

/** The process a pane was opened for; `undefined` if there is no such pane, or no tmux. */
export const processInPane = (tmux: string, pane: string): number | undefined =>
  readPanes({ socket: socketOf(tmux) })?.find(({ id }) => id === pane)?.pid;

export function typeLine(tmux: string, pane: string, line: string): boolean {
  const server = { socket: socketOf(tmux) };
  if (tryAsk(server, ["send-keys", "-t", pane, "-l", "--", line]).status !== 0) return false;
  return tryAsk(server, ["send-keys", "-t", pane, "Enter"]).status === 0;
}
