// What Swarm wrote into a world, read as plain files: the paths are its contract.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { World } from "./world.ts";

export type SessionState = Record<string, unknown> & { session: string };

const swarm = (world: World, ...parts: string[]) => join(world.configDir, "swarm", ...parts);

export const recordOf = (world: World, session: string) => swarm(world, "sessions", session, "session.json");

export const sessionsOf = (world: World): SessionState[] =>
  namesIn(swarm(world, "sessions"))
    .map((session) => recordOf(world, session))
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, "utf8")));

/** Subagents and in-process teammates, which run inside a session. */
export function agentsInside(world: World, session: string): SessionState[] {
  const dir = swarm(world, "agents", session);
  const names = namesIn(dir).filter((name) => name.endsWith(".json"));
  return names.map((name) => JSON.parse(readFileSync(join(dir, name), "utf8")));
}

/** Without the line of a hook whose client was ended, by a test or by `swarm suspend`, as it started that hook. */
export function errorsOf(world: World): string {
  const log = swarm(world, "errors.jsonl");
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
  return lines.filter((line) => !line.includes("the client ended before it wrote the event")).join("\n");
}

const namesIn = (dir: string): string[] => (existsSync(dir) ? readdirSync(dir) : []);
