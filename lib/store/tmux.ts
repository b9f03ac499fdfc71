// tmux, by its command: arguments as a list, never through a shell.
const ANSWER_LIMIT_MS = 2_000;

/** Starts it and does not wait: a colour is never worth a hook's time. */
export function colourPane(tmux: string, pane: string, colour: string | undefined): void {
  const { spawn } = require("node:child_process") as typeof import("node:child_process");
  const socket = tmux.split(",")[0] ?? "";
  const style = colour ? ["window-style", `bg=${colour}`] : ["-u", "window-style"];
  const child = spawn("tmux", ["-S", socket, "set-option", "-p", "-t", pane, ...style], {
    stdio: "ignore",
    detached: true,
  });
  child.on("error", () => {}); // no tmux on the PATH: no colour
  child.unref();
}

/** The process a pane was opened for; `undefined` if there is no such pane, or no tmux. */
export function processInPane(tmux: string, pane: string): number | undefined {
  const { status, stdout } = ask(tmux, "display-message", "-p", "-t", pane, "#{pane_id} #{pane_pid}");
  const [id, pid] = stdout.trim().split(" ");
  return status === 0 && id === pane ? Number(pid) : undefined;
}

/** Types a line as a person would, then Enter. */
export function typeLine(tmux: string, pane: string, line: string): boolean {
  if (ask(tmux, "send-keys", "-t", pane, "-l", "--", line).status !== 0) return false;
  return ask(tmux, "send-keys", "-t", pane, "Enter").status === 0;
}

function ask(tmux: string, ...words: string[]) {
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const answer = spawnSync("tmux", ["-S", tmux.split(",")[0] ?? "", ...words], {
    timeout: ANSWER_LIMIT_MS,
    encoding: "utf8",
  });
  return { status: answer.status, stdout: answer.stdout ?? "" };
}
