// `swarm gc`: lists orphaned files older than the limit by kind, asks, and removes them.

import { badCall, type Call, isConfirmed } from "../cli/command.ts";
import { appendJournal } from "../core/journal.ts";
import { counted, plainLines, sizeText } from "../core/text.ts";
import { PERSON } from "../hook/identity.ts";
import type { GC_FLAGS } from "./commands.ts";
import { gcAll } from "./gc-all.ts";
import { factsOf, type Leftover, leftovers } from "./leftovers.ts";
import { prune, readArchives, readHeartbeatMarks, readStateFiles } from "./store/state-files.ts";

type GcCall = Call<typeof GC_FLAGS>;

const MOST_SHOWN = 3;

export function gcVerb(call: GcCall) {
  if (call.flags.all && call.flags.days) throw badCall("--all and --days exclude each other");
  if (call.flags.all) return gcAll(call);
  const keepDays = daysOf(call);
  const files = [
    ...readStateFiles(call.paths),
    ...readArchives(call.paths),
    ...readHeartbeatMarks(call.paths),
  ];
  const facts = factsOf(call.paths, { now: call.now, keepDays, isAsked: true });
  const found = leftovers(files, facts);
  const all = files.filter(({ isDirectory }) => !isDirectory);
  const sum = `${counted(all.length, "file")}, ${sizeText(all.reduce((bytes, { size }) => bytes + size, 0))} in all`;
  if (found.length === 0)
    return {
      text: `Nothing to remove: no orphaned files older than ${counted(keepDays, "day")} (${sum}).`,
      data: { found, done: false },
    };
  const shown = [...byKind(found), `${sizeText(bytesOf(found))} of ${sum}`];
  const data = { found, bytes: bytesOf(found) };
  const answer = isConfirmed(call.flags, shown, "Remove them?");
  if (!answer) {
    const lines = [
      ...(answer === undefined ? shown : []),
      "Nothing was removed; `swarm gc --yes` removes them.",
    ];
    return { text: plainLines(lines), data: { ...data, done: false } };
  }
  for (const { path } of found) prune(path, call.paths.base);
  note(call, found);
  return {
    text: `Removed ${counted(found.length, "file")}, ${sizeText(data.bytes)}.`,
    data: { ...data, done: true },
  };
}

function daysOf({ flags, loaded }: GcCall): number {
  const days = flags.days === undefined ? loaded.values["gc.keep_days"] : Number(flags.days);
  if (!Number.isSafeInteger(days) || days < 1) throw badCall("--days is a number of days, 1 or more");
  return days;
}

function byKind(found: readonly Leftover[]): string[] {
  return [...new Set(found.map(({ kind }) => kind))].flatMap((kind) => {
    const own = found.filter((one) => one.kind === kind);
    const more = own.length > MOST_SHOWN ? [`  and ${own.length - MOST_SHOWN} more`] : [];
    return [
      `${kind}: ${own.length}, ${sizeText(bytesOf(own))}`,
      ...own.slice(0, MOST_SHOWN).map(({ path }) => `  ${path}`),
      ...more,
    ];
  });
}

const bytesOf = (found: readonly Leftover[]) => found.reduce((sum, { bytes }) => sum + bytes, 0);

function note({ paths, now, session = "" }: GcCall, found: readonly Leftover[]): void {
  appendJournal(paths, now, {
    event: "command",
    session,
    agent: session ? "main" : PERSON,
    feature: "upkeep",
    what: "pruned",
    files: found.length,
    bytes: bytesOf(found),
    kinds: [...new Set(found.map(({ kind }) => kind))],
  });
}
