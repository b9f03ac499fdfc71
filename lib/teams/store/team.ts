// Named teams: ours, persistent, one directory each. Native teams (`session-…`) share the place and are only read.
import { readdirSync } from "node:fs";
import { hasCode, isAbsence } from "../../core/files.ts";
import { readForeignJson, readJson, type UpdateOptions, updateJson } from "../../core/json.ts";
import { type Paths, segment, teamConfigPath, teamsDir, whyNotSegment } from "../../core/paths.ts";
import { listOf, maybe, maybeNumber, maybeText, object, someText, textOrNumber } from "../../core/shape.ts";
import { readEndMarks, removeEndMarks, withEndMarks } from "./end-marks.ts";
import { isNative } from "./native-teams.ts";

// The client writes times as numbers, seed 001 as text: both are read, text is written.
const time = maybe(textOrNumber);

const memberShape = object({
  name: someText,
  agentId: maybeText,
  agentType: maybeText,
  model: maybeText,
  color: maybeText,
  joinedAt: time,
  cwd: maybeText,
  sessionId: maybeText,
  pid: maybeNumber,
  pidStartedAt: maybeText,
  paneId: maybeText,
  /** `tmux`, `kitty`, `headless`: started by us; `joined`: a session that came by itself and is not ours to end. */
  backend: maybeText,
  /** Where tmux or kitty answers. */
  socket: maybeText,
  /** What a headless one prints. */
  log: maybeText,
  permissionMode: maybeText,
  /** `starting`, `active`, `idle`, `offline`. */
  status: maybeText,
  lastSeen: maybeText,
  prompt: maybeText,
});

const teamShape = object({
  name: maybeText,
  description: maybeText,
  createdAt: time,
  leadAgentId: maybeText,
  leadSessionId: maybeText,
  /** `active`, `suspended`, `archived`. */
  status: maybeText,
  suspendedAt: maybeText,
  resumedAt: maybeText,
  members: listOf(memberShape),
});

export type Member = ReturnType<typeof memberShape>;
export type Team = ReturnType<typeof teamShape>;

/** Native configs are rewritten in place by the client, so a broken read there is no damage. */
export function readTeam(paths: Paths, team: string): Team | undefined {
  const path = teamConfigPath(paths, team);
  if (isNative(team)) return readForeignJson(path, teamShape);
  const marks = readEndMarks(paths, team); // before the config: what is merged in between is then seen twice, not missed
  return marked(readJson(path, teamShape), marks);
}

const marked = (stored: Team | undefined, marks: Parameters<typeof withEndMarks>[1]): Team | undefined =>
  stored && marks.length > 0 ? { ...stored, members: withEndMarks(stored.members, marks) } : stored;

export function updateTeam(
  paths: Paths,
  team: string,
  change: (stored: Team | undefined) => Team | undefined,
  options: UpdateOptions = {},
): Team | undefined {
  if (isNative(team)) throw new Error(`${team} belongs to the client; its config is not ours to write`);
  let changed: Team | undefined;
  let marks: ReturnType<typeof readEndMarks> = [];
  updateJson(
    teamConfigPath(paths, team),
    teamShape,
    (stored) => {
      marks = readEndMarks(paths, team);
      const current = marked(stored, marks);
      changed = checked(current, change(current));
      return changed ?? (marks.length > 0 ? current : undefined);
    },
    { durable: true, ...options },
  );
  removeEndMarks(paths, team, marks);
  return changed;
}

/** Nothing is lost if the lock cannot be had: the next change merges. */
export function mergeEndMarks(paths: Paths, team: string, options: UpdateOptions): void {
  try {
    updateTeam(paths, team, () => undefined, options);
  } catch (error) {
    if (!hasCode(error, "ELOCKED")) throw error;
  }
}

/** A member whose name can be no file would make every message to the whole team fail. One that is there already may leave. */
function checked(stored: Team | undefined, wanted: Team | undefined): Team | undefined {
  const known = new Set(stored?.members.map((member) => member.name));
  for (const { name } of wanted?.members ?? []) if (!known.has(name)) segment(name);
  return wanted;
}

export function listTeams(paths: Paths): string[] {
  try {
    const names = readdirSync(teamsDir(paths), { withFileTypes: true });
    return names.flatMap((one) => (one.isDirectory() && !whyNotSegment(one.name) ? one.name : []));
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

export const memberOf = (team: Team, name: string): Member | undefined =>
  team.members.find((member) => member.name === name);

/** The member that leads, whichever session it has at the moment. */
export const isLeadMember = (team: Team, member: Member): boolean =>
  member.name === "team-lead" || (team.leadAgentId !== undefined && member.agentId === team.leadAgentId);
