// The verbs by which an effort moves: phase, log, dehydrate, finish.
import { relative, resolve } from "node:path";
import { PERSON } from "../hook/identity.ts";
import { authorOf, type EffortCall, textOf, theEffort, windowOf } from "./command.ts";
import { appendLogEntry, logPathOf, writeArtifact } from "./store/artifacts.ts";
import { type Effort, finishEffort, updateEffort } from "./store/efforts.ts";
import { appendEffortMessage } from "./store/messages.ts";
import { type Dehydration, updateEffortSession } from "./store/sessions.ts";
import { restartBeats } from "./store/windows.ts";
import { clock } from "./text.ts";
import { closeWindowsOf } from "./windows.ts";

const MOST_PHASES = 100;
const MOST_FILES = 8;

export function phase(call: EffortCall) {
  const text = textOf(call, "which phase");
  const effort = theEffort(call);
  const at = call.now.toISOString();
  updateEffort(call.paths, effort.id, (stored) => ({
    ...stored,
    phase: text,
    phases: [...stored.phases, { phase: text, at }].slice(-MOST_PHASES),
    metadata: { ...stored.metadata, loading: undefined },
  }));
  note(call, effort, "phase", { from: effort.phase ?? null, to: text });
  return {
    text: `effort ${effort.id}: ${effort.phase ?? "no phase"} → ${text}`,
    data: { effort: effort.id, phase: text },
  };
}

export function log(call: EffortCall) {
  const text = textOf(call, "what happened");
  const effort = theEffort(call);
  const window = windowOf(call, effort, text);
  const by = authorOf(call, effort, text);
  const file = appendLogEntry(effort, [clock(call.now), effort.phase, by].filter(Boolean).join(" · "), text);
  const lastLog = { at: call.now.toISOString(), by, text: text.slice(0, 500) };
  updateEffort(call.paths, effort.id, (stored) => ({
    ...stored,
    lastLog,
    metadata: { ...stored.metadata, loading: undefined },
  }));
  if (window) restartBeats(call.paths, window.speaker);
  return {
    text: `logged in ${file}${window ? "; the heartbeat starts again at 0" : ""}`,
    data: { effort: effort.id, file, ...lastLog },
  };
}

export function dehydrate(call: EffortCall) {
  const text = textOf(call, "what must the next window know");
  const effort = theEffort(call);
  const dehydrated = dehydrationOf(call, text, effort);
  updateEffort(call.paths, effort.id, (stored) => ({ ...stored, dehydrated }));
  const window = windowOf(call, effort, text);
  if (window)
    updateEffortSession(call.paths, effort.id, window.session, (stored) => ({
      ...stored,
      dehydration: dehydrated,
    }));
  return { text: `effort ${effort.id} is written down; the next window gets it back`, data: dehydrated };
}

/** Plain text and flags, or the whole payload as JSON. */
function dehydrationOf(call: EffortCall, text: string, effort: Effort): Dehydration {
  const { last, next = [], handover, file = [] } = call.flags;
  const given = payloadOf(text);
  const list = (value: unknown) =>
    Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
  const line = (value: unknown) => (typeof value === "string" ? value : undefined);
  const files = [...file.map((path) => resolve(call.cwd, path)), ...list(given?.["requiredFiles"])];
  return {
    at: call.now.toISOString(),
    by: call.identity.kind === "person" ? PERSON : "agent",
    summary: given ? (line(given["summary"]) ?? "") : text,
    lastAction: last ?? line(given?.["lastAction"]),
    nextSteps: [...next, ...list(given?.["nextSteps"])],
    handoverInstructions: handover ?? line(given?.["handoverInstructions"]),
    requiredFiles: files.slice(0, MOST_FILES).map((path) => inProject(effort.project, path)),
  };
}

function payloadOf(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined; // then it is text that begins with a brace
  }
}

export function inProject(project: string, path: string): string {
  const way = relative(project, resolve(project, path));
  return way === "" || way.startsWith("..") ? path : way;
}

export function finish(call: EffortCall) {
  const effort = theEffort(call);
  const text = call.words.length > 1 ? textOf(call, "what came out of it") : undefined;
  const by = authorOf(call, effort, text);
  if (text) {
    appendLogEntry(effort, [clock(call.now), "finished", by].join(" · "), text);
    writeArtifact(effort, "DEBRIEF", `# ${effort.skill}: debrief\n\n${text}`);
  }
  note(call, effort, "session", { what: "effort finished" });
  finishEffort(call.paths, effort.id, call.now);
  closeWindowsOf(call.paths, effort.id, { reason: "effort-finished", now: call.now });
  return {
    text: `effort ${effort.id} (${effort.skill}) is finished; its log stays at ${logPathOf(effort)}`,
    data: { effort: effort.id, lifecycle: "finished" },
  };
}

function note(call: EffortCall, effort: Effort, kind: string, details: Record<string, unknown>): void {
  const window = windowOf(call, effort);
  appendEffortMessage(call.paths, effort.id, {
    at: call.now.toISOString(),
    kind,
    session: window?.session ?? null,
    voice: authorOf(call, effort),
    ...details,
  });
}
