// The panes a tmux server has. Every server counts from %0, so a pane means nothing without its server.

/** Empty when that server is gone, `undefined` when it cannot be asked. */
export function readPanes(socket: string): ReadonlySet<string> | undefined {
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const { status, stdout, stderr } = spawnSync(
    "tmux",
    ["-S", socket, "list-panes", "-a", "-F", "#{pane_id}"],
    {
      encoding: "utf8",
      timeout: 1_000,
    },
  );
  if (status === 0) return new Set(stdout.trim().split("\n"));
  return /no server running|No such file or directory|Connection refused/.test(stderr ?? "")
    ? new Set()
    : undefined;
}
