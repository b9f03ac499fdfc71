// `swarm cleanup`: the team is over. Shown first, done with --yes; its files are moved to the archive, never deleted.

import { join } from "node:path";
import type { Call } from "../cli/command.ts";
import { dayAndTime } from "../core/journal.ts";
import { plainLines } from "../core/text.ts";
import { moveTaskList } from "../tasks/store.ts";
import { type Member, type Team, updateTeam } from "../teams/store/config.ts";
import { archiveTeamDirectory } from "../teams/store/directory.ts";
import { endedText, endMembers, isThere } from "./ending.ts";
import { release } from "./membership.ts";
import { isSpawned } from "./roster.ts";
import { refuseStrangers, teammatesOf } from "./suspend.ts";
import { teamNameOf, teamOf } from "./team-of.ts";

export const CLEANUP_FLAGS = {
  team: { type: "string" },
  yes: { type: "boolean" },
  force: { type: "boolean" },
  "session-id": { type: "string" },
} as const;

export function cleanupVerb(call: Call<typeof CLEANUP_FLAGS>) {
  const name = teamNameOf(call, call.words[0]);
  const team = teamOf(call, name);
  refuseStrangers(call, name);
  const running = teammatesOf(team).filter((member) => isSpawned(member) && isThere(name, member));
  if (!call.flags.yes && !call.flags.force) return shown(name, team, running);
  if (running.length > 0 && !call.flags.force)
    throw new Error(
      `${names(running)} still run${running.length === 1 ? "s" : ""}: \`swarm suspend ${name}\` first, or --force ends them now`,
    );
  const ended = endMembers(name, running);
  updateTeam(call.paths, name, (stored) => stored && { ...stored, status: "archived" });
  const path = archiveTeamDirectory(call.paths, name, dayAndTime(call.now));
  moveTaskList(call.paths, name, join(path, "tasks"));
  for (const { sessionId } of team.members) if (sessionId) release(call.paths, sessionId, name);
  const text = [`team ${name} is archived: ${path}`, endedText(ended)].filter(Boolean).join("\n");
  return { text, data: { team: name, path, ended } };
}

function shown(name: string, team: Team, running: Member[]) {
  const lines = [
    `cleanup of ${name} would`,
    ...(running.length > 0 ? [`  end ${names(running)} (with --force; without it, this is refused)`] : []),
    `  move the team (${team.members.length} members, inboxes) and its tasks to the archive`,
    `nothing is done yet: \`swarm cleanup ${name} --yes\` does it`,
  ];
  const data = { team: name, running: running.map((one) => one.name), done: false };
  return { text: plainLines(lines), data };
}

const names = (members: Member[]) => members.map((member) => member.name).join(", ");
