// `swarm gc --all`, before or after the plugin is uninstalled: everything that Swarm keeps on this machine. Never unread mail, a team
// that may be alive, the records of a running session, or a worktree's record while the worktree is there.

import { type Call, isConfirmed } from "../cli/command.ts";
import { removeLine } from "../context/store/status-line.ts";
import { cacheDir, type Paths, swarmDir } from "../core/paths.ts";
import { counted, plainLines } from "../core/text.ts";
import { relayDir } from "../machines/store/paths.ts";
import { countUnread } from "../mail/store/inbox.ts";
import { listMailboxes, readInboxesBelow } from "../mail/store/mailbox-files.ts";
import { isUnread } from "../mail/store/message.ts";
import { tasksDir } from "../tasks/store.ts";
import { launcherDir, removeLauncher, removeRules } from "../teammates/store/setup.ts";
import { isNative, listTeams, readTeam, teamDir } from "../teams/store/config.ts";
import { archivedTeamDir } from "../teams/store/directory.ts";
import { lifeOfMember } from "../teams/store/liveness.ts";
import { isTreeThere, readTrees, treesDir } from "../worktrees/store/trees.ts";
import type { GC_FLAGS } from "./commands.ts";
import { kindOf, ownerOf } from "./file-kinds.ts";
import { type Facts, factsOf } from "./leftovers.ts";
import {
  prune,
  readArchives,
  readHeartbeatMarks,
  readOwnFiles,
  type StateFile,
} from "./store/state-files.ts";

interface Kept {
  what: string;
  why: string;
}

interface Plan {
  remove: string[];
  kept: Kept[];
}

export function gcAll(call: Call<typeof GC_FLAGS>) {
  const { paths } = call;
  const plan = planOf(paths, factsOf(paths, { now: call.now, keepDays: 1, isAsked: true }));
  const lines = [
    `swarm gc --all would restore your status line, take its allow rules out of your settings, remove its launcher from ${launcherDir(paths)}, and remove`,
    ...shown(paths, plan.remove),
    ...(plan.kept.length > 0 ? ["It keeps"] : []),
    ...plan.kept.map(({ what, why }) => `  ${what}: ${why}`),
  ];
  const answer = isConfirmed(call.flags, lines, "Remove it?");
  if (!answer) {
    const said = answer === undefined ? lines : [];
    const text = plainLines([...said, "Nothing was removed; `swarm gc --all --yes` removes it."]);
    return { text, data: { ...plan, done: false } };
  }
  removeLine(paths);
  removeRules(paths);
  removeLauncher(launcherDir(paths));
  for (const path of plan.remove) prune(path, paths.base);
  // When it ends, this run leaves its bytecode for the next.
  process.once("exit", () => prune(cacheDir(paths), paths.base));
  const still = plan.kept.map(({ what, why }) => `kept ${what}: ${why}`);
  return {
    text: plainLines([
      `Removed ${counted(plan.remove.length, "file or directory", "files and directories")}.`,
      ...still,
    ]),
    data: { ...plan, done: true },
  };
}

function planOf(paths: Paths, facts: Facts): Plan {
  const teams = listTeams(paths).filter((name) => !isNative(name));
  const kept = teams.flatMap((name) => whyKept(paths, name) ?? []);
  const keptTeams = new Set(kept.map(({ what }) => what.slice("team ".length)));
  const gone = teams.filter((name) => !keptTeams.has(name));
  const trees = readTrees(paths).filter(isTreeThere);
  const archives = readArchives(paths);
  const unread = archives.filter(({ path }) => readInboxesBelow(archivedTeamDir(path)).some(isUnread));
  const own = readOwnFiles(paths).filter(({ isDirectory }) => !isDirectory);
  const isRelay = (file: StateFile) => isBelow(file, relayDir(paths));
  const isKept = (file: StateFile) =>
    isOfSession(file, facts) || (trees.length > 0 && isBelow(file, treesDir(paths))) || isRelay(file);
  const stay = own.filter(isKept);
  return {
    remove: [
      ...own.filter((file) => !stay.includes(file)).map(({ path }) => path),
      ...gone.flatMap((name) => [teamDir(paths, name), tasksDir(paths, name)]),
      ...archives.filter((one) => !unread.includes(one)).map(({ path }) => path),
      ...readHeartbeatMarks(paths).map(({ path }) => path),
    ],
    kept: [
      ...kept,
      ...unread.map(({ name }) => ({ what: name, why: "it holds unread mail" })),
      ...trees.map(({ path }) => ({ what: path, why: "a worktree; `swarm worktree remove` ends it" })),
      ...(stay.some(isRelay) ? [{ what: "the relay", why: "`swarm relay leave` ends it" }] : []),
      ...(stay.some((file) => isOfSession(file, facts)) ? [RUNNING] : []),
    ],
  };
}

const RUNNING = { what: "records of running sessions", why: "run it again when they have ended" };

const isBelow = ({ path }: StateFile, directory: string) => path.startsWith(`${directory}/`);

function isOfSession({ name }: StateFile, { isAlive, isRunning }: Facts): boolean {
  const kind = kindOf(name);
  if (kind?.ends === "process") return isAlive(Number(ownerOf(kind, name)));
  return kind?.ends === "session" && isRunning(ownerOf(kind, name));
}

function whyKept(paths: Paths, name: string): Kept | undefined {
  const what = `team ${name}`;
  const alive = (readTeam(paths, name)?.members ?? []).filter(
    (member) => member.status !== "offline" && lifeOfMember(paths, member).life !== "gone",
  );
  if (alive.length > 0) return { what, why: `${alive.map((one) => one.name).join(", ")} may be running` };
  const unread = listMailboxes(paths, name).filter((agent) => countUnread(paths, name, agent) > 0);
  return unread.length > 0 ? { what, why: `unread mail for ${unread.join(", ")}` } : undefined;
}

const MOST_SHOWN = 12;

/** By directory, since there may be thousands. */
function shown(paths: Paths, remove: readonly string[]): string[] {
  if (remove.length === 0) return ["  nothing"];
  const own = remove.filter((path) => path.startsWith(`${swarmDir(paths)}/`));
  const others = remove.filter((path) => !own.includes(path));
  return [
    ...(own.length > 0
      ? [`  ${counted(own.length, "file")} in ${swarmDir(paths)}: journal, records, efforts, settings`]
      : []),
    ...others.slice(0, MOST_SHOWN).map((path) => `  ${path}`),
    ...(others.length > MOST_SHOWN ? [`  and ${others.length - MOST_SHOWN} more`] : []),
  ];
}
