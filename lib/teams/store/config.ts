// A team's `config.json`: who is in it and who leads it. Named teams are ours; the client's own teams (`session-<8 hex>`) share the
// directory and the format and are only read.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { FileKind } from "../../core/file-kind.ts";
import { ifThere } from "../../core/files.ts";
import { newId } from "../../core/journal.ts";
import {
  dropChange,
  readForeignJson,
  readJson,
  readSpool,
  removeChanges,
  type UpdateOptions,
  updateJson,
} from "../../core/json.ts";
import { unlessLocked } from "../../core/lock.ts";
import { type Paths, segment, teamPath, whyNotSegment } from "../../core/paths.ts";
import { reported } from "../../core/process.ts";
import { maybeNumber, maybeText, object, someText } from "../../core/shape.ts";
import { argvOf, type Life, lifeOf } from "../../system/processes.ts";
import { type Member, parseConfig, type Team } from "./config-schema.ts";

export type { Member, Team } from "./config-schema.ts";

export const TEAM_FILES: readonly FileKind[] = [
  { name: "teams", path: "teams/<team>/config.json", kept: "one a team; swarm cleanup ends it" },
  {
    name: "changes to a team",
    path: "teams/<team>/config-spool/<change>.json",
    kept: "merged by the next process that holds the lock",
  },
  { name: "archived teams", path: "archives/<team>", ends: "person" },
];

export const teamsDir = (paths: Paths) => join(paths.base, "teams");
export const teamDir = (paths: Paths, team: string) => teamPath(paths, team);
export const teamConfigPath = (paths: Paths, team: string) => teamPath(paths, team, "config.json");
const teamSpoolDir = (paths: Paths, team: string) => teamPath(paths, team, "config-spool");

export const isNative = (team: string): boolean => /^session-[0-9a-f]{8}$/.test(team);

/** The client rewrites its configs in place, so a broken read there is no damage. */
export function readTeam(paths: Paths, team: string): Team | undefined {
  const path = teamConfigPath(paths, team);
  if (isNative(team)) return readForeignJson(path, parseConfig);
  const marks = readEndMarks(paths, team); // before the config: what is merged in between is then seen twice, not missed
  const stored = readJson(path, parseConfig);
  return stored && withEndMarks(stored, marks);
}

/** Nothing is changed where there is no such team, or `change` returns `undefined`. Keys we do not know survive. */
export function updateTeam(
  paths: Paths,
  team: string,
  change: (stored: Team) => Team | undefined,
  options: UpdateOptions = {},
): Team | undefined {
  if (isNative(team)) throw new Error(`${team} belongs to the client; its config is not ours to write`);
  // A lock would leave a directory here, in which `createTeamDirectory` could not make a team any more.
  if (!existsSync(teamDir(paths, team))) return undefined;
  let changed: Team | undefined;
  let marks: ReturnType<typeof readEndMarks> = [];
  const merge = (stored: Team | undefined) => {
    marks = readEndMarks(paths, team);
    if (!stored) return undefined;
    const current = withEndMarks(stored, marks);
    changed = change(current);
    requireUsableNames(current, changed);
    return changed ?? (marks.length > 0 ? current : undefined);
  };
  updateJson(teamConfigPath(paths, team), parseConfig, merge, { durable: true, ...options });
  removeChanges(teamSpoolDir(paths, team), marks);
  return changed;
}

/** A new member whose name cannot be a file name would make every message to the whole team fail. */
function requireUsableNames(stored: Team, wanted: Team | undefined): void {
  const known = new Set(stored.members.map((member) => member.name));
  for (const { name } of wanted?.members ?? []) if (!known.has(name)) segment(name);
}

export function listTeams(paths: Paths): string[] {
  const entries = ifThere(() => readdirSync(teamsDir(paths), { withFileTypes: true })) ?? [];
  return entries.flatMap((one) => (one.isDirectory() && !whyNotSegment(one.name) ? one.name : []));
}

/** A config without a status, as the client and version 0.1.0 write it, is that of an active team. */
export const statusOf = (team: Pick<Team, "status"> | undefined): string | undefined =>
  team && (team.status ?? "active");

export const memberOf = (team: Team | undefined, name: string): Member | undefined =>
  team?.members.find((member) => member.name === name);

/** A member that runs on another machine. Its mailbox here is the outbox of everybody here, and the courier is its reader. */
export type RemoteMember = Member & { machine: string; agent: string };

export const isRemote = (member: Member): member is RemoteMember =>
  member.machine !== undefined && member.agent !== undefined;

/** By its process alone, as the config names it. */
export const processLifeOf = ({ pid, pidStartedAt }: Member): Life =>
  lifeOf({ pid, startedAt: pidStartedAt });

/** The usual name, and the agent type, of a team's lead. */
export const LEAD = "team-lead";

/** The name of the one member that leads. A team without such a member is led by somebody who is not listed, whose mail is kept under
 *  the usual name. */
