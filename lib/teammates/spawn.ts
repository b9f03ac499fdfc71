// `swarm spawn`: starts a teammate, a real client in a pane, a window or without a screen.

import { badCall } from "../cli/command.ts";
import { LEAD } from "../teams/store/config.ts";
import { removeTree } from "../worktrees/store/tree-work.ts";
import type { Opened } from "./backends.ts";
import { commandLine, identityVariables, SESSION_VARIABLES, wholeEnvironment } from "./client.ts";
import type { CallOf } from "./commands.ts";
import { awaitMember, type MemberPlan, openMember, previewMember, type Started, waitMs } from "./launch.ts";
import { refuseIf, requireUsableName, requireWord, teamNameOf } from "./names.ts";
import { BYPASS_PERMISSIONS, whyMayNotSpawn } from "./policy.ts";
import { defaultPrompt } from "./prompts.ts";
import { worktreeFor } from "./worktree.ts";

export function spawnVerb(call: CallOf<"spawn">) {
  const planned = planOf(call);
  refuseIf(whyMayNotSpawn(call, planned.team));
  if (call.flags["dry-run"]) return preview(call, planned);
  const wait = waitMs(call);
  const tree = worktreeFor(call, planned);
  const plan = tree ? { ...planned, cwd: tree.cwd } : planned;
  let started: Started | undefined;
  try {
    started = openMember(call, plan);
  } finally {
    if (!started && tree?.isNew) removeTree(call, tree.record, { force: false });
  }
  const arrival = awaitMember(call, started, wait);
  if (arrival.is === "ended")
    throw new Error(
      `${plan.name} ended at once${arrival.output ? `; the end of its output:\n${arrival.output}` : ""}`,
    );
  const { member, opened } = started;
  const data = { ...member, arrival: arrival.is, look: opened.look, worktree: tree?.record };
  const text = [startedText(plan.name, opened, arrival.is), ...(tree?.notes ?? [])];
  return { text: text.join("\n"), data };
}

/** Values of inherited variables are left out: they may be secrets, and an agent reads this. */
function preview(call: CallOf<"spawn">, plan: MemberPlan) {
  const launch = previewMember(call, plan);
  const { backend, cwd, prompt } = launch;
  const command = commandLine(launch);
  const set = identityVariables(launch);
  const inherited = Object.keys(wholeEnvironment(call.env, {})).filter((name) => !(name in set));
  const text = [
    `Nothing was started. In ${call.flags.worktree === undefined ? cwd : `a new worktree of ${cwd}`} (${backend}):`,
    JSON.stringify(command),
    ...Object.entries(set).map(([name, value]) => `${name}=${value}`),
    `without: ${SESSION_VARIABLES.join(" ")}`,
    `with the values they have here: ${inherited.join(" ")}`,
  ].join("\n");
  const environment = { set, removed: SESSION_VARIABLES, inherited };
  const stdin = backend === "headless" ? prompt : undefined;
  return { text, data: { backend, cwd, command, environment, stdin } };
}

export function startedText(name: string, opened: Opened, is: "up" | "silent"): string {
  const lines =
    is === "up"
      ? [`${name} is up: ${opened.look}`]
      : [
          `${name} was started (${opened.look}) but has not reported yet:`,
          "it may be waiting for an answer on its screen (trust, login), or run without this plugin",
        ];
  return [...lines, ...opened.notes].join("\n");
}

/** Arguments after the name: type, model, prompt, as in Claude Swarm hooks. A last argument with a space in it is the prompt. */
function planOf(call: CallOf<"spawn">): MemberPlan {
  const { flags } = call;
  const [name = "", ...rest] = call.words;
  const promptWord = /\s/.test(rest.at(-1) ?? "") ? rest.pop() : rest[2];
  const [type, model] = rest;
  const team = teamNameOf(call);
  if (!name) throw badCall("which name should the teammate have? swarm spawn NAME");
  const plan = {
    team,
    name,
    agentType: flags.type ?? type,
    model: flags.model ?? model,
    color: flags.color,
    permissionMode: permissionOf(call),
    cwd: flags.cwd ?? call.cwd,
    prompt: promptOf(call, promptWord) ?? defaultPrompt({ team, name }),
  };
  requireUsableName(name);
  requireWord("agent type", plan.agentType);
  requireWord("model", plan.model);
  requireWord("color", plan.color);
  if (name === LEAD) throw badCall(`${LEAD} is the lead's name; choose another name`);
  return plan;
}

function promptOf(
  { flags, stdin, readInput }: CallOf<"spawn">,
  word: string | undefined,
): string | undefined {
  if (flags["prompt-file"] !== undefined) return readInput(flags["prompt-file"]);
  const prompt = flags.prompt === "-" ? stdin() : (flags.prompt ?? word);
  return prompt?.trim() ? prompt : undefined;
}

/** Skipping all permissions needs a flag of its own, so that nobody gets it by a default or a typo. */
function permissionOf({ flags }: CallOf<"spawn">): string | undefined {
  const mode = flags["permission-mode"];
  requireWord("permission mode", mode);
  if (flags["dangerously-skip-permissions"]) return BYPASS_PERMISSIONS;
  if (mode === BYPASS_PERMISSIONS)
    throw badCall(`${BYPASS_PERMISSIONS} needs the flag --dangerously-skip-permissions`);
  return mode;
}
