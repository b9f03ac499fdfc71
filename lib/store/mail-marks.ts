// What one session knows about its mail between two hooks: one small file, written by that session alone.
import { rmSync } from "node:fs";
import { maybeNumber, maybeText, object } from "../parse/shape.ts";
import { mailMarkPath, type Places } from "./paths.ts";
import { readJson } from "./read-json.ts";
import { writeJson } from "./write-file.ts";

const shape = object({
  /** The inbox the client watches for this session. */
  watched: maybeText,
  /** The inbox it was asked to watch, since the session took its seat after it had started. */
  asked: maybeText,
  /** The inbox's stamp when it was last looked at in mid-turn. */
  looked: maybeText,
  /** The inbox's stamp when the client was last asked to watch it anew. */
  renewed: maybeText,
  /** How often in a row the turn was continued by a stop hook. */
  stops: maybeNumber,
});
export type MailMark = ReturnType<typeof shape>;

export const readMailMark = (places: Places, session: string): MailMark =>
  session ? (readJson(mailMarkPath(places, session), shape) ?? {}) : {};

export function writeMailMark(places: Places, session: string, mark: MailMark): void {
  if (session) writeJson(mailMarkPath(places, session), mark);
}

export function removeMailMark(places: Places, session: string): void {
  if (session) rmSync(mailMarkPath(places, session), { force: true });
}
