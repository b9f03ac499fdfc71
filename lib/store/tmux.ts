// tmux, by its command: arguments as a list, never through a shell.

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
