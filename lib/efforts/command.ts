// What every verb of `swarm effort` needs to know: which effort, which project, and whose shell this is.
import { dirname } from "node:path";
import { badCall, type Call } from "../cli/command.ts";
import { realPath } from "../core/real-path.ts";
import { shownAs } from "../hook/identity.ts";
import { readSession } from "../sessions/store/sessions.ts";
import { findEffort } from "./current.ts";
import { type Effort, readEffort } from "./store/efforts.ts";
import { readEffortSession } from "./store/sessions.ts";
import { MAIN, readCall, readLink, type Speaker, voicesOf } from "./store/windows.ts";

type Text = { type: "string" };
type Texts = { type: "string"; multiple: true };
type Switch = { type: "boolean" };

export type Flags = Record<
  | "dir"
  | "title"
  | "mode"
  | "phase"
  | "block-after"
  | "effort"
  | "last"
  | "handover"
  | "id"
  | "tool"
  | "input"
  | "heartbeat"
  | "context"
  | "message"
  | "session-id",
  Text
> &
  Record<"next" | "file", Texts> &
  Record<"loading" | "remove" | "deny" | "warn" | "all", Switch>;

export type EffortCall = Call<Flags>;

/** What follows the verb, or stdin for `-`. */
export function textOf(call: EffortCall, what: string): string {
  const words = call.words.slice(1).join(" ");
  const text = words === "-" ? call.stdin() : words;
  if (text.trim() === "") throw badCall(`${what}? give the text, or - to read it from stdin`);
  return text.trim();
}

export function numberOf(value: string | undefined, flag: string): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw badCall(`--${flag} is a whole number`);
  return Number(value);
}

export function projectOf({ projectDir, session, paths, cwd }: EffortCall): string {
  const record = session ? readSession(paths, { session }) : undefined;
  return realPath(projectDir ?? record?.project ?? record?.cwd ?? cwd);
}

/** `undefined` where there is none: only the verb knows whether that is a mistake. */
export function effortHere(call: EffortCall, id = call.flags.effort): Effort | undefined {
  const number = numberOf(id, "effort");
  if (number !== undefined) return named(call, number);
  for (let project = projectOf(call); ; project = dirname(project)) {
    const found = findEffort({ ...call, sessions: [call.session], project, identity: call.subject });
    if (found || project === dirname(project)) return found;
  }
}

function named({ paths }: EffortCall, id: number): Effort {
  const effort = readEffort(paths, id);
  if (!effort) throw new Error(`there is no effort ${id}; swarm effort list --all shows them`);
  return effort;
}

export function theEffort(call: EffortCall): Effort {
  const effort = effortHere(call);
  if (!effort) throw new Error("there is no active effort here; begin one with: swarm effort start <skill>");
  if (effort.lifecycle === "finished") throw new Error(`effort ${effort.id} is finished`);
  return effort;
}

const NOTE_HOLDS_MS = 60_000;

/** A shell does not know whose voice it is: the note of the hook before it does, told apart by the command's text. */
export function speakerOf({ paths, session, now }: EffortCall, text = ""): Speaker | undefined {
  if (!session) return undefined;
  const noted = voicesOf(paths, session).flatMap((voice) => {
    const call = readCall(paths, { session, voice });
    if (!call || now.getTime() - call.at > NOTE_HOLDS_MS) return [];
    return [{ voice, at: call.at, same: text !== "" && call.command.includes(text) }];
  });
  noted.sort((a, b) => Number(b.same) - Number(a.same) || b.at - a.at);
  return { session, voice: noted[0]?.voice ?? MAIN };
}

/** In the effort's files; a person stays a person, also with `--session-id`. */
export const authorOf = (call: EffortCall, effort: Effort, text?: string): string =>
  windowOf(call, effort, text)?.name ?? shownAs(call.identity, call.session, effort.owner.team);

/** The window of the caller, if it works on this effort. A person has none. */
export function windowOf(call: EffortCall, effort: Effort, text?: string) {
  const speaker = call.identity.kind === "person" ? undefined : speakerOf(call, text);
  const link = speaker && readLink(call.paths, speaker);
  if (!speaker || link?.effort !== effort.id) return undefined;
  const record = readEffortSession(call.paths, effort.id, link.session);
  return { speaker, session: link.session, name: record?.agentType ?? effort.owner.agent ?? speaker.voice };
}
