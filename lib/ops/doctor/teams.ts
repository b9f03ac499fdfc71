// Teams without a living lead, members that crashed, records of processes that have ended; and whether the relay of a team on several
// machines was reached, and what a power loss there could cost.

import type { Paths } from "../../core/paths.ts";
import { counted } from "../../core/text.ts";
import { isCourierFresh, relayedTeams } from "../../machines/store/paths.ts";
import { powerLossRisk, readRelay, readStatus } from "../../machines/store/relay.ts";
import { readPauses } from "../../sessions/store/pauses.ts";
import type { GitCall } from "../../system/git.ts";
import { lifeOf, readProcesses } from "../../system/processes.ts";
import {
  isNative,
  listTeams,
  memberOf,
  readNativeTeams,
  readTeam,
  teamDir,
} from "../../teams/store/config.ts";
import { lifeOfMember, lifeOfSession } from "../../teams/store/liveness.ts";
import { liveAgentsEverywhere } from "../../worktrees/store/agents.ts";
import { readForecast } from "../../worktrees/store/forecast.ts";
import { whatWouldBeLost, workIn } from "../../worktrees/store/tree-work.ts";
import { isTreeThere, readTrees, type TreeRecord } from "../../worktrees/store/trees.ts";
import { type Finding, ok, some, warn, warnIfAny } from "./finding.ts";

export function teamFindings(paths: Paths): Finding[] {
  const named = listTeams(paths).filter((name) => !isNative(name));
  const found = [
    ...named.flatMap((name) => namedFindings(paths, name)),
    ...nativeFindings(paths),
    ...processFindings(paths),
  ];
  return found.length > 0 ? found : ok(`${counted(named.length, "named team")}, nothing left behind`);
}

function namedFindings(paths: Paths, name: string): Finding[] {
  const team = readTeam(paths, name);
  const unused = "if it is not in use, move the directory away";
  if (!team) return warn(`the team ${name} has no config`, [teamDir(paths, name)], unused);
  if (team.status === "suspended" || team.status === "archived") return [];
  const lead = team.leadSessionId ? lifeOfSession(paths, team.leadSessionId, team) : undefined;
  const lost = team.members.flatMap((member) => {
    if (member.status === "offline" || member.sessionId === team.leadSessionId) return [];
    const { life, evidence } = lifeOfMember(paths, member);
    return life === "gone" ? `${member.name}: ${evidence}` : [];
  });
  return [
    ...warnIfAny(
      lead?.life === "gone" ? [lead.evidence] : [],
      `the lead of ${name} is gone`,
      `\`swarm resume ${name}\` takes the lead over; \`swarm cleanup ${name}\` ends the team`,
    ),
    ...warnIfAny(
      lost,
      `${counted(lost.length, "member")} of ${name} ended unexpectedly`,
      `\`swarm resume ${name}\` restarts those that Swarm started; \`swarm cleanup ${name} --members\` lists those it would remove`,
    ),
  ];
}

function nativeFindings(paths: Paths): Finding[] {
  const left = readNativeTeams(paths).flatMap(({ name, leadSessionId, leadProcess }) => {
    const life = lifeOf({ pid: leadProcess?.pid, startedAt: leadProcess?.procStart });
    if (life === "gone") return `${name}: process ${leadProcess?.pid} of its lead has ended`;
    if (life === "alive" || !leadSessionId) return [];
    const session = lifeOfSession(paths, leadSessionId);
    return session.life === "gone" ? `${name}: ${session.evidence}` : [];
  });
  return warnIfAny(
    left,
    `${counted(left.length, "team")} of the client left behind`,
    "they belong to the client, which starts a new one each time; delete them from the teams directory if you like",
  );
}

function processFindings(paths: Paths): Finding[] {
  const gone = readProcesses(paths).filter((known) => lifeOf(known) === "gone");
  return warnIfAny(
    gone.map(({ pid, session }) => `process ${pid}, session ${session}`),
    `${counted(gone.length, "client")} ended unexpectedly`,
    "nothing to do: the next session that starts closes their records",
  );
}

export const relayFindings = (paths: Paths, now: Date): Finding[] =>
  relayedTeams(paths).flatMap((team) => relayFinding(paths, team, now));

