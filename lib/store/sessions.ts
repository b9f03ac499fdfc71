// Session records: one file a client session, one a voice inside it. No lock on the hot path: PreToolUse is
// the only one to write during a tool call, and every write replaces the whole file.
import { readdirSync } from "node:fs";
import { listOf, maybe, maybeFlag, maybeNumber, maybeText, object, someText } from "../parse/shape.ts";
import { agentPath, agentsDir, type Places, sessionPath, sessionsDir } from "./paths.ts";
import { readJson } from "./read-json.ts";
import { isAbsence } from "./read-text.ts";
import { updateJson } from "./update-json.ts";
import { writeJson } from "./write-file.ts";

const shape = object({
  session: someText,
  /** Set for a voice inside the session; absent for the session itself. */
  agentId: maybeText,
  wrapper: maybeText,
  parent: maybeText,
  previous: maybeText,
  /** The session `/clear` made of this one. */
  next: maybeText,
  kind: maybeText,
  team: maybeText,
  agent: maybeText,
  isLead: maybeFlag,
  evidence: maybe(listOf(someText)),
  role: maybeText,
  mode: maybeText,
  mission: maybeText,
  model: maybeText,
  client: maybeText,
  pid: maybeNumber,
  pidStartedAt: maybeText,
  pane: maybeText,
  tmux: maybeText,
  cwd: maybeText,
  project: maybeText,
  transcript: maybeText,
  source: maybeText,
  state: someText,
  status: someText,
  tool: maybe(object({ name: someText, id: maybeText, since: someText })),
  startedAt: someText,
  lastSeen: someText,
  endedAt: maybeText,
  endReason: maybeText,
});
export type SessionRecord = ReturnType<typeof shape>;

export interface VoiceKey {
  session: string;
  agentId?: string;
}

const pathOf = (places: Places, { session, agentId }: VoiceKey) =>
  agentId ? agentPath(places, session, agentId) : sessionPath(places, session);

export const readSession = (places: Places, key: VoiceKey): SessionRecord | undefined =>
  readJson(pathOf(places, key), shape);

export const writeSession = (places: Places, record: SessionRecord): void =>
  writeJson(pathOf(places, record), record);

/** Under the lock, for events that may meet another hook of the same session. */
export const updateSession = (
  places: Places,
  key: VoiceKey,
  change: (stored: SessionRecord | undefined) => SessionRecord | undefined,
): SessionRecord | undefined => updateJson(pathOf(places, key), shape, change);

export const readSessions = (places: Places): SessionRecord[] => recordsIn(sessionsDir(places));

export const readVoices = (
  places: Places,
  session: string,
  wanted: (agentId: string) => boolean = () => true,
): SessionRecord[] => recordsIn(agentsDir(places, session), wanted);

function recordsIn(directory: string, wanted: (id: string) => boolean = () => true): SessionRecord[] {
  return namesIn(directory)
    .filter((name) => wanted(name.slice(0, -".json".length)))
    .flatMap((name) => readJson(`${directory}/${name}`, shape) ?? []);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}
