// `swarm gc`: lists orphaned files older than the limit by kind, asks, and removes them.
import { badCall, type Call, countOf, unconfirmed } from "../cli/command.ts";
import { removeLine } from "../context/store/status-line.ts";
import { isBelow } from "../core/files.ts";
import { appendCommand } from "../core/journal.ts";
import { cacheDir, type Paths, swarmDir } from "../core/paths.ts";
import { counted, firstOf, plainLines, sizeText } from "../core/text.ts";
import { PERSON } from "../hook/context.ts";
import { relayDir } from "../machines/store/paths.ts";
import { countUnread } from "../mail/store/inbox.ts";
import { listMailboxes, readInboxesBelow } from "../mail/store/mailbox-files.ts";
import { isUnread } from "../mail/store/message.ts";
import { latestRecord, lifeOfRecord } from "../sessions/store/sessions.ts";
import { tasksDir } from "../tasks/store.ts";
import { launcherDir, removeLauncher, removeRules } from "../teammates/store/setup.ts";
import { isNative, listTeams, readTeam, teamDir } from "../teams/store/config.ts";
import { archivedTeamDir } from "../teams/store/directory.ts";
import { mayBeRunning } from "../teams/store/liveness.ts";
import { isTreeThere, readTrees, treesDir } from "../worktrees/store/trees.ts";
import type { GC_FLAGS } from "./commands.ts";
import { isLeftLock } from "./doctor/files.ts";
import { kindOf, ownerOf } from "./file-kinds.ts";
import { type Leftover, leftovers, ownersIn } from "./leftovers.ts";
import {
  bytesOf,
  prune,
  readArchives,
  readHeartbeatMarks,
  readOwnFiles,
  readStateFiles,
  releaseLock,
  removeEmpty,
} from "./store/state-files.ts";

type GcCall = Call<typeof GC_FLAGS>;

const MOST_SHOWN = 3;

export function gcVerb(call: GcCall) {
  const { flags, now, paths, session } = call;
  if (flags.all && flags.days) throw badCall("--all and --days exclude each other");
  if (flags.all) return gcAll(call);
  const usual = call.loaded.values["gc.keep_days"];
  const keepDays = countOf(flags.days ?? usual, "--days is a number of days, 1 or more");
  const files = [...readStateFiles(paths), ...readArchives(paths), ...readHeartbeatMarks(paths)];
  const found = leftovers(files, { now, keepDays, isAsked: true, owners: ownersIn(paths) });
  const count = files.filter(({ isDirectory }) => !isDirectory).length;
  const sum = `${counted(count, "file")}, ${sizeText(bytesOf(files))} in all`;
  if (found.length === 0) {
    const text = `Nothing to remove: no orphaned files older than ${counted(keepDays, "day")} (${sum}).`;
    return { text, data: { found, done: false } };
  }
  const lines = [...byKind(found), `${sizeText(sumOf(found))} of ${sum}`];
  const refusal = "Nothing was removed; `swarm gc --yes` removes them.";
  const text = unconfirmed(flags, lines, "Remove them?", refusal);
  if (text) return { text, data: { found, bytes: sumOf(found), done: false } };
  const left: string[] = [];
  const gone = found.filter(({ path }) => prune(path, paths.base, left));
  const bytes = sumOf(gone);
  const agent = session ? "main" : PERSON;
  const kinds = [...new Set(gone.map(({ kind }) => kind))];
  appendCommand(call, { agent, feature: "upkeep", what: "pruned", files: gone.length, bytes, kinds });
  const removed = `Removed ${counted(gone.length, "file")}, ${sizeText(bytes)}.`;
  return { text: plainLines([removed, ...left]), data: { found, bytes, left, done: true } };
}

function byKind(found: readonly Leftover[]): string[] {
  return [...new Set(found.map(({ kind }) => kind))].flatMap((kind) => {
    const own = found.filter((one) => one.kind === kind);
    const paths = own.map(({ path }) => path);
    const shown = firstOf(paths, MOST_SHOWN).map((line) => `  ${line}`);
    return [`${kind}: ${own.length}, ${sizeText(sumOf(own))}`, ...shown];
  });
}

const sumOf = (found: readonly Leftover[]) => found.reduce((sum, { bytes }) => sum + bytes, 0);

// `swarm gc --all`, before or after the plugin is uninstalled: everything that Swarm keeps on this machine. Never unread mail, a team
// that may be alive, the records of a running session, or a worktree's record while the worktree is there.

