// The paths Swarm knows, inside any directory: for tests, which throw it away, and for the torture, which keeps it a while.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Paths } from "../../lib/core/paths.ts";

export interface Home {
  root: string;
  project: string;
  paths: Paths;
  path: (...parts: string[]) => string;
  write: (path: string, content: unknown) => string;
  read: (path: string) => string;
  json: (path: string) => any;
  lines: (path: string) => any[];
  has: (path: string) => boolean;
}

/** Paths are relative to the home; content that is no text is written as JSON. */
export function homeAt(root: string): Home {
  const path = (...parts: string[]) => join(root, ...parts);
  const project = path("project");
  mkdirSync(project, { recursive: true });
  mkdirSync(path("tmp"), { recursive: true });
  const read = (name: string) => readFileSync(path(name), "utf8");
  return {
    root,
    project,
    paths: { home: root, base: path(".claude"), atmHome: root, tmp: path("tmp") },
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
