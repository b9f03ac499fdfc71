// Starts a member, for the first time or again: an entry in the team's config, then a client, then waiting for its SessionStart.

import { badCall } from "../cli/command.ts";
import { readTail } from "../core/files.ts";
import { elapsedMs, sleepSync } from "../core/process.ts";
import { ensureInbox } from "../mail/store/mailbox-files.ts";
import { readSession } from "../sessions/store/sessions.ts";
import { descendsFrom } from "../system/processes.ts";
import { closePane, letPaneClose, readScreen } from "../system/tmux.ts";
import { type Member, memberOf, processLifeOf, type Team, updateTeam } from "../teams/store/config.ts";
import { type Backend, chooseBackend, isBackend, type Opened, openClient } from "./backends.ts";
import { type Launch, launchOf } from "./client.ts";
import type { StartCall } from "./commands.ts";
import { replaceSession } from "./create.ts";
import { refuseIf, requireTeam } from "./names.ts";
import { isLong } from "./prompts.ts";
import { changeTeam, nextColor, updateMember, whyNoRoom, withMember } from "./roster.ts";

/** What a member is started with, now or again. It keeps the type, model and color it had where the plan names none. */
export interface MemberPlan {
  team: string;
  name: string;
  agentType?: string;
  model?: string;
  color?: string;
  /** By a flag, now or when it was first started; else the lead's present one. */
  permissionMode?: string;
  cwd: string;
  /** The backend it had before, if it must have it again. */
  backend?: Backend;
  prompt: string;
  /** A conversation to resume. */
  session?: string;
}

const DEFAULT_WAIT_S = 20;

export type Started = ReturnType<typeof openMember>;

export function openMember(call: StartCall, plan: MemberPlan) {
  const backend = backendFor(call, plan);
  const { team, member, before } = reserve(call, plan, backend);
  const undone = (stored: Team): Team => ({
    ...stored,
    members: stored.members.flatMap((one) => (one.name === plan.name ? (before ?? []) : one)),
  });
  let opened: Opened | undefined;
  try {
    opened = openClient(call, launchOf(call, plan, team, member, backend));
  } finally {
    if (!opened) updateTeam(call.paths, plan.team, undone);
  }
  updateMember(call.paths, plan.team, plan.name, opened.process);
  if (before && before.sessionId !== member.sessionId)
    replaceSession(call.paths, before.sessionId, { team: plan.team, agent: plan.name });
  return { plan, member: { ...member, ...opened.process }, look: opened.look, notes: opened.notes };
}

/** What `openMember` would start. Writes nothing and asks no terminal. */
export function previewMember(call: StartCall, plan: MemberPlan): Launch {
  const team = requireTeam(call, plan.team);
  const asked = call.flags.backend;
  const backend = isBackend(asked) ? asked : backendFor(call, plan);
  return launchOf(call, plan, team, freshMember(call, plan, team, backend), backend);
}

/** Adds the member before its client runs, under the lock: of two spawns of one name at the same time, one is refused. */
function reserve(call: StartCall, plan: MemberPlan, backend: Backend) {
  requireTeam(call, plan.team);
  let before: Member | undefined;
  const team = changeTeam(call.paths, plan.team, (stored) => {
    before = memberOf(stored, plan.name);
    return withMember(stored, freshMember(call, plan, stored, backend));
  });
  ensureInbox(call.paths, plan.team, plan.name);
  return { team, member: memberOf(team, plan.name) as Member, before };
}

/** Refused where the team has no room for it, or a member of that name runs. */
function freshMember({ loaded, now }: StartCall, plan: MemberPlan, team: Team, backend: Backend): Member {
  refuseIf(whyNoRoom(team, plan.name, loaded.values["gate.max_teammates"], now));
  const before = memberOf(team, plan.name);
  const at = now.toISOString();
  return {
    name: plan.name,
    agentId: before?.agentId ?? crypto.randomUUID(),
    agentType: plan.agentType ?? before?.agentType,
    model: plan.model ?? before?.model,
    color: plan.color ?? before?.color ?? nextColor(team),
    permissionMode: plan.permissionMode,
    joinedAt: before?.joinedAt ?? at,
    cwd: plan.cwd,
    sessionId: plan.session ?? crypto.randomUUID(),
    backend,
    status: "starting",
    lastSeen: at,
    prompt: isLong(plan.prompt) ? `${plan.prompt.slice(0, 200).toWellFormed()}…` : plan.prompt,
    ...{ pid: undefined, pidStartedAt: undefined, paneId: undefined, socket: undefined, log: undefined },
  };
}

const backendFor = (call: StartCall, plan: MemberPlan): Backend =>
  chooseBackend(call, call.flags.backend ?? plan.backend ?? call.multiplexer);

export function waitMs({ flags }: StartCall): number {
  const seconds = Number(flags.wait ?? DEFAULT_WAIT_S);
  if (!(seconds >= 0 && seconds <= 300)) throw badCall("--wait is a number of seconds up to 300");
  return seconds * 1_000;
}

interface Arrival {
  is: "up" | "silent" | "ended";
  /** The end of what it printed, where it has ended. */
  output?: string;
}

const POLL_MS = 100;
const OUTPUT_BYTES = 2_000;

/** A client is up when the SessionStart of its session has written a record. */
export function awaitMember(call: StartCall, { plan, member }: Started, waitMs: number): Arrival {
  const { backend, socket, paneId } = member;
  const note = (status: string) => updateMember(call.paths, plan.team, plan.name, { status });
  const deadline = elapsedMs() + waitMs;
  while (!hasArrived(call, member)) {
    if (processLifeOf(member) === "gone") {
      const output = lastOutputOf(member);
      note("offline");
      return { is: "ended", output };
    }
    if (elapsedMs() >= deadline) return { is: "silent" };
    sleepSync(POLL_MS);
  }
  if (backend === "tmux" && paneId) letPaneClose({ socket }, paneId);
  note("active");
  return { is: "up" };
}

function hasArrived({ paths, now }: StartCall, { sessionId = "", pid }: Member): boolean {
  const record = readSession(paths, { session: sessionId });
  if (!record) return false;
  if (!pid) return record.lastSeen >= now.toISOString();
  // The process that was started may be a wrapper which waits for the client.
  return record.pid === pid || (record.pid !== undefined && descendsFrom(record.pid, pid) === true);
}

function lastOutputOf({ backend, socket, paneId, log = "" }: Member): string {
  if (backend === "headless") return readTail(log, OUTPUT_BYTES)?.text.trim() ?? "";
  if (backend !== "tmux" || !paneId) return "";
  const screen = readScreen({ socket }, paneId);
  closePane({ socket }, paneId);
  return screen;
}
