// What a running window keeps beside its session's record: which effort it works on, and what must be counted or
// claimed by many hook processes at once. No lock: a count is the size of a file that each call makes one byte
// longer, a claim is the making of a file that only one can make.
import { existsSync, fstatSync, rmdirSync, rmSync, statSync, writeSync } from "node:fs";
import {
  createFile,
  hasCode,
  isAbsence,
  namesIn,
  readRotatedTail,
  rewriteFile,
  withFile,
} from "../../core/files.ts";
import { readJson } from "../../core/json.ts";
import { appendText, LIMITS, rotateIfFull } from "../../core/jsonl.ts";
import { effortWindowPath, effortWindowsDir, type Paths } from "../../core/paths.ts";
import { object, someNumber, someText } from "../../core/shape.ts";
import { writeJson } from "../../core/write-file.ts";

export const MAIN = "main";

/** The client's session and who speaks in it: `main`, or a subagent's or in-process teammate's id. */
export interface Speaker {
  session: string;
  voice: string;
}

const linkShape = object({ effort: someNumber, session: someNumber });
export type Link = { effort: number; session: number };

const fileOf = (paths: Paths, { session, voice }: Speaker, file: string) =>
  effortWindowPath(paths, session, voice, file);

export function readLink(paths: Paths, speaker: Speaker): Link | undefined {
  const path = fileOf(paths, speaker, "link.json");
  return existsSync(path) ? readJson(path, linkShape) : undefined;
}

/** Starts from nothing: counts and claims belong to one window. */
export function openWindow(paths: Paths, speaker: Speaker, link: Link): void {
  closeWindow(paths, speaker);
  writeJson(fileOf(paths, speaker, "link.json"), link);
}

/** With the last voice the session's directory goes too: its absence tells a later call that nothing is here. */
export function closeWindow(paths: Paths, speaker: Speaker): void {
  rmSync(fileOf(paths, speaker, ""), { recursive: true, force: true });
  try {
    rmdirSync(effortWindowsDir(paths, speaker.session));
  } catch (error) {
    if (!hasCode(error, "ENOTEMPTY") && !isAbsence(error)) throw error;
  }
}

export function voicesOf(paths: Paths, session: string): string[] {
  return namesIn(effortWindowsDir(paths, session));
}

/** One more tool call; returns how many there are since the last log entry. */
export function beat(paths: Paths, speaker: Speaker): number {
  return withFile(fileOf(paths, speaker, "beats"), "append", (fd) => {
    writeSync(fd, ".");
    return fstatSync(fd).size;
  });
}

export const beatsOf = (paths: Paths, speaker: Speaker): number => sizeOf(fileOf(paths, speaker, "beats"));

/** How many log entries this window has seen: names the stretch between two of them. */
export const stretchOf = (paths: Paths, speaker: Speaker): number =>
  sizeOf(fileOf(paths, speaker, "entries"));

export function restartBeats(paths: Paths, speaker: Speaker): void {
  appendText(fileOf(paths, speaker, "entries"), ".");
  if (beatsOf(paths, speaker) > 0) rewriteFile(fileOf(paths, speaker, "beats"), "");
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** True for exactly one caller a window and name. */
export function claimOnce(paths: Paths, speaker: Speaker, name: string): boolean {
  try {
    return createFile(fileOf(paths, speaker, `once-${shortName(name)}`));
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

export const isClaimed = (paths: Paths, speaker: Speaker, name: string): boolean =>
  existsSync(fileOf(paths, speaker, `once-${shortName(name)}`));

/** FNV-1a over two seeds: a file name for any text, without loading a hash. */
const shortName = (text: string) =>
  [0x811c9dc5, 0x01000193].map((seed) => fnv(text, seed).toString(36)).join("-");

function fnv(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

const LOADED_BYTES = 64 * 1024;

export function noteLoaded(paths: Paths, speaker: Speaker, path: string): void {
  const file = fileOf(paths, speaker, "loaded");
  appendText(file, `${path.replaceAll("\n", " ")}\n`);
  rotateIfFull(file, LIMITS.loaded);
}

/** Newest last, each once. */
export function readLoaded(paths: Paths, speaker: Speaker): string[] {
  const lines = readRotatedTail(fileOf(paths, speaker, "loaded"), LOADED_BYTES).split("\n");
  return [...new Set(lines.filter(Boolean).reverse())].reverse();
}

const callShape = object({ command: someText, at: someNumber });

/** The shell of a voice does not know whose it is; the hook before it does, and leaves a note for our own command. */
export const noteCall = (paths: Paths, speaker: Speaker, command: string, at: Date): void =>
  writeJson(fileOf(paths, speaker, "call.json"), { command, at: at.getTime() });

export const readCall = (paths: Paths, speaker: Speaker) =>
  readJson(fileOf(paths, speaker, "call.json"), callShape);
