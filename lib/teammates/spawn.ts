// `swarm spawn`: a real client beside the lead, known to the team before it runs.

import { badCall, type Call } from "../cli/command.ts";
import { LEAD } from "../teams/store/config.ts";
import type { Opened } from "./backends.ts";
import { BYPASS } from "./client.ts";
import { type Plan, START_FLAGS, startMember } from "./launch.ts";
import { teamNameOf, whyBadMember, whyBadWord } from "./names.ts";
import { teamPolicy, whyMayNotSpawn } from "./policy.ts";
import { usualPrompt } from "./prompts.ts";

export const SPAWN_FLAGS = {
  ...START_FLAGS,
  team: { type: "string" },
  type: { type: "string" },
  model: { type: "string" },
  prompt: { type: "string" },
  "prompt-file": { type: "string" },
  color: { type: "string" },
  cwd: { type: "string" },
  "permission-mode": { type: "string" },
  "dangerously-skip-permissions": { type: "boolean" },
} as const;
type SpawnCall = Call<typeof SPAWN_FLAGS>;

export function spawnVerb(call: SpawnCall) {
  const plan = planOf(call);
  const refusal = whyMayNotSpawn(call.identity, plan.team, teamPolicy(call.loaded.values.team, plan.team));
  if (refusal) throw new Error(refusal);
  const { member, opened, arrival } = startMember(call, plan);
  if (arrival.is === "ended")
    throw new Error(
      `${plan.name} ended at once${arrival.lastWords ? `; its last words:\n${arrival.lastWords}` : ""}`,
    );
  const data = { ...member, arrival: arrival.is, look: opened.look };
  return { text: told(plan.name, opened, arrival.is), data };
}

export function told(name: string, opened: Opened, is: "up" | "silent"): string {
  const lines =
    is === "up"
      ? [`${name} is up: ${opened.look}`]
      : [
          `${name} was started (${opened.look}) but has not reported yet:`,
          "it may wait at a question on its screen (trust, login), or run without this plugin",
        ];
  if (opened.leftOut.length > 0)
    lines.push(`tmux takes 16 KB: these variables did not fit: ${opened.leftOut.join(", ")}`);
  return lines.join("\n");
}

/** Words after the name: type, model, prompt (seed 001); one with a space in it is the prompt wherever it stands last. */
function planOf(call: SpawnCall): Plan {
  const { flags } = call;
  const [name, ...rest] = call.words;
  const outcomes = /\s/.test(rest.at(-1) ?? "") ? rest.pop() : rest[2];
  const [type, model] = rest;
  const team = teamNameOf(call);
  const plan = {
    team,
    name: name ?? "",
    agentType: flags.type ?? type,
    model: flags.model ?? model,
    color: flags.color,
    permissionMode: permissionOf(call),
    cwd: flags.cwd ?? call.cwd,
    prompt: promptOf(call, outcomes) ?? usualPrompt({ team, agent: name ?? "" }),
  };
  const bad =
    whyBadMember(name) ??
    whyBadWord("agent type", plan.agentType) ??
    whyBadWord("model", plan.model) ??
    whyBadWord("color", plan.color);
  if (bad) throw badCall(bad);
  if (name === LEAD) throw badCall(`${LEAD} is the lead's name; choose another`);
  return plan;
}

function promptOf({ flags, stdin, readInput }: SpawnCall, outcomes: string | undefined): string | undefined {
  if (flags["prompt-file"] !== undefined) return readInput(flags["prompt-file"]);
  const prompt = flags.prompt === "-" ? stdin() : (flags.prompt ?? outcomes);
  return prompt?.trim() ? prompt : undefined;
}

/** The client's dangerous mode has a flag of its own, so that nobody gets it by a default or a slip. */
function permissionOf({ flags }: SpawnCall): string | undefined {
  const mode = flags["permission-mode"];
  const bad = whyBadWord("permission mode", mode);
  if (bad) throw badCall(bad);
  if (flags["dangerously-skip-permissions"]) return BYPASS;
  if (mode === BYPASS) throw badCall(`${BYPASS} needs the flag --dangerously-skip-permissions`);
  return mode;
}
