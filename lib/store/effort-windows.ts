// What a running window keeps beside its session's record: which effort it works on, and what must be counted or
// claimed by many hook processes at once. No lock: a count is the size of a file that each call makes one byte
// longer, a claim is the making of a file that only one can make.
import { existsSync, fstatSync, rmdirSync, rmSync, statSync, writeSync } from "node:fs";
import { object, someNumber, someText } from "../parse/shape.ts";
import { appendText, turnOverIfFull } from "./append-line.ts";
import { namesIn } from "./list-directory.ts";
import { createFile, rewriteFile, withFile } from "./open-file.ts";
import { effortWindowPath, effortWindowsDir, type Places } from "./paths.ts";
import { readJson } from "./read-json.ts";
import { hasCode, isAbsence, readTurnedTail } from "./read-text.ts";
import { LIMITS } from "./state-limits.ts";
import { writeJson } from "./write-file.ts";

export const MAIN = "main";

/** The client's session and who speaks in it: `main`, or a subagent's or in-process teammate's id. */
export interface Speaker {
  session: string;
  voice: string;
}

const linkShape = object({ effort: someNumber, session: someNumber });
export type Link = { effort: number; session: number };

const fileOf = (places: Places, { session, voice }: Speaker, file: string) =>
  effortWindowPath(places, session, voice, file);

export function readLink(places: Places, speaker: Speaker): Link | undefined {
  const path = fileOf(places, speaker, "link.json");
  return existsSync(path) ? readJson(path, linkShape) : undefined;
}

/** Starts from nothing: counts and claims belong to one window. */
export function openWindow(places: Places, speaker: Speaker, link: Link): void {
  closeWindow(places, speaker);
  writeJson(fileOf(places, speaker, "link.json"), link);
}

/** With the last voice the session's directory goes too: its absence tells a later call that nothing is here. */
export function closeWindow(places: Places, speaker: Speaker): void {
  rmSync(fileOf(places, speaker, ""), { recursive: true, force: true });
  try {
    rmdirSync(effortWindowsDir(places, speaker.session));
  } catch (error) {
    if (!hasCode(error, "ENOTEMPTY") && !isAbsence(error)) throw error;
  }
}

export function voicesOf(places: Places, session: string): string[] {
  return namesIn(effortWindowsDir(places, session));
}

/** One more tool call; returns how many there are since the last log entry. */
export function beat(places: Places, speaker: Speaker): number {
  return withFile(fileOf(places, speaker, "beats"), "append", (fd) => {
    writeSync(fd, ".");
    return fstatSync(fd).size;
  });
}

export const beatsOf = (places: Places, speaker: Speaker): number => sizeOf(fileOf(places, speaker, "beats"));

/** How many log entries this window has seen: names the stretch between two of them. */
export const stretchOf = (places: Places, speaker: Speaker): number =>
  sizeOf(fileOf(places, speaker, "entries"));

export function restartBeats(places: Places, speaker: Speaker): void {
  appendText(fileOf(places, speaker, "entries"), ".");
  if (beatsOf(places, speaker) > 0) rewriteFile(fileOf(places, speaker, "beats"), "");
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** True for exactly one caller a window and name. */
export function claimOnce(places: Places, speaker: Speaker, name: string): boolean {
  try {
    return createFile(fileOf(places, speaker, `once-${shortName(name)}`));
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

export const isClaimed = (places: Places, speaker: Speaker, name: string): boolean =>
  existsSync(fileOf(places, speaker, `once-${shortName(name)}`));

/** FNV-1a over two seeds: a file name for any text, without loading a hash. */
const shortName = (text: string) =>
  [0x811c9dc5, 0x01000193].map((seed) => fnv(text, seed).toString(36)).join("-");

function fnv(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

const LOADED_BYTES = 64 * 1024;

export function noteLoaded(places: Places, speaker: Speaker, path: string): void {
  const file = fileOf(places, speaker, "loaded");
  appendText(file, `${path.replaceAll("\n", " ")}\n`);
  turnOverIfFull(file, LIMITS.loaded);
}

/** Newest last, each once. */
export function readLoaded(places: Places, speaker: Speaker): string[] {
  const lines = readTurnedTail(fileOf(places, speaker, "loaded"), LOADED_BYTES).split("\n");
  return [...new Set(lines.filter(Boolean).reverse())].reverse();
}

const callShape = object({ command: someText, at: someNumber });

/** The shell of a voice does not know whose it is; the hook before it does, and leaves a note for our own command. */
export const noteCall = (places: Places, speaker: Speaker, command: string, at: Date): void =>
  writeJson(fileOf(places, speaker, "call.json"), { command, at: at.getTime() });

export const readCall = (places: Places, speaker: Speaker) =>
  readJson(fileOf(places, speaker, "call.json"), callShape);
