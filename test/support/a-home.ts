// A throw-away home for one test, with the places Swarm knows inside it.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Places } from "../../lib/store/paths.ts";

export interface Home {
  root: string;
  project: string;
  places: Places;
  path: (...parts: string[]) => string;
  write: (path: string, content: unknown) => string;
  read: (path: string) => string;
  json: (path: string) => any;
  lines: (path: string) => any[];
  has: (path: string) => boolean;
}

/** Paths are relative to the home; content that is no text is written as JSON. */
export function aHome(): Home {
  const root = mkdtempSync(join(tmpdir(), "swarm-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const path = (...parts: string[]) => join(root, ...parts);
  const project = path("project");
  mkdirSync(project);
  mkdirSync(path("tmp"));
  const read = (name: string) => readFileSync(path(name), "utf8");
  return {
    root,
    project,
    places: { home: root, base: path(".claude"), atmHome: root, tmp: path("tmp") },
    path,
    read,
    write: (name, content) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), typeof content === "string" ? content : JSON.stringify(content, null, 2));
      return path(name);
    },
    json: (name) => JSON.parse(read(name)),
    lines: (name) =>
      existsSync(path(name))
        ? read(name)
            .split("\n")
            .filter(Boolean)
            .map((line) => JSON.parse(line))
        : [],
    has: (name) => existsSync(path(name)),
  };
}
