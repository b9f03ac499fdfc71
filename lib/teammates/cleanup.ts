// `swarm cleanup`: archives a team, or with --members removes its dead members. Without --yes it only shows what it would do. Mail and
// files are moved to the archive, never deleted.

import { noTeam, requireMemberName, requireTeamName } from "../cli/unknown-names.ts";
import { appendCommand, dayAndTime } from "../core/journal.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import { counted, plainLines } from "../core/text.ts";
import { DAY_MS } from "../core/time.ts";
import { PERSON } from "../hook/context.ts";
import { listInboxes } from "../mail/store/mailbox-files.ts";
import { archiveInbox } from "../mail/store/removed-members.ts";
import { latestRecord, readSessions, removeSession } from "../sessions/store/sessions.ts";
import type { Life } from "../system/processes.ts";
import { PLAIN_PANE, setPaneOptions } from "../system/tmux.ts";
import { moveTaskList } from "../tasks/store.ts";
import { hasReader, isLead, type Member, type Team, teammatesOf, updateTeam } from "../teams/store/config.ts";
import { archivedTasksDir, archiveTeamDirectory } from "../teams/store/directory.ts";
import { lifeOfMember } from "../teams/store/liveness.ts";
import { readTrees } from "../worktrees/store/trees.ts";
import type { CallOf } from "./commands.ts";
import { clearMembership } from "./create.ts";
import { endedText, endMembers, runningClients } from "./end.ts";
import { teamNameOf } from "./names.ts";
import { requireManager } from "./policy.ts";
import { removeSpawnLedger } from "./store/spawns.ts";
import { worktreeLines } from "./worktree.ts";

export function cleanupVerb(call: CallOf<"cleanup">) {
  const name = teamNameOf(call, call.words[0]);
  const team = requireTeamName(call.paths, name); // also one that is marked archived: its cleanup was interrupted
  requireManager(call, name);
  const { members, agent } = call.flags;
  return members || agent ? pruneMembers(call, name, team) : archiveTeam(call, name, team);
}

function archiveTeam(call: CallOf<"cleanup">, name: string, team: Team) {
  const running = runningClients(name, teammatesOf(team));
  if (!call.flags.yes && !call.flags.force) return shown(call, name, team, running);
  if (running.length > 0 && !call.flags.force)
    throw new Error(
      `${names(running)} still run${running.length === 1 ? "s" : ""}: \`swarm suspend ${name}\` first, or --force ends them now`,
    );
  const ended = endMembers(name, running);
  updateTeam(call.paths, name, (stored) => ({ ...stored, status: "archived" }));
  const path = archiveTeamDirectory(call.paths, name, dayAndTime(call.now));
  moveTaskList(call.paths, name, archivedTasksDir(path));
  for (const { sessionId } of team.members) {
    if (!sessionId || whyNotSegment(sessionId)) continue;
    clearMembership(call.paths, sessionId, name);
    const { tmux, pane } = latestRecord(call.paths, sessionId) ?? {};
    if (tmux && pane) setPaneOptions(tmux, pane, PLAIN_PANE);
  }
  const lines = [`Archived team ${name}: ${path}`, endedText(ended), plainLines(worktreeLines(call, name))];
  return {
    text: lines.filter(Boolean).join("\n"),
    data: { team: name, path, ended, worktrees: readTrees(call.paths, name) },
  };
}

function shown(call: CallOf<"cleanup">, name: string, team: Team, running: Member[]) {
  const lines = [
    `swarm cleanup ${name} would`,
    ...(running.length > 0 ? [`  end ${names(running)}`] : []),
    `  move the team (${counted(team.members.length, "member")}, inboxes) and its tasks to the archive`,
    ...worktreeLines(call, name).map((line) => `  ${line}`),
    running.length > 0
      ? `Nothing done yet; run \`swarm cleanup ${name} --force\`, or \`swarm suspend ${name}\` first and then --yes.`
      : `Nothing done yet; run \`swarm cleanup ${name} --yes\`.`,
  ];
  const data = { team: name, running: running.map((one) => one.name), done: false };
  return { text: plainLines(lines), data };
}

const names = (members: Member[]) => members.map((member) => member.name).join(", ");

const SESSIONS_KEPT_MS = 7 * DAY_MS;

