// What one session knows about its mail between two hooks: one small file, written by that session alone.
import { rmSync } from "node:fs";
import { readJson } from "../../core/json.ts";
import { mailMarkPath, type Paths } from "../../core/paths.ts";
import { maybeNumber, maybeText, object } from "../../core/shape.ts";
import { writeJson } from "../../core/write-file.ts";

const shape = object({
  /** The inbox the client watches for this session. */
  watched: maybeText,
  /** The inbox it was asked to watch, since the session took its mailbox after it had started. */
  asked: maybeText,
  /** The inbox's stamp when it was last looked at in mid-turn. */
  looked: maybeText,
  /** The inbox's stamp when the client was last asked to watch it anew. */
  renewed: maybeText,
  /** How often in a row the turn was continued by a stop hook. */
  stops: maybeNumber,
});
export type MailMark = ReturnType<typeof shape>;

export const readMailMark = (paths: Paths, session: string): MailMark =>
  session ? (readJson(mailMarkPath(paths, session), shape) ?? {}) : {};

export function writeMailMark(paths: Paths, session: string, mark: MailMark): void {
  if (session) writeJson(mailMarkPath(paths, session), mark);
}

export function removeMailMark(paths: Paths, session: string): void {
  if (session) rmSync(mailMarkPath(paths, session), { force: true });
}
