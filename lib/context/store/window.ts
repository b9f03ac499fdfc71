// How large a session's context window is. No payload says it, and one model id may mean two sizes, so it is taken
// from what the status line was told, from the settings, or from where the client was seen to compact by itself.

import { namesIn } from "../../core/files.ts";
import { readJson, updateJson } from "../../core/json.ts";
import { bridgePath, contextPath, contextsDir, type Paths } from "../../core/paths.ts";
import { maybeNumber, maybeText, object, someNumber, someText } from "../../core/shape.ts";
import { writeJson } from "../../core/write-file.ts";
import { contextTokens, type Speaking, transcriptOf } from "./transcript.ts";

/** The session's own voice, where a file is named after the speaker. */
export const MAIN = "main";

const bridge = object({
  window: someNumber,
  tokens: maybeNumber,
  percent: maybeNumber,
  model: maybeText,
  at: someText,
});
export type Bridge = ReturnType<typeof bridge>;

export const readBridge = (paths: Paths, session: string): Bridge | undefined =>
  readJson(bridgePath(paths, session), bridge);

/** One look instead of one a session. */
export const sessionsWithContext = (paths: Paths): ReadonlySet<string> =>
  new Set(namesIn(contextsDir(paths)));

export const writeBridge = (paths: Paths, session: string, seen: Bridge): void =>
  writeJson(bridgePath(paths, session), seen);

const voiceContext = object({
  /** The highest level already said, by its place in `context.warn`, from 1; 0 for none. */
  said: someNumber,
  /** The use at which the client compacted by itself. */
  compactsAt: maybeNumber,
  remindedAt: maybeText,
  /** Up to when finished work has been summed up. */
  summedUpTo: maybeText,
});
export type VoiceContext = ReturnType<typeof voiceContext>;

export const readVoiceContext = (paths: Paths, session: string, agent: string): VoiceContext =>
  readJson(contextPath(paths, session, agent), voiceContext) ?? { said: 0 };

/** Under the lock: a prompt and a tool of one session may meet. `undefined` leaves it as it is. */
export function updateVoiceContext(
  paths: Paths,
  session: string,
  agent: string,
  change: (stored: VoiceContext) => VoiceContext | undefined,
): void {
  updateJson(contextPath(paths, session, agent), voiceContext, (stored) => change(stored ?? { said: 0 }));
}

export interface Sources {
  setting: number | undefined;
  compactWindow: number | undefined;
  /** False where nothing was ever written down about this session's window: then it is not looked for. */
  isMeasured?: boolean;
}

export interface Use {
  tokens: number;
  window: number;
  /** In percent. */
  share: number;
}

/** `undefined` while the use or the window is unknown. */
export function contextUse(paths: Paths, input: Speaking, sources: Sources): Use | undefined {
  const { session_id: session, agent_id: agent = MAIN } = input;
  const tokens = session ? contextTokens(transcriptOf(input)) : undefined;
  if (tokens === undefined) return undefined;
  const window = contextWindow(paths, { session, agent }, sources, tokens);
  return window ? { tokens, window, share: (100 * tokens) / window } : undefined;
}

/** The first source that the use does not disprove: what is smaller than what is in it cannot be the window. */
export function contextWindow(
  paths: Paths,
  voice: { session: string; agent: string },
  { setting, compactWindow, isMeasured = true }: Sources,
  used: number,
): number | undefined {
  const sources = [
    () => (isMeasured ? readBridge(paths, voice.session)?.window : undefined),
    () => setting,
    () => compactWindow,
    () => (isMeasured ? readVoiceContext(paths, voice.session, voice.agent).compactsAt : undefined),
  ];
  for (const source of sources) {
    const window = source();
    if (window && window >= used) return window;
  }
  return undefined;
}