export function leadOf(team: Team | undefined): string {
  const { leadAgentId, members = [] } = team ?? {};
  const byId = members.find(({ agentId }) => agentId !== undefined && agentId === leadAgentId);
  const lead =
    byId ?? members.find(({ name }) => name === LEAD) ?? members.find(({ agentType }) => agentType === LEAD);
  return lead?.name ?? LEAD;
}

export const isLead = (team: Team, { name }: Pick<Member, "name">): boolean => name === leadOf(team);

/** Whom one can write to: the listed members, and a lead that is not listed, once a session leads. */
export const memberNames = (team: Team): string[] => [
  ...new Set([...team.members.map(({ name }) => name), ...(team.leadSessionId ? [leadOf(team)] : [])]),
];

export const isMember = (team: Team | undefined, name: string): boolean =>
  team !== undefined && memberNames(team).includes(name);

/** Whose mail waits without a limit: a member's, and the lead's, which the next lead reads. */
export const hasReader = (team: Team | undefined, name: string): boolean =>
  isMember(team, name) || (team !== undefined && name === leadOf(team));

/** By session, of which each `/clear` starts a new one, or by process: a native team names the session from before the `/clear`. */
export const isLedBy = (
  { leadSessionId, leadProcess }: Team,
  { sessions, clientPid }: { sessions: readonly string[]; clientPid?: number | undefined },
): boolean =>
  (leadSessionId !== undefined && sessions.includes(leadSessionId)) ||
  (clientPid !== undefined && leadProcess?.pid === clientPid);

export function teammatesOf(team: Team | undefined): Member[] {
  const lead = leadOf(team);
  return (team?.members ?? []).filter(({ name }) => name !== lead);
}

// End marks: the ends of members that could not be written into the config in time. Readers see them as if they were written.

/** `ended` is the member's name; `pid` and `session` are those it had then. */
const endMark = object({ ended: someText, at: someText, pid: maybeNumber, session: maybeText });
export type EndMark = ReturnType<typeof endMark>;

const readEndMarks = (paths: Paths, team: string) => readSpool(teamSpoolDir(paths, team), endMark).changes;

/** Into the config, or into the spool while its lock is held: the next change merges. */
export function writeEnd(paths: Paths, team: string, mark: EndMark, options: UpdateOptions): void {
  const write = () =>
    void updateTeam(paths, team, (stored) => withEndMarks(stored, [{ change: mark }]), options);
  unlessLocked(write, () => dropChange(teamSpoolDir(paths, team), newId(new Date(mark.at)), mark));
}

function withEndMarks(team: Team, marks: readonly { change: EndMark }[]): Team {
  if (marks.length === 0) return team;
  const members = team.members.map((member) => {
    const mark = marks.findLast(({ change }) => endedWith(member, change))?.change;
    return mark ? { ...member, status: "offline", lastSeen: mark.at } : member;
  });
  return { ...team, members };
}

/** Some times in a config are whole seconds. */
const TICK_MS = 1_000;

/** A member that has started again since is another process by now, or was seen later. */
const endedWith = ({ name, pid, sessionId, lastSeen }: Member, mark: EndMark): boolean =>
  name === mark.ended &&
  pid === mark.pid &&
  sessionId === mark.session &&
  !(Date.parse(lastSeen ?? "") >= Date.parse(mark.at) + TICK_MS);

// Native teams: which member of one a client process is.

/** Who a session is depends on all of them. */
export const readNativeTeams = (paths: Paths): (Team & { name: string })[] =>
  listTeams(paths)
    .filter(isNative)
    .flatMap((name) => {
      const team = reported(() => readTeam(paths, name));
      return team ? { ...team, name } : [];
    });

/** A pane teammate's client is started with its name and team; the pane alone is weaker, since every tmux server counts from %0. */
export function findNativeMember(
  paths: Paths,
  { session, clientPid, pane }: { session: string; clientPid: number; pane: string | undefined },
) {
  const argv = argvOf(clientPid);
  const agent = optionOf(argv, "--agent-name");
  const team = optionOf(argv, "--team-name");
  const inPane = { isLead: false, kind: "pane" } as const;
  if (agent && team && isNative(team)) return { team, agent, ...inPane, by: "process" } as const;
  const teams = readNativeTeams(paths);
  const led = teams.find((one) => isLedBy(one, { sessions: [session], clientPid }));
  if (led) return { team: led.name, agent: leadOf(led), isLead: true, kind: "lead", by: "lead" } as const;
  if (!pane || argv.length > 0) return undefined;
  for (const { name, members } of teams) {
    const member = members.find((one) => one.backendType === "tmux" && one.tmuxPaneId === pane);
    if (member) return { team: name, agent: member.name, ...inPane, by: "pane" } as const;
  }
  return undefined;
}

function optionOf(argv: string[], name: string): string | undefined {
  const at = argv.indexOf(name);
  return at < 0 ? undefined : argv[at + 1];
}
