// `swarm resume`: the team goes on. Whoever ran and is gone comes back with its model, its conversation and what waits for it.

import type { Call } from "../cli/command.ts";
import { readHead } from "../core/files.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import { elapsedMs } from "../core/time.ts";
import { PERSON } from "../hook/identity.ts";
import { countUnread } from "../mail/store/inbox.ts";
import { readSession } from "../sessions/store/sessions.ts";
import { readOpenTasks } from "../tasks/store.ts";
import { LEAD, type Member, readTeam, type Team, updateTeam } from "../teams/store/config.ts";
import { adopt, memberOfSession, whyBound } from "./create.ts";
import { awaitMember, openMember, type Plan, START_FLAGS, type Started, waitMs } from "./launch.ts";
import { teamNameOf, teamOf } from "./names.ts";
import { comeBackPrompt } from "./prompts.ts";
import { isSpawned, withMember } from "./roster.ts";
import { told } from "./spawn.ts";
import { isThere, refuseStrangers, teammatesOf } from "./suspend.ts";

export const RESUME_FLAGS = {
  ...START_FLAGS,
  team: { type: "string" },
  force: { type: "boolean" },
  fresh: { type: "boolean" },
} as const;
type ResumeCall = Call<typeof RESUME_FLAGS>;

/** Gives the session the team's lead, or throws with the evidence against it: seed 000's hand-over. */
export type TakeLead = (
  paths: Paths,
  claim: { team: string; session: string; as?: string; force: boolean; now: Date; by?: string },
) => { before: string | undefined; evidence: string; isForced: boolean; isNew: boolean };

export function resumeVerb(call: ResumeCall, takeLead: TakeLead) {
  const name = teamNameOf(call, call.words[0]);
  teamOf(call, name);
  refuseStrangers(call, name);
  const wait = waitMs(call);
  const { team, why } = wake(call, name, takeLead);
  const gone = teammatesOf(team).filter(
    (member) => isSpawned(member) && !whyNotSegment(member.name) && !isThere(name, member),
  );
  const giveUp = elapsedMs() + wait;
  const started = gone.map((member) => openMember(call, planFor(call, name, member)));
  const lines = started.map((one) => arrived(call, one, Math.max(0, giveUp - elapsedMs())));
  const head = `team ${name} is active${why ? ` (${why})` : ""}`;
  const rest = lines.length > 0 ? lines : ["everyone of it who was started by swarm is there"];
  return { text: [head, ...rest].join("\n"), data: readTeam(call.paths, name) };
}

/** The lead first, which exactly one of two who ask at once gets; then the team is the winner's to wake. */
function wake(call: ResumeCall, name: string, takeLead: TakeLead): { team: Team; why: string } {
  const { session, now, paths } = call;
  const why = session ? leading(call, name, session, takeLead) : "";
  const team = updateTeam(paths, name, (stored) => {
    if (!stored) return undefined;
    const awake = awakened(stored, name, now);
    if (!session) return awake;
    const { joinedAt: _, ...lead } = memberOfSession(call);
    return withMember(awake, { ...lead, name: LEAD });
  });
  if (!team) throw new Error(`the team ${name} is gone`);
  if (session) adopt(paths, session, { team: name, agent: LEAD, isLead: true }, now);
  return { team, why };
}

function leading(call: ResumeCall, team: string, session: string, takeLead: TakeLead): string {
  const { subject: identity, paths, now } = call;
  if (identity.team !== team) {
    const bound = whyBound(identity, (other) => readTeam(paths, other)?.status);
    if (bound) throw new Error(bound);
  }
  const as = identity.team === team && !identity.isLead ? identity.agent : undefined;
  const by = call.identity.kind === "person" ? PERSON : undefined;
  const done = takeLead(paths, { team, session, as, force: call.flags.force === true, now, by });
  if (!done.isNew) return "this session leads it already";
  if (!done.before) return "the team had no lead";
  return done.isForced ? "by --force" : `the old lead is gone: ${done.evidence}`;
}

function awakened(team: Team, name: string, now: Date): Team {
  const isUp = (one: Member) => isSpawned(one) && one.status === "offline" && isThere(name, one);
  const members = team.members.map((one) => (isUp(one) ? { ...one, status: "active" } : one));
  const woken = team.status === "active" ? {} : { status: "active", resumedAt: now.toISOString() };
  return { ...team, ...woken, members };
}

function planFor(call: ResumeCall, team: string, member: Member): Plan {
  const { name, agentType, model, color, permissionMode, cwd = call.cwd, sessionId } = member;
  const tasks = readOpenTasks(call.paths, team, { owner: name });
  const unread = countUnread(call.paths, team, name);
  return {
    ...{ team, name, agentType, model, color, permissionMode, cwd },
    backend: member.backend === "headless" ? "headless" : undefined,
    prompt: comeBackPrompt({ team, agent: name }, { tasks, unread }),
    session: !call.flags.fresh && hasConversation(call.paths, sessionId) ? sessionId : undefined,
  };
}

function hasConversation(paths: Paths, session: string | undefined): boolean {
  const transcript = session ? readSession(paths, { session })?.transcript : undefined;
  return transcript !== undefined && (readHead(transcript, 1)?.size ?? 0) > 0;
}

/** A conversation that cannot be found again is no reason to stay away. */
function arrived(call: ResumeCall, started: Started, wait: number): string {
  const arrival = awaitMember(call, started, wait);
  const { plan, opened } = started;
  if (arrival.is !== "ended") return told(plan.name, opened, arrival.is);
  if (plan.session) return arrived(call, openMember(call, { ...plan, session: undefined }), wait);
  return `${plan.name} ended at once${arrival.lastWords ? `: ${arrival.lastWords}` : ""}`;
}
