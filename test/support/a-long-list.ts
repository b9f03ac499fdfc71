// The index of a long task list, as if the list had been quiet for a while.
import { indexTasks } from "../../lib/tasks/store/index-pass.ts";
import { SETTLED_MS } from "../../lib/tasks/store/task-index.ts";
import type { Home } from "./a-home.ts";

export function settledIndex({ paths }: Home, list: string): void {
  const { now } = Date;
  Date.now = () => now() + SETTLED_MS + 1_000;
  try {
    indexTasks(paths, list);
  } finally {
    Date.now = now;
  }
}
