// Starts a member, for the first time or again: on the roster first, then a client, then a look whether it is up.

import { badCall, type Call } from "../cli/command.ts";
import { readTail } from "../core/files.ts";
import { elapsedMs, sleepSync } from "../core/time.ts";
import type { Environment } from "../hook/environment.ts";
import { ensureInbox } from "../mail/store/mailbox-files.ts";
import { readSession } from "../sessions/store/sessions.ts";
import { lifeOf } from "../system/processes.ts";
import { findProgram } from "../system/programs.ts";
import { closePane, letPaneClose, readScreen } from "../system/tmux.ts";
import { type Member, memberOf, type Team, updateTeam } from "../teams/store/config.ts";
import { type Backend, type Opened, openClient, type Request, whichBackend } from "./backends.ts";
import type { Start } from "./client.ts";
import { agentFor, commandFor, pluginDirsFor } from "./client.ts";
import { identityVariables } from "./environment.ts";
import { teamOf } from "./names.ts";
import { isLong, systemWords } from "./prompts.ts";
import { nextColour, whyNoRoom, withMember, withoutMember } from "./roster.ts";

export const START_FLAGS = {
  backend: { type: "string" },
  wait: { type: "string" },
  "plugin-dir": { type: "string", multiple: true },
  "session-id": { type: "string" },
} as const;
export type StartCall = Call<typeof START_FLAGS>;

/** What a member is started with, now or again. */
export interface Plan {
  team: string;
  name: string;
  agentType?: string;
  model?: string;
  color?: string;
  permissionMode?: string;
  cwd: string;
  /** Where it lived before, if that matters. */
  backend?: Backend;
  prompt: string;
  /** A conversation to go on with. */
  session?: string;
}

const USUAL_WAIT_S = 20;

export interface Started {
  plan: Plan;
  member: Member;
  opened: Opened;
}

export function startMember(call: StartCall, plan: Plan): Started & { arrival: Arrival } {
  const wait = waitMs(call);
  const started = openMember(call, plan);
  return { ...started, arrival: awaitMember(call, started, wait) };
}

export function openMember(call: StartCall, plan: Plan): Started {
  const backend = backendFor(call, plan);
  const { team, member, before } = reserve(call, plan, backend);
  let opened: Opened | undefined;
  try {
    opened = openClient(requestOf(call, plan, team, member, backend));
  } finally {
    if (!opened) takeBack(call, plan, before);
  }
  note(call, plan, placeOf(opened));
  return { plan, member: { ...member, ...placeOf(opened) }, opened };
}

export function awaitMember(call: StartCall, { plan, opened }: Started, wait: number): Arrival {
  const arrival = awaitArrival(call, opened, wait);
  if (arrival.is !== "silent") note(call, plan, { status: arrival.is === "up" ? "active" : "offline" });
  return arrival;
}

const takeBack = (call: StartCall, plan: Plan, before: Member | undefined) =>
  updateTeam(
    call.paths,
    plan.team,
    (stored) => stored && (before ? withMember(stored, before) : withoutMember(stored, plan.name)),
  );

const placeOf = ({ pid, pidStartedAt, paneId, socket, session, log }: Opened): Partial<Member> => ({
  sessionId: session,
  pid,
  pidStartedAt,
  paneId,
  socket,
  log,
});

/** The member's own SessionStart may have written more by now: only what is new is changed. */
const note = (call: StartCall, plan: Plan, news: Partial<Member>) =>
  updateTeam(call.paths, plan.team, (stored) =>
    stored && memberOf(stored, plan.name) ? withMember(stored, { name: plan.name, ...news }) : undefined,
  );

/** On the roster first, under the lock: of two who spawn the same name at once, one is refused. */
function reserve(call: StartCall, plan: Plan, backend: Backend) {
  teamOf(call, plan.team);
  let before: Member | undefined;
  const team = updateTeam(call.paths, plan.team, (stored) => {
    if (!stored) return undefined;
    before = memberOf(stored, plan.name);
    const refusal = whyNoRoom(stored, plan.name, call.loaded.values["gate.max_teammates"], call.now);
    if (refusal) throw new Error(refusal);
    return withMember(stored, freshMember(plan, before, backend, nextColour(stored), call.now));
  });
  const member = team && memberOf(team, plan.name);
  if (!team || !member) throw new Error(`the team ${plan.team} is gone`);
  ensureInbox(call.paths, plan.team, plan.name);
  return { team, member, before };
}

