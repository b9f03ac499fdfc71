// The chain of seed 003, session → effort, as a handler or a verb needs it. Any missing link ends it: no effort, no say.

import { contextUse } from "../context/store/window.ts";
import type { Paths } from "../core/paths.ts";
import { realPath } from "../core/real-path.ts";
import type { Base, Context } from "../hook/context.ts";
import type { Identity } from "../hook/identity.ts";
import { askerOf, chooseEffort } from "./lookup.ts";
import { type Effort, readActiveEfforts, readEffort } from "./store/efforts.ts";
import { appendEffortMessage } from "./store/messages.ts";
import { MAIN, readLink, type Speaker } from "./store/windows.ts";

export interface Current {
  effort: Effort;
  /** The engine's number of this window, within the effort. */
  session: number;
  speaker: Speaker;
}

export const speakerOf = ({ session_id, agent_id }: Base): Speaker => ({
  session: session_id,
  voice: agent_id ?? MAIN,
});

export function currentOf(
  { paths, input }: Pick<Context, "paths" | "input">,
  speaker = speakerOf(input),
): Current | undefined {
  if (!speaker.session) return undefined;
  const link = readLink(paths, speaker);
  if (!link) return undefined;
  const effort = readEffort(paths, link.effort);
  return effort?.lifecycle === "active" ? { effort, session: link.session, speaker } : undefined;
}

/** A voice that has no window of its own still speaks inside the session that has. */
export const currentOrMain = (ctx: Context): Current | undefined =>
  currentOf(ctx) ??
  (ctx.input.agent_id ? currentOf(ctx, { session: ctx.input.session_id, voice: MAIN }) : undefined);

export interface Asking {
  paths: Paths;
  /** Sessions whose own effort comes first: this one, and the one `/clear` replaced. */
  sessions: (string | undefined)[];
  project: string;
  fleetId: string | undefined;
  readonly identity: Identity;
}

export function findEffort(asking: Asking): Effort | undefined {
  const { paths, sessions, project } = asking;
  const active = readActiveEfforts(paths);
  if (active.length === 0) return undefined;
  for (const session of sessions) {
    const link = session ? readLink(paths, { session, voice: MAIN }) : undefined;
    const linked = link && active.find((one) => one.id === link.effort);
    if (linked) return linked;
  }
  const here = active.filter((one) => one.project === realPath(project));
  return here.length > 0 ? chooseEffort(here, askerOf(asking.fleetId, asking.identity)) : undefined;
}

/** One line in the effort's message log. */
export function tell(ctx: Context, current: Current, kind: string, details: Record<string, unknown>): void {
  appendEffortMessage(ctx.paths, current.effort.id, {
    at: ctx.now.toISOString(),
    kind,
    session: current.session,
    voice: ctx.input.agent_type || current.speaker.voice,
    ...details,
  });
}

/** Only the main voice: a subagent's window ends with its work, and nothing of it has to be written down. */
export function shareOf(ctx: Context, { speaker }: Current): number | undefined {
  if (speaker.voice !== MAIN) return undefined;
  const sources = { setting: ctx.settings["context.window"], compactWindow: ctx.compactWindow };
  return contextUse(ctx.paths, ctx.input, sources)?.share;
}
