// What the plugin that only watches wrote down.
import { existsSync, readFileSync } from "node:fs";

export type Observed = {
  payload: { hook_event_name: string; session_id: string } & Record<string, unknown>;
  env: { TMUX_PANE?: string; CLAUDE_PID?: string; CLAUDE_PLUGIN_ROOT: string };
};

export function readObserved(log: string, event: string): Observed[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, "utf8").split("\n").slice(0, -1); // the last may still be half-written
  const all: Observed[] = lines.map((line) => JSON.parse(line));
  return all.filter(({ payload }) => payload.hook_event_name === event);
}
