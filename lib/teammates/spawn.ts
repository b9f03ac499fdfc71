// `swarm spawn` and `swarm resume`: start a teammate, or all of a team again. Teammates come back with their model and conversation, and
// with a prompt that lists their open tasks and unread mail.

import { resolve } from "node:path";
import { badCall } from "../cli/command.ts";
import { statIfThere } from "../core/files.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import { elapsedMs } from "../core/process.ts";
import { countUnread } from "../mail/store/inbox.ts";
import { findSession } from "../sessions/store/sessions.ts";
import { readOpenTasks } from "../tasks/store/select.ts";
import { LEAD, leadOf, type Member, readTeam, type Team, teammatesOf } from "../teams/store/config.ts";
import { removeTree } from "../worktrees/store/tree-work.ts";
import { commandLine, identityVariables, SESSION_VARIABLES, wholeEnvironment } from "./client.ts";
import type { CallOf } from "./commands.ts";
import { recordMembership } from "./create.ts";
import { isMemberRunning } from "./end.ts";
import { awaitMember, type MemberPlan, openMember, previewMember, type Started, waitMs } from "./launch.ts";
import { restoreOwnLead, takeLead } from "./lead.ts";
import { refuseIf, requireTeam, requireUsableName, requireWord, teamNameOf } from "./names.ts";
import { BYPASS_PERMISSIONS, requireManager, whyMayNotSpawn } from "./policy.ts";
import { defaultPrompt, resumePrompt } from "./prompts.ts";
import { changeTeam, isSpawned } from "./roster.ts";
import { restoreWorktree, wantsWorktree, worktreeFor } from "./worktree.ts";

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
  const { member, look } = started;
  const data = { ...member, arrival: arrival.is, look, worktree: tree?.record };
  const text = [startedText(started, arrival.is), ...(tree?.notes ?? [])];
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
    `Nothing was started. In ${wantsWorktree(call, plan) ? `a worktree of ${cwd}` : cwd} (${backend}):`,
    JSON.stringify(command),
    ...Object.entries(set).map(([name, value]) => `${name}=${value}`),
    `without: ${SESSION_VARIABLES.join(" ")}`,
    `with the values they have here: ${inherited.join(" ")}`,
  ].join("\n");
  const environment = { set, removed: SESSION_VARIABLES, inherited };
  const stdin = backend === "headless" ? prompt : undefined;
  return { text, data: { backend, cwd, command, environment, stdin } };
}

function startedText({ plan, look, notes }: Started, is: "up" | "silent"): string {
  const silent = `${plan.name} was started (${look}) but has not reported yet:
it may be waiting for an answer on its screen (trust, login), or run without this plugin`;
  const state = is === "up" ? `${plan.name} is up: ${look}` : silent;
  return [state, ...notes].join("\n");
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
    cwd: resolve(call.cwd, flags.cwd ?? ""),
    prompt:
      promptOf(call, promptWord) ?? defaultPrompt({ team, name, lead: leadOf(readTeam(call.paths, team)) }),
  };
  requireUsableName(name);
  requireWord("agent type", plan.agentType);
  requireWord("model", plan.model);
  requireWord("color", plan.color);
  if (name === LEAD) throw badCall(`${LEAD} is the lead's name; choose another name`);
  return plan;
}

