// Session records: one file a client session, one a voice inside it. No lock on the hot path: PreToolUse is
// the only one to write during a tool call, and every write replaces the whole file.
import { readdirSync } from "node:fs";
import * as z from "zod/mini";
import { agentPath, agentsDir, type Places, sessionPath, sessionsDir } from "./paths.ts";
import { readJson } from "./read-json.ts";
import { isAbsence } from "./read-text.ts";
import { updateJson } from "./update-json.ts";
import { writeJson } from "./write-file.ts";

const maybe = () => z.optional(z.string());

const schema = () =>
  z.looseObject({
    session: z.string(),
    /** Set for a voice inside the session; absent for the session itself. */
    agentId: maybe(),
    wrapper: maybe(),
    parent: maybe(),
    previous: maybe(),
    kind: maybe(),
    team: maybe(),
    agent: maybe(),
    isLead: z.optional(z.boolean()),
    evidence: z.optional(z.array(z.string())),
    role: maybe(),
    mode: maybe(),
    mission: maybe(),
    model: maybe(),
    client: maybe(),
    pid: z.optional(z.number()),
    pidStartedAt: maybe(),
    pane: maybe(),
    tmux: maybe(),
    cwd: maybe(),
    project: maybe(),
    transcript: maybe(),
    source: maybe(),
    state: z.string(),
    status: z.string(),
    tool: z.optional(z.looseObject({ name: z.string(), id: maybe(), since: z.string() })),
    startedAt: z.string(),
    lastSeen: z.string(),
    endedAt: maybe(),
    endReason: maybe(),
  });
export type SessionRecord = z.output<ReturnType<typeof schema>>;

export interface VoiceKey {
  session: string;
  agentId?: string;
}

const pathOf = (places: Places, { session, agentId }: VoiceKey) =>
  agentId ? agentPath(places, session, agentId) : sessionPath(places, session);

export const readSession = (places: Places, key: VoiceKey): SessionRecord | undefined =>
  readJson(pathOf(places, key), schema());

export const writeSession = (places: Places, record: SessionRecord): void =>
  writeJson(pathOf(places, record), record);

/** Under the lock, for events that may meet another hook of the same session. */
export const updateSession = (
  places: Places,
  key: VoiceKey,
  change: (stored: SessionRecord | undefined) => SessionRecord | undefined,
): SessionRecord | undefined => updateJson(pathOf(places, key), schema(), change);

export const readSessions = (places: Places): SessionRecord[] => recordsIn(sessionsDir(places));

export const readVoices = (places: Places, session: string): SessionRecord[] =>
  recordsIn(agentsDir(places, session));

function recordsIn(directory: string): SessionRecord[] {
  const one = schema();
  return namesIn(directory).flatMap((name) => readJson(`${directory}/${name}`, one) ?? []);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}
