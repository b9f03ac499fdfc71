// A named team in a world: members on screens of their own that had one turn and now sleep.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../support/until.ts";
import { aWorld } from "./a-world.ts";
import type { Client } from "./clients.ts";
import type { Scripts } from "./script.ts";
import { newsOf } from "./seen.ts";
import type { World } from "./world.ts";

export const TEAM = "harbour";
const MEMBERS = ["team-lead", "alice", "bob", "carol", "dave"];

/** Set by the starter of a member; here by the settings, so that several can live in one world. */
export const named = (name: string) => [
  "--settings",
  JSON.stringify({ env: { CLAUDE_CODE_TEAM_NAME: TEAM, CLAUDE_CODE_AGENT_NAME: name } }),
];

interface Entry {
  text: string;
  timestamp: string;
  read: boolean;
  state?: string;
}

export const teamFile = (world: World, ...parts: string[]) => join(world.configDir, "teams", TEAM, ...parts);
const inboxFile = (world: World, name: string) => teamFile(world, "inboxes", `${name}.json`);
export const jsonOf = (file: string) => JSON.parse(readFileSync(file, "utf8"));
export const mailOf = (world: World, name: string): Entry[] => jsonOf(inboxFile(world, name));
export const wordsFor = (world: World, name: string) => mailOf(world, name).map(({ text }) => text);

/** As a person or another tool would: the format of Claude Swarm hooks, no lock, no rename. */
export function writeByHand(world: World, to: string, from: string, text: string, before: Entry[] = []) {
  const entry = { from, text, color: "blue", read: false, timestamp: new Date().toISOString() };
  writeFileSync(inboxFile(world, to), JSON.stringify([...before, entry]));
}

export async function aHarbour(
  client: Client,
  scripts: Scripts,
  files: Record<string, string> = {},
): Promise<World> {
  const hi = [{ text: "hello there" }];
  const env = { ENABLE_TOOL_SEARCH: "false", CLAUDE_CODE_MAX_RETRIES: "0" };
  const world = await aWorld({ client, scripts: { hi, ...scripts }, files, env });
  mkdirSync(teamFile(world, "inboxes"), { recursive: true });
  const members = MEMBERS.map((name) => ({ name, agentId: `${name}@${TEAM}` }));
  const team = { name: TEAM, leadAgentId: `team-lead@${TEAM}`, members };
  writeFileSync(teamFile(world, "config.json"), JSON.stringify(team));
  return world;
}

/** A member on a screen that had one turn and now sleeps. */
export async function asleep(world: World, name: string) {
  const screen = await world.tui(...named(name));
  await screen.type(`hi, I am ${name} [[hi]]`);
  await screen.wait(/hello there/);
  return screen;
}

/** Every content of every message any model was shown, in order. */
export const shown = (world: World): string[] =>
  world.model.requests.flatMap(({ body }) =>
    [...newsOf(body).matchAll(/<content>([\s\S]*?)<\/content>/g)].map(([, text = ""]) => text),
  );

export const timesShown = (world: World, text: string) =>
  shown(world).filter((one) => one.includes(text)).length;

/** Waits for a script's first request and says how long after the message was written that was. */
export async function wakeUp(world: World, script: string, name: string): Promise<number> {
  const what = `${name}'s turn`;
  await until(() => world.seen(script).length > 0, { what, ms: 15_000, everyMs: 20 });
  const seenAt = Date.now();
  const written = mailOf(world, name).findLast(({ text }) => text.includes(`[[${script}]]`));
  return seenAt - Date.parse(written?.timestamp ?? "");
}