function relayFinding(paths: Paths, team: string, now: Date): Finding[] {
  const relay = readRelay(paths, team);
  if (!relay)
    return warn(`the relay settings of ${team} cannot be read`, [], "`swarm relay join` writes them again");
  const status = readStatus(paths, team);
  const evidence = `this machine is ${relay.machine}`;
  const waits = "`swarm relay status`; mail waits in the outbox meanwhile";
  if (status?.error) return warn(`the relay of ${team} is not reached`, [evidence, status.error], waits);
  const runs = isCourierFresh(paths, now.getTime())
    ? "the courier runs"
    : "no courier runs; a session starts one";
  const risk = status?.server && powerLossRisk(status.server);
  return [
    ...ok(`the team ${team} is on a relay`, `${evidence}; ${runs}`),
    ...warnIfAny(
      risk ? [risk] : [],
      `a power loss of the relay of ${team} may cost acknowledged messages`,
      "nats-server 2.10 or later, with the configuration of `swarm relay config`",
    ),
  ];
}

// Worktrees of teammates: those whose directory is gone, those with work that nobody is at, and a git too old for the forecast.

/** Says nothing where there is no worktree. */
export function treeFindings(paths: Paths, env: GitCall["env"]): Finding[] {
  const trees = readTrees(paths);
  if (trees.length === 0) return [];
  const missing = trees.filter((tree) => !isTreeThere(tree));
  const left = trees.filter((tree) => isTreeThere(tree) && !isRunning(paths, tree));
  const holding = left.flatMap((tree) => {
    // Without the names: a bug report carries this.
    const lost = whatWouldBeLost(workIn(env, tree)).map((text) => text.replace(/: .*/s, ""));
    return lost.length > 0 ? `${tree.agent}@${tree.team}, ${tree.path}: ${lost.join("; ")}` : [];
  });
  const why = trees.map(({ commonDir }) => readForecast(paths, { common: commonDir })?.why).find(Boolean);
  const found = [
    ...warnIfAny(
      missing.map(({ agent, team, path }) => `${agent}@${team}: ${path}`),
      `${counted(missing.length, "worktree")} of teammates: the directory is gone`,
      "`swarm resume` makes it again from its branch; `swarm worktree remove NAME` forgets it",
    ),
    ...warnIfAny(
      holding,
      `${counted(holding.length, "worktree")} with work that is nowhere else, and its teammate does not run`,
      "merge or push it, then `swarm worktree remove NAME`; `swarm resume` continues it",
    ),
    ...warnIfAny(why ? [why] : [], "there is no merge forecast", "a newer git makes it possible"),
  ];
  return found.length > 0 ? found : ok(`${counted(trees.length, "worktree")} of teammates`);
}

/** Says nothing for an agent alone. Without the guard's parser the shell's writes are unknown. */
export function sharedFindings(paths: Paths, now: Date, isGuardOn: boolean): Finding[] {
  const shared = liveAgentsEverywhere(paths, now).filter((agents) => agents.length > 1);
  if (shared.length === 0) return [];
  const what = `${counted(shared.length, "repository", "repositories")} shared by live agents`;
  const namesOf = (agents: readonly { name: string }[]) => agents.map(({ name }) => name).join(", ");
  const evidence = shared.map((agents) => `${namesOf(agents)}: ${agents[0]?.tree ?? ""}`);
  if (isGuardOn) return ok(what, ...some(evidence));
  const advice = "they are read by the command guard: guard.enabled = true";
  return warn(`${what}, and writes by the shell are not seen`, some(evidence), advice);
}

function isRunning(paths: Paths, { team, agent }: TreeRecord): boolean {
  const member = memberOf(readTeam(paths, team), agent);
  return member !== undefined && lifeOfMember(paths, member).life === "alive";
}

/** A forgotten pause looks like a broken agent. */
export function pauseFindings(paths: Paths): Finding[] {
  const lines = readPauses(paths).map(({ team, agent, session, by, since, why }) => {
    const named = agent ? `${agent}@${team}` : (team ?? "everything");
    const scope = session ? `session ${session.slice(0, 8)}` : named;
    return `${scope}: by ${by} since ${since}${why ? `: ${why}` : ""}`;
  });
  return warnIfAny(lines, "agents are paused and begin no tool call", "`swarm unpause` lets them go on");
}
