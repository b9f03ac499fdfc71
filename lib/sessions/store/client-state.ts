// What a running client says of itself in `sessions/<pid>.json`, which it keeps up to date (2.1.197 and 2.1.325). Agents inside a
// session and the client's own pane teammates have no such file.
import { join } from "node:path";
import { readForeignJson } from "../../core/json.ts";
import type { Paths } from "../../core/paths.ts";
import { maybeNumber, maybeText, object } from "../../core/shape.ts";

const shape = object({
  sessionId: maybeText,
  /** `idle`, `busy` or `waiting`. */
  status: maybeText,
  /** `permission prompt`, `input needed`, `dialog open`, `sandbox request`, `worker request`. */
  waitingFor: maybeText,
  statusUpdatedAt: maybeNumber,
});
export type ClientState = ReturnType<typeof shape>;

/** `undefined` for a client without such a file. */
export const readClientState = (paths: Paths, pid: number): ClientState | undefined =>
  readForeignJson(join(paths.base, "sessions", `${pid}.json`), shape);

/** Of the client that runs this session now: process ids are reused, and `/clear` gives a process another session. */
export function clientStateOf(
  paths: Paths,
  { session, pid }: { session: string; pid?: number },
): ClientState | undefined {
  const state = pid ? readClientState(paths, pid) : undefined;
  return state?.status !== undefined && state.sessionId === session ? state : undefined;
}