interface Step {
  what: "roster-remove" | "mailbox-archive" | "session-prune" | "skip";
  subject: string;
  why: string;
}

function pruneMembers(call: CallOf<"cleanup">, name: string, team: Team) {
  const { yes = false } = call.flags;
  const steps = yes ? cleanUp(call, name) : planCleanup(call, name, team);
  const lines = steps.map(({ what, subject, why }) => `${what.padEnd(15)}  ${subject}  (${why})`);
  const isPlan = !yes && steps.some((step) => step.what !== "skip");
  if (isPlan) lines.push("Nothing done yet; run it with --yes.");
  return { text: plainLines(lines) || "Nothing to remove.", data: { steps, done: yes } };
}

/** `force` is for members of which nothing is known, never for those that are alive. */
export function whyKept(team: Team, member: Member, life: Life, flags: CallOf<"cleanup">["flags"]) {
  const { agent, force } = flags;
  if (isLead(team, member)) return "the lead is never removed";
  if (member.machine !== undefined) return `it is a member on ${member.machine}`; // which alone removes it
  if (life === "alive") return "alive";
  if (life === "unknown" && !force) return "not proven dead; --force removes it";
  if (team.status === "suspended" && agent !== member.name && !force)
    return "the team is suspended; resuming it brings the member back";
  return undefined;
}

/** Plans again under the team's lock: a member may have come back since. */
export function cleanUp(call: CallOf<"cleanup">, name: string): Step[] {
  let steps: Step[] | undefined;
  updateTeam(call.paths, name, (team) => {
    steps = planCleanup(call, name, team);
    const removed = removedBy(steps);
    const members = team.members.filter((one) => !removed.includes(one.name));
    return removed.length > 0 ? { ...team, members } : undefined;
  });
  if (!steps) throw noTeam(call.paths, name);
  for (const step of steps) if (step.what !== "skip") carryOut(call, name, step);
  return steps;
}

export function planCleanup(call: CallOf<"cleanup">, name: string, team: Team): Step[] {
  const { paths, now, flags } = call;
  const { agent } = flags;
  const known = team.members.map((one) => one.name);
  if (agent) requireMemberName(agent, name, known);
  const isMeant = (one: string) => !agent || one === agent;
  const steps = team.members
    .filter((one) => isMeant(one.name))
    .map((member): Step => {
      const { life, evidence } = lifeOfMember(paths, member);
      const kept = whyKept(team, member, life, flags);
      const why = kept ? `${kept} (${evidence})` : evidence;
      return { what: kept ? "skip" : "roster-remove", subject: member.name, why };
    });
  const removed = removedBy(steps);
  const mailboxes = listInboxes(paths, name)
    .filter((one) => isMeant(one) && (removed.includes(one) || !hasReader(team, one)))
    .map((subject): Step => ({ what: "mailbox-archive", subject, why: "no member of that name" }));
  return [...steps, ...mailboxes, ...(agent ? [] : oldSessions(paths, name, team, now))];
}

const removedBy = (steps: readonly Step[]) =>
  steps.flatMap(({ what, subject }) => (what === "roster-remove" ? subject : []));

function oldSessions(paths: Paths, name: string, team: Team, now: Date): Step[] {
  const inUse = new Set([team.leadSessionId, ...team.members.map((one) => one.sessionId)]);
  const isOld = (endedAt: string) => now.getTime() - Date.parse(endedAt) > SESSIONS_KEPT_MS;
  return readSessions(paths)
    .filter((one) => one.team === name && one.endedAt && isOld(one.endedAt) && !inUse.has(one.session))
    .map((one): Step => ({ what: "session-prune", subject: one.session, why: `ended at ${one.endedAt}` }));
}

function carryOut(call: CallOf<"cleanup">, team: string, step: Step): void {
  const { paths, now, identity, flags } = call;
  const to = step.what === "mailbox-archive" ? archiveInbox(paths, team, step.subject, now) : undefined;
  if (step.what === "session-prune") {
    removeSpawnLedger(paths, step.subject);
    removeSession(paths, step.subject);
  }
  appendCommand(call, {
    agent: identity.kind === "person" ? PERSON : "main",
    feature: "cleanup",
    team,
    ...step,
    ...(to && { to }),
    ...(flags.force && { forced: true }),
  });
}