function gcAll(call: GcCall) {
  const { paths } = call;
  const plan = planOf(paths);
  const lines = [
    `swarm gc --all would restore your status line, take its allow rules out of your settings, remove its launcher from ${launcherDir(paths)}, and remove`,
    ...shown(paths, plan.remove),
    ...(plan.kept.length > 0 ? ["It keeps"] : []),
    ...plan.kept.map(({ what, why }) => `  ${what}: ${why}`),
  ];
  const refusal = "Nothing was removed; `swarm gc --all --yes` removes it.";
  const text = unconfirmed(call.flags, lines, "Remove it?", refusal);
  if (text) return { text, data: { ...plan, done: false } };
  removeLine(paths);
  removeRules(paths);
  removeLauncher(launcherDir(paths));
  const left: string[] = [];
  for (const path of plan.remove) prune(path, paths.base, left);
  const own = readOwnFiles(paths);
  for (const file of own) if (isLeftLock(file, call.now)) releaseLock(file.path);
  removeEmpty(own.filter(({ name }) => !name.endsWith(".lock"))); // a held lock is an empty directory too
  // When it ends, this run leaves its bytecode for the next.
  process.once("exit", () => prune(cacheDir(paths), paths.base));
  const removed = counted(plan.remove.length - left.length, "file or directory", "files and directories");
  const kept = plan.kept.map(({ what, why }) => `kept ${what}: ${why}`);
  return { text: plainLines([`Removed ${removed}.`, ...kept, ...left]), data: { ...plan, left, done: true } };
}

function planOf(paths: Paths) {
  const teams = listTeams(paths)
    .filter((name) => !isNative(name))
    .map((name) => ({ name, why: whyKept(paths, name) }));
  const trees = readTrees(paths).filter(isTreeThere);
  const archives = readArchives(paths);
  const unread = archives.filter(({ path }) => readInboxesBelow(archivedTeamDir(path)).some(isUnread));
  const own = readOwnFiles(paths).filter(({ isDirectory }) => !isDirectory);
  const { isAlive, isRunning } = ownersIn(paths);
  const ofSessions = own.filter(({ name }) => {
    const kind = kindOf(name);
    if (kind?.ends === "process") return isAlive(Number(ownerOf(kind, name)));
    return kind?.ends === "session" && isRunning(ownerOf(kind, name));
  });
  const ofRelay = own.filter(({ path }) => isBelow(path, relayDir(paths)));
  const ofTrees = trees.length > 0 ? own.filter(({ path }) => isBelow(path, treesDir(paths))) : [];
  const stay = new Set([...ofSessions, ...ofRelay, ...ofTrees]);
  return {
    remove: [
      ...own.flatMap((file) => (stay.has(file) ? [] : file.path)),
      ...teams.flatMap(({ name, why }) => (why ? [] : [teamDir(paths, name), tasksDir(paths, name)])),
      ...archives.filter((one) => !unread.includes(one)).map(({ path }) => path),
      ...readHeartbeatMarks(paths).map(({ path }) => path),
    ],
    kept: [
      ...teams.flatMap(({ name, why }) => (why ? { what: `team ${name}`, why } : [])),
      ...unread.map(({ name }) => ({ what: name, why: "it holds unread mail" })),
      ...trees.map(({ path }) => ({ what: path, why: "a worktree; `swarm worktree remove` ends it" })),
      ...(ofRelay.length > 0 ? [{ what: "the relay", why: "`swarm relay leave` ends it" }] : []),
      ...(ofSessions.length > 0
        ? [{ what: "records of running sessions", why: "run it again when they have ended" }]
        : []),
    ],
  };
}

function whyKept(paths: Paths, name: string): string | undefined {
  const team = readTeam(paths, name);
  const alive = (team?.members ?? []).filter((member) => mayBeRunning(paths, member));
  if (alive.length > 0) return `${alive.map((one) => one.name).join(", ")} may be running`;
  const lead = latestRecord(paths, team?.leadSessionId); // it need not be on the roster
  if (lead?.pid && lifeOfRecord(lead) !== "gone") return "its lead may be running";
  const unread = listMailboxes(paths, name).filter((agent) => countUnread(paths, name, agent) > 0);
  return unread.length > 0 ? `unread mail for ${unread.join(", ")}` : undefined;
}

const MOST_PATHS_SHOWN = 12;

/** By directory, since there may be thousands. */
function shown(paths: Paths, remove: readonly string[]): string[] {
  if (remove.length === 0) return ["  nothing"];
  const others = remove.filter((path) => !isBelow(path, swarmDir(paths)));
  const count = remove.length - others.length;
  const own = `${counted(count, "file")} in ${swarmDir(paths)}: journal, records, efforts, settings`;
  return [...(count > 0 ? [own] : []), ...firstOf(others, MOST_PATHS_SHOWN)].map((line) => `  ${line}`);
}
