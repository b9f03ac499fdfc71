// The artifacts of an effort: files in the task's directory whose names begin with the effort's number,
// `1_BRAINSTORM_LOG.md`. They belong to the person: we append to the log and never rewrite one.
import { existsSync, fsyncSync } from "node:fs";
import { join } from "node:path";
import { namesIn, readTail, withFile } from "../../core/files.ts";
import { appendText } from "../../core/jsonl.ts";
import { makeDirectory, writeWhole } from "../../core/write-file.ts";

const TAIL_BYTES = 16 * 1024;
const ENTRY = /^## (?=\d{4}-\d\d-\d\d)/m;

export interface ArtifactOwner {
  dir: string;
  ordinal: number;
  skill: string;
}

export const artifactName = ({ ordinal, skill }: Omit<ArtifactOwner, "dir">, kind: string): string =>
  `${ordinal}_${skill.replace(/[^A-Za-z0-9]+/g, "_").toUpperCase()}_${kind}.md`;

export const logPathOf = (owner: ArtifactOwner): string => join(owner.dir, artifactName(owner, "LOG"));

export function startLog(owner: ArtifactOwner, title: string): string {
  makeDirectory(owner.dir);
  const path = logPathOf(owner);
  if (!existsSync(path)) writeWhole(path, `# ${title}\n`);
  return path;
}

/** On disk when this returns. */
export function appendLogEntry(owner: ArtifactOwner, heading: string, text: string): string {
  const path = logPathOf(owner);
  appendText(path, `\n## ${heading}\n\n${text.trim()}\n`);
  withFile(path, "read", fsyncSync);
  return path;
}

/** The last entries, oldest first. */
export function readLogEntries(owner: ArtifactOwner, count: number): string[] {
  const entries = (readTail(logPathOf(owner), TAIL_BYTES)?.text ?? "").split(ENTRY).slice(1);
  return entries.slice(-count).map((entry) => entry.trim());
}

/** `undefined` where the artifact already exists: nothing is overwritten. */
export function writeArtifact(owner: ArtifactOwner, kind: string, text: string): string | undefined {
  const path = join(owner.dir, artifactName(owner, kind));
  if (existsSync(path)) return undefined;
  makeDirectory(owner.dir);
  writeWhole(path, `${text.trim()}\n`, { durable: true });
  return path;
}

export const listArtifacts = (owner: ArtifactOwner): string[] =>
  namesIn(owner.dir)
    .filter((name) => name.startsWith(`${owner.ordinal}_`))
    .sort();

/** The highest number any artifact in the directory carries. */
export const highestOrdinal = (dir: string): number =>
  Math.max(0, ...namesIn(dir).map((name) => Number(name.match(/^(\d{1,6})_/)?.[1] ?? 0)));
