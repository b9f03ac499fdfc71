// Nothing may grow with history: the same call in two homes, of which one has ten times as much of one thing.
import { join } from "node:path";
import { type Sizes, teamHome } from "./homes.ts";
import { call, type HookCase, hook } from "./hooks.ts";

export interface Growth {
  what: string;
  from: string;
  to: string;
  small: HookCase;
  large: HookCase;
}

type Make = (home: string, name: string) => HookCase;

const DENIED = call("Bash", { command: "sudo true" });
const start: Make = (home, name) => hook(home, "SessionStart", name, 1.6, { source: "startup" });
const prompt: Make = (home, name) => hook(home, "UserPromptSubmit", name, 1.25, { prompt: "go on" });
const stop: Make = (home, name) =>
  hook(home, "Stop", name, 1.25, { transcript_path: join(home, "transcript.jsonl"), stop_hook_active: true });
const denied: Make = (home, name) => hook(home, "PreToolUse", name, 1.25, DENIED);
const asMember: Make = (home, name) => {
  const one = start(home, name);
  return { ...one, env: { ...one.env, CLAUDE_CODE_TEAM_NAME: "bench", CLAUDE_CODE_AGENT_NAME: "m0" } };
};

const PAIRS: [what: string, size: keyof Sizes, from: number, to: number, unit: string, make: Make][] = [
  ["members of the team, SessionStart of the lead", "members", 20, 200, "", start],
  ["messages in the archive, mail check with a prompt", "archived", 1_000, 10_000, "", prompt],
  ["tasks on the list, SessionStart of a member", "tasks", 500, 5_000, "", asMember],
  ["transcript, Stop", "transcript", 10, 100, " MB", stop],
  ["journal of the day, a denial", "journal", 0.7, 7, " MB", denied],
];

export const growths = (root: string): Growth[] =>
  PAIRS.map(([what, size, from, to, unit, make]) => {
    const at = (amount: number) => teamHome(join(root, `${size}-${amount}`), { [size]: amount });
    return {
      what,
      from: `${from.toLocaleString("en")}${unit}`,
      to: `${to.toLocaleString("en")}${unit}`,
      small: make(at(from), `${what}, few`),
      large: make(at(to), `${what}, many`),
    };
  });
