// What Swarm wrote into a world, read as plain files: the paths are its contract.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { World } from "./world.ts";

export type SessionState = Record<string, unknown> & { session: string };

const swarm = (world: World, ...parts: string[]) => join(world.configDir, "swarm", ...parts);

export const sessionsOf = (world: World) => records(swarm(world, "sessions"));

/** Subagents and in-process teammates: voices inside a session. */
export const voicesOf = (world: World, session: string) => records(swarm(world, "agents", session));

export function errorsOf(world: World): string {
  const log = swarm(world, "errors.jsonl");
  return existsSync(log) ? readFileSync(log, "utf8") : "";
}

function records(dir: string): SessionState[] {
  if (!existsSync(dir)) return [];
  const names = readdirSync(dir).filter((name) => name.endsWith(".json"));
  return names.map((name) => JSON.parse(readFileSync(join(dir, name), "utf8")));
}