function promptOf({ flags, stdin, readInput }: CallOf<"spawn">, word: string | undefined) {
  let prompt = flags.prompt ?? word;
  if (flags["prompt-file"] !== undefined) prompt = readInput(flags["prompt-file"]);
  else if (flags.prompt === "-") prompt = stdin();
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

export function resumeVerb(call: CallOf<"resume">) {
  const name = teamNameOf(call, call.words[0]);
  requireTeam(call, name);
  if (call.session) restoreOwnLead(call.paths, name, call.session, call.now);
  requireManager(call, name);
  const wait = waitMs(call);
  const { team, why } = activate(call, name);
  const missing = teammatesOf(team).filter(
    (member) => isSpawned(member) && !whyNotSegment(member.name) && !isMemberRunning(name, member),
  );
  const deadline = elapsedMs() + wait;
  const failures: string[] = [];
  const orFailure = <T>(of: string, work: () => T): T[] => {
    try {
      return [work()];
    } catch (error) {
      failures.push(`${of} could not be started: ${(error as Error).message}`);
      return [];
    }
  };
  const started = missing.flatMap((member) =>
    orFailure(member.name, () => openMember(call, planFor(call, name, leadOf(team), member))),
  );
  const lines = started.flatMap((one) =>
    orFailure(one.plan.name, () => awaitResumed(call, one, Math.max(0, deadline - elapsedMs()))),
  );
  if (failures.length > 0 && lines.length === 0) throw new Error(failures.join("\n"));
  const head = `team ${name} is active${why ? ` (${why})` : ""}`;
  const rest = missing.length > 0 ? [...lines, ...failures] : [whyNobodyStarted(team)];
  const exitCode = failures.length > 0 ? 1 : 0;
  return { text: [head, ...rest].join("\n"), data: readTeam(call.paths, name), exitCode };
}

function whyNobodyStarted(team: Team): string {
  const teammates = teammatesOf(team);
  if (teammates.length === 0) return "It has no teammates yet: `swarm spawn NAME` opens a teammate.";
  if (teammates.some(isSpawned)) return "All teammates are already running.";
  return "Swarm started none of its teammates, so none was brought back.";
}

/** Takes the lead first, which only one of two sessions gets that resume at the same time. */
function activate(call: CallOf<"resume">, name: string) {
  const { session, now, paths } = call;
  const why = session ? takeLeadOf(call, name, session) : "";
  const isUp = (one: Member) => isSpawned(one) && one.status === "offline" && isMemberRunning(name, one);
  const team = changeTeam(paths, name, (stored) => ({
    ...stored,
    ...(stored.status === "active" ? {} : { status: "active", resumedAt: now.toISOString() }),
    members: stored.members.map((one) => (isUp(one) ? { ...one, status: "active" } : one)),
  }));
  if (session) recordMembership(paths, session, { team: name, agent: leadOf(team), isLead: true }, now);
  return { team, why };
}

function takeLeadOf(call: CallOf<"resume">, team: string, session: string): string {
  const done = takeLead(call, team, session, "resume");
  if (!done.isNew) return "this session leads it already";
  if (!done.before) return "it had no lead";
  return done.isForced ? "by --force" : `the old lead is gone: ${done.evidence}`;
}

function planFor(call: CallOf<"resume">, team: string, lead: string, member: Member): MemberPlan {
  restoreWorktree(call, team, member.name);
  const { name, permissionMode, cwd = call.cwd, sessionId } = member;
  const tasks = readOpenTasks(call.paths, team, { owner: name });
  const unread = countUnread(call.paths, team, name);
  return {
    team,
    name,
    permissionMode,
    cwd,
    backend: member.backend === "headless" ? "headless" : undefined,
    prompt: resumePrompt({ team, name, lead }, { tasks, unread }),
    session: !call.flags.fresh && hasConversation(call.paths, sessionId) ? sessionId : undefined,
  };
}

function hasConversation(paths: Paths, session: string | undefined): boolean {
  const transcript = findSession(paths, session)?.transcript;
  return transcript !== undefined && (statIfThere(transcript)?.size ?? 0) > 0;
}

/** A client that ends at once may not have found its conversation: it is started again with a new one. */
function awaitResumed(call: CallOf<"resume">, started: Started, wait: number): string {
  const arrival = awaitMember(call, started, wait);
  const { plan } = started;
  if (arrival.is !== "ended") return startedText(started, arrival.is);
  if (plan.session) return awaitResumed(call, openMember(call, { ...plan, session: undefined }), wait);
  throw new Error(`it ended at once${arrival.output ? `: ${arrival.output}` : ""}`);
}
