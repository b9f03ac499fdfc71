// Lines for an agent that has no mailbox of ours: kept until its next step.

import { existsSync } from "node:fs";
import { KB, type LogKind } from "../../core/file-kind.ts";
import { readTail, removeFile } from "../../core/files.ts";
import { appendLine, parsedLines } from "../../core/json.ts";
import { withLock } from "../../core/lock.ts";
import { type Paths, swarmPath } from "../../core/paths.ts";
import { agentOfKey, keyOf } from "./agents.ts";

export const TREE_NOTES: LogKind = {
  name: "notes about trees",
  path: "swarm/tree-notes/<session>.jsonl",
  ends: "age",
  maxBytes: 32 * KB,
};

/** `key` is the agent's, as in the ledger: each of its parts may be as long as a name can be. */
const fileOf = (paths: Paths, key: string) =>
  swarmPath(paths, "tree-notes", `${keyOf(agentOfKey(key))}.jsonl`);

/** Under a lock: what is written between reading and removing would be lost. */
export function appendTreeNote(paths: Paths, key: string, text: string): void {
  const path = fileOf(paths, key);
  withLock(path, () => appendLine(path, { text }, TREE_NOTES.maxBytes));
}

export const hasTreeNotes = (paths: Paths, key: string): boolean => existsSync(fileOf(paths, key));

/** Shown once: they are removed as they are read. */
export function takeTreeNotes(paths: Paths, key: string): string[] {
  const path = fileOf(paths, key);
  const text = withLock(path, () => {
    const found = readTail(path, TREE_NOTES.maxBytes)?.text ?? "";
    removeFile(path);
    return found;
  });
  const notes = parsedLines<{ text?: unknown }>(text);
  return notes.flatMap(({ text }) => (typeof text === "string" ? text : []));
}
