// The lifecycle log of ATM hooks: one line format for every source of agent events (hooks, MCP servers, other adapters).

import { statSync } from "node:fs";
import type { NetConnectOpts } from "node:net";
import { join } from "node:path";
import { type LogKind, MB } from "../../core/file-kind.ts";
import { readAfter, readRotatedTail, readText, statIfThere } from "../../core/files.ts";
import { byTime, newId, textIn } from "../../core/journal.ts";
import { appendLine, fieldsOf, parsedLines } from "../../core/json.ts";
import type { Paths } from "../../core/paths.ts";
import { wholeSeconds } from "../../core/time.ts";

export const LIFECYCLE_LOG: LogKind = {
  name: "lifecycle log",
  path: "daemon/hooks/events.jsonl",
  kept: "two of a size",
  maxBytes: 16 * MB,
};

const daemonPath = (paths: Paths, ...parts: string[]) => join(paths.atmHome, ".claude", "daemon", ...parts);
export const lifecycleLogPath = (paths: Paths) => daemonPath(paths, "hooks", "events.jsonl");
export const daemonSocketPath = (paths: Paths) => daemonPath(paths, "atm-daemon.sock");
export const daemonPortPath = (paths: Paths) => daemonPath(paths, "atm-daemon.port");

export const SOURCE_KINDS = ["claude_hook", "atm_mcp", "agent_hook", "unknown"] as const;

/** In the words and the order of the log; `event` is `session_start`, `session_end`, `teammate_idle`, … */
export const lifecycleEvent = (
  { now, clientPid }: { now: Date; clientPid: number },
  whose: { event: string; agent: string; team: string; session_id: string },
  kind: (typeof SOURCE_KINDS)[number],
  payload: unknown,
) => ({
  ...whose,
  received_at: wholeSeconds(now),
  source: { kind },
  process_id: clientPid,
  payload,
});
export type LifecycleEvent = ReturnType<typeof lifecycleEvent>;

export const lifecycleLine = ({ event, ...fields }: LifecycleEvent): Record<string, unknown> => ({
  type: event.replaceAll("_", "-"),
  ...fields,
});

export const appendLifecycle = (paths: Paths, event: LifecycleEvent): void =>
  appendLine(lifecycleLogPath(paths), lifecycleLine(event), LIFECYCLE_LOG.maxBytes);

/** The lines after the first `mark` bytes, and how many bytes there are; from `.1` too where the log has begun anew since. */
export function readLifecycleAfter(paths: Paths, mark: number): { lines: string[]; end: number } {
  const path = lifecycleLogPath(paths);
  const read = (file: string, from: number) => readAfter(file, from) ?? { text: "", size: 0 };
  const current = read(path, mark);
  const hasBegunAnew = current.size < mark;
  const before = hasBegunAnew ? read(`${path}.1`, mark).text : "";
  const { text, size } = hasBegunAnew ? read(path, 0) : current;
  const end = text.lastIndexOf("\n") + 1;
  const lines = [...before.split("\n"), ...text.slice(0, end).split("\n")].filter(Boolean);
  return { lines, end: size - Buffer.byteLength(text.slice(end)) };
}

/** Events of another machine, where the log is kept at all: one is not begun for them. */
export function appendForeignLifecycle(paths: Paths, lines: readonly Record<string, unknown>[]): void {
  const path = lifecycleLogPath(paths);
  if (!statIfThere(path)) return;
  for (const line of lines) appendLine(path, line, LIFECYCLE_LOG.maxBytes);
}

export const readLifecycleSince = (paths: Paths, from: Date): LifecycleLine[] =>
  parsedLines<Record<string, unknown>>(readRotatedTail(lifecycleLogPath(paths), 2 * LIFECYCLE_LOG.maxBytes))
    .map(readerFields)
    .filter(({ at }) => Date.parse(at) >= from.getTime())
    .sort(byTime);

/** What a reader needs of a line. */
const readerFields = (line: Record<string, unknown>) => ({
  type: textIn(line, "type"),
  agent: textIn(line, "agent"),
  team: textIn(line, "team"),
  session: textIn(line, "session_id"),
  at: textIn(line, "received_at"),
  source: textIn(fieldsOf(line["source"]), "kind"),
});
export type LifecycleLine = ReturnType<typeof readerFields>;

// An ATM daemon may be listening. It is offered each lifecycle event and never waited for: the log is what counts.
export const OFFER_LIMIT_MS = 300;

export function hookEventRequest({ payload, ...event }: LifecycleEvent) {
  const { tool_name } = (payload ?? {}) as { tool_name?: unknown };
  return {
    version: 1,
    request_id: newId(new Date(event.received_at)),
    command: "hook-event",
    payload: {
      ...event,
      ...(event.event === "session_end" ? { reason: "session_exit" } : {}),
      ...(event.event === "permission_request" ? { tool_name } : {}),
    },
  };
}

/** Gives up silently, whether there is no daemon, a socket without a server or one that never answers. */
export function offerToDaemon(paths: Paths, event: LifecycleEvent): void {
  const address = daemonAddress(paths);
  if (!address) return;
  const { connect } = require("node:net") as typeof import("node:net");
  const socket = connect(address);
  // After a stall both are due at once, the limit first: a connection that is there by then is still used.
  const limit = setTimeout(() => setImmediate(() => socket.destroy()), OFFER_LIMIT_MS);
  socket.on("error", () => socket.destroy());
  socket.on("close", () => clearTimeout(limit));
  const request = `${JSON.stringify(hookEventRequest(event))}\n`;
  socket.on("connect", () => socket.write(request, () => socket.destroySoon()));
}

function daemonAddress(paths: Paths): NetConnectOpts | undefined {
  if (process.platform === "win32") {
    const port = Number(readText(daemonPortPath(paths)));
    return Number.isInteger(port) && port > 0 ? { port, host: "127.0.0.1" } : undefined;
  }
  const path = daemonSocketPath(paths);
  return statSync(path, { throwIfNoEntry: false })?.isSocket() ? { path } : undefined;
}