function freshMember(
  plan: Plan,
  before: Member | undefined,
  backend: Backend,
  colour: string,
  now: Date,
): Member {
  const { randomUUID } = require("node:crypto") as typeof import("node:crypto");
  const at = now.toISOString();
  return {
    name: plan.name,
    agentId: before?.agentId ?? randomUUID(),
    agentType: plan.agentType ?? before?.agentType,
    model: plan.model ?? before?.model,
    color: plan.color ?? before?.color ?? colour,
    permissionMode: plan.permissionMode,
    joinedAt: before?.joinedAt ?? at,
    cwd: plan.cwd,
    sessionId: plan.session ?? randomUUID(),
    backend,
    status: "starting",
    lastSeen: at,
    prompt: isLong(plan.prompt) ? `${plan.prompt.slice(0, 200).toWellFormed()}…` : plan.prompt,
    ...{ pid: undefined, pidStartedAt: undefined, paneId: undefined, socket: undefined, log: undefined },
  };
}

function backendFor(call: StartCall, plan: Plan): Backend {
  const choice = whichBackend({
    asked: call.flags.backend ?? plan.backend ?? call.multiplexer,
    insideTmux: call.tmux !== undefined && call.pane !== undefined,
    kittySocket: call.kitty.socket,
    hasTmux: findProgram("tmux", call.env["PATH"]) !== undefined,
    hasKitty: findProgram("kitty", call.env["PATH"]) !== undefined,
  });
  if ("refusal" in choice) throw new Error(choice.refusal);
  return choice.backend;
}

function requestOf(call: StartCall, plan: Plan, team: Team, member: Member, backend: Backend): Request {
  const { agentId = "", agentType, sessionId = "", model } = member;
  const who = { team: plan.team, agent: plan.name, agentType };
  const start: Start = {
    command: commandFor(call),
    session: sessionId,
    again: plan.session !== undefined,
    title: `${plan.name}@${plan.team}`,
    model,
    agent: agentFor(call, agentType, plan.cwd),
    permissionMode: plan.permissionMode,
    pluginDirs: pluginDirsFor(call),
    systemPrompt: systemWords(who),
  };
  const identity = { ...who, agentId, agentType, leadId: team.leadAgentId };
  const own = identityVariables(identity);
  return { environment: call, backend, member: identity, own, start, prompt: plan.prompt, cwd: plan.cwd };
}

export function waitMs({ flags }: StartCall): number {
  const seconds = Number(flags.wait ?? USUAL_WAIT_S);
  if (!(seconds >= 0 && seconds <= 300)) throw badCall("--wait is a number of seconds up to 300");
  return seconds * 1_000;
}

// Waits until a new client is known to be up, and asks for its last words when it is not.
export type Arrival = { is: "up" } | { is: "silent" } | { is: "ended"; lastWords: string };

const LOOK_EVERY_MS = 100;
const LAST_WORDS_BYTES = 2_000;

/** Up when the new session has said so itself, by its SessionStart. */
export function awaitArrival(environment: Environment, opened: Opened, waitMs: number): Arrival {
  const giveUp = elapsedMs() + waitMs;
  for (;;) {
    if (hasArrived(environment, opened)) return settled(opened);
    if (opened.pid && lifeOf({ pid: opened.pid, startedAt: opened.pidStartedAt }) === "gone")
      return { is: "ended", lastWords: lastWordsOf(opened) };
    if (elapsedMs() >= giveUp) return { is: "silent" };
    sleepSync(LOOK_EVERY_MS);
  }
}

function hasArrived(environment: Environment, opened: Opened): boolean {
  const record = readSession(environment.paths, { session: opened.session });
  if (!record) return false;
  return opened.pid ? record.pid === opened.pid : record.lastSeen >= environment.now.toISOString();
}

function settled({ backend, socket, paneId }: Opened): Arrival {
  if (backend === "tmux" && paneId) letPaneClose({ socket }, paneId);
  return { is: "up" };
}

function lastWordsOf({ backend, socket, paneId, log = "" }: Opened): string {
  if (backend === "headless") return readTail(log, LAST_WORDS_BYTES)?.text.trim() ?? "";
  if (backend !== "tmux" || !paneId) return "";
  const screen = readScreen({ socket }, paneId);
  closePane({ socket }, paneId);
  return screen;
}
