// `swarm/efforts/windows/<session>/<agent>/`: what a running context window keeps beside its session record. Many hook processes
// write here at once, without a lock: a count is the size of a file that each call makes one byte longer, a claim is the creation
// of a file that only one process can create.
//   link.json    which effort and session the window works on
//   beats        the heartbeat: one byte for each tool call since the last log entry
//   entries      one byte for each log entry
//   loaded       the files the window has read or written, one a line
//   once-<hash>  claims
//   call.json    the newest `swarm effort` command in a shell of the agent

import { existsSync, fstatSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { MAIN } from "../../context/store/window.ts";
import { KB, type LogKind } from "../../core/file-kind.ts";
import {
  createFile,
  ifThere,
  namesIn,
  readRotatedTail,
  rewriteFile,
  sizeOf,
  withFile,
  writeJson,
} from "../../core/files.ts";
import { appendText, readJson, rotateIfFull } from "../../core/json.ts";
import { type Paths, segment, swarmPath, whyNotSegment } from "../../core/paths.ts";
import { object, someNumber, someText } from "../../core/shape.ts";

export const WINDOW_FILES: LogKind = {
  name: "effort windows",
  path: "swarm/efforts/windows/<session>/",
  ends: "session",
  maxBytes: 256 * KB,
};

/** The client's session id, and the agent in it: `main`, or a subagent's or in-process teammate's id. */
export interface WindowAgent {
  client: string;
  voice: string;
}

export const mainAgentOf = (client: string): WindowAgent => ({ client, voice: MAIN });
export const isMain = ({ voice }: WindowAgent): boolean => voice === MAIN;

const sessionDir = (paths: Paths, session: string) =>
  swarmPath(paths, "efforts", "windows", segment(session));
export const windowFile = (paths: Paths, { client, voice }: WindowAgent, file = "") =>
  join(sessionDir(paths, client), segment(voice), file);

export const hasWindow = (paths: Paths, session: string): boolean =>
  session !== "" && existsSync(sessionDir(paths, session));

const linkShape = object({ effort: someNumber, session: someNumber });
export type Link = { effort: number; session: number };

export const readLink = (paths: Paths, agent: WindowAgent): Link | undefined =>
  readJson(windowFile(paths, agent, "link.json"), linkShape);

/** Drops the counts and claims of a window the agent had before. */
export function openWindow(paths: Paths, agent: WindowAgent, link: Link): void {
  closeWindow(paths, agent);
  writeJson(windowFile(paths, agent, "link.json"), link);
}

/** With its last agent the session's directory goes too, so that `hasWindow` is false again. */
export function closeWindow(paths: Paths, agent: WindowAgent): void {
  rmSync(windowFile(paths, agent), { recursive: true, force: true });
  ifThere(() => rmdirSync(sessionDir(paths, agent.client)), "ENOTEMPTY");
}

/** Other programs leave files of their own in any directory: `.DS_Store`. */
export const windowAgents = (paths: Paths, client: string): WindowAgent[] =>
  namesIn(sessionDir(paths, client)).flatMap((voice) => (whyNotSegment(voice) ? [] : { client, voice }));

/** Counts a tool call; returns how many there are since the last log entry. None where the window was just closed. */
export const countCall = (paths: Paths, agent: WindowAgent): number =>
  ifThere(() =>
    withFile(windowFile(paths, agent, "beats"), "append", (fd) => {
      writeSync(fd, ".");
      return fstatSync(fd).size;
    }),
  ) ?? 0;

export const heartbeatOf = (paths: Paths, agent: WindowAgent): number =>
  sizeOf(windowFile(paths, agent, "beats"));

export const logEntriesOf = (paths: Paths, agent: WindowAgent): number =>
  sizeOf(windowFile(paths, agent, "entries"));

export function restartHeartbeat(paths: Paths, agent: WindowAgent): void {
  appendText(windowFile(paths, agent, "entries"), ".");
  if (heartbeatOf(paths, agent) > 0) rewriteFile(windowFile(paths, agent, "beats"), "");
}

/** FNV-1a over two seeds: a file name for any text, without loading node:crypto. */
const claimPath = (paths: Paths, agent: WindowAgent, name: string) =>
  windowFile(paths, agent, `once-${[0x811c9dc5, 0x01000193].map((seed) => fnv(name, seed)).join("-")}`);

function fnv(text: string, seed: number): string {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(36);
}

/** Claimed once the window is so full that it must be written down. */
export const OVERFLOW = "overflow";
/** Claimed when the rule fires: a warning is given once in each window. */
export const firedMark = ({ id, action }: { id: string; action: string }): string =>
  action === "warn" ? `guard:${id}` : `denied:${id}`;
export const preloadMark = (path: string): string => `preload:${path}`;

/** True for exactly one caller for each window and name. */
export const claimOnce = (paths: Paths, agent: WindowAgent, name: string): boolean =>
  ifThere(() => createFile(claimPath(paths, agent, name))) === true;

export const isClaimed = (paths: Paths, agent: WindowAgent, name: string): boolean =>
  existsSync(claimPath(paths, agent, name));

const LOADED_BYTES = 64 * 1024;

export function noteLoaded(paths: Paths, agent: WindowAgent, path: string): void {
  const file = windowFile(paths, agent, "loaded");
  appendText(file, `${path.replaceAll("\n", " ")}\n`);
  rotateIfFull(file, WINDOW_FILES.maxBytes);
}

/** Newest last, each once. */
export function readLoaded(paths: Paths, agent: WindowAgent): string[] {
  const lines = readRotatedTail(windowFile(paths, agent, "loaded"), LOADED_BYTES).split("\n");
  return [...new Set(lines.filter(Boolean).reverse())].reverse();
}

const callShape = object({ command: someText, at: someNumber });

/** A shell does not know which agent it belongs to; the hook before it does, and leaves a note for our own command. */
export const noteCall = (paths: Paths, agent: WindowAgent, command: string, at: Date): void =>
  writeJson(windowFile(paths, agent, "call.json"), { command, at: at.getTime() });

export const readCall = (paths: Paths, agent: WindowAgent) =>
  readJson(windowFile(paths, agent, "call.json"), callShape);
