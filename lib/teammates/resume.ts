// `swarm resume`: the team is active again. Teammates that no longer run are started again with their model and conversation, and
// with a prompt that lists their open tasks and unread mail.

import { statIfThere } from "../core/files.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import { elapsedMs } from "../core/process.ts";
import { countUnread } from "../mail/store/inbox.ts";
import { readSession } from "../sessions/store/sessions.ts";
import { readOpenTasks } from "../tasks/store/select.ts";
import { leadOf, type Member, readTeam, type Team, teammatesOf, updateTeam } from "../teams/store/config.ts";
import type { CallOf } from "./commands.ts";
import { recordMembership, refuseInOtherTeam } from "./create.ts";
import { isMemberRunning } from "./end.ts";
import { awaitMember, type MemberPlan, openMember, type Started, waitMs } from "./launch.ts";
import { restoreOwnLead, takeLead } from "./lead.ts";
import { requireTeam, teamNameOf } from "./names.ts";
import { requireManager } from "./policy.ts";
import { resumePrompt } from "./prompts.ts";
import { isSpawned } from "./roster.ts";
import { startedText } from "./spawn.ts";
import { restoreWorktree } from "./worktree.ts";

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
  const started = missing.flatMap((member) => {
    try {
      return openMember(call, planFor(call, name, member));
    } catch (error) {
      failures.push(`${member.name} could not be started: ${(error as Error).message}`);
      return [];
    }
  });
  if (failures.length > 0 && started.length === 0) throw new Error(failures.join("\n"));
  const lines = started.map((one) => awaitResumed(call, one, Math.max(0, deadline - elapsedMs())));
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
  const team = updateTeam(paths, name, (stored) => stored && activated(stored, name, now));
  if (!team) throw new Error(`the team ${name} is gone`);
  if (session) recordMembership(paths, session, { team: name, agent: leadOf(team), isLead: true }, now);
  return { team, why };
}

function takeLeadOf(call: CallOf<"resume">, team: string, session: string): string {
  refuseInOtherTeam(call.paths, call.subject, team);
  const done = takeLead(call, team, session, "resume");
  if (!done.isNew) return "this session leads it already";
  if (!done.before) return "it had no lead";
  return done.isForced ? "by --force" : `the old lead is gone: ${done.evidence}`;
}

function activated(team: Team, name: string, now: Date): Team {
  const isUp = (one: Member) => isSpawned(one) && one.status === "offline" && isMemberRunning(name, one);
  const members = team.members.map((one) => (isUp(one) ? { ...one, status: "active" } : one));
  const changed = team.status === "active" ? {} : { status: "active", resumedAt: now.toISOString() };
  return { ...team, ...changed, members };
}

function planFor(call: CallOf<"resume">, team: string, member: Member): MemberPlan {
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
    prompt: resumePrompt({ team, name }, { tasks, unread }),
    session: !call.flags.fresh && hasConversation(call.paths, sessionId) ? sessionId : undefined,
  };
}

function hasConversation(paths: Paths, session: string | undefined): boolean {
  const transcript = session ? readSession(paths, { session })?.transcript : undefined;
  return transcript !== undefined && (statIfThere(transcript)?.size ?? 0) > 0;
}

/** A client that ends at once may not have found its conversation: it is started again with a new one. */
function awaitResumed(call: CallOf<"resume">, started: Started, wait: number): string {
  const arrival = awaitMember(call, started, wait);
  const { plan, opened } = started;
  if (arrival.is !== "ended") return startedText(plan.name, opened, arrival.is);
  if (plan.session) return awaitResumed(call, openMember(call, { ...plan, session: undefined }), wait);
  return `${plan.name} ended at once${arrival.output ? `: ${arrival.output}` : ""}`;
}
