// A throw-away home for one test.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Home, homeAt } from "./home-at.ts";

export type { Home } from "./home-at.ts";

export function aHome(): Home {
  const root = mkdtempSync(join(tmpdir(), "swarm-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return homeAt(root);
}
