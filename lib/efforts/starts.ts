// A window begins: a client's session that goes on with an effort, or a voice inside it that shares its parent's.

import type { Paths } from "../core/paths.ts";
import type { Context } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";
import { readSession } from "../sessions/store/sessions.ts";
import { type Current, currentOf, findEffort, speakerOf } from "./current.ts";
import { guardWarning } from "./guards.ts";
import { claimInjections, settleInjections } from "./injections.ts";
import { preloadClaim, rehydrate } from "./rehydration.ts";
import { logPathOf, readLogEntries } from "./store/artifacts.ts";
import { type Effort, readEffort } from "./store/efforts.ts";
import { readEffortMessages } from "./store/messages.ts";
import { type Preload, readPreload } from "./store/preloads.ts";
import { dropRestartPrompt } from "./store/presence.ts";
import { type EffortSession, readEffortSession } from "./store/sessions.ts";
import { claimOnce, MAIN, readLink, type Speaker } from "./store/windows.ts";
import { asSection, blockAfterOf, contextLine, howToLog, short } from "./text.ts";
import { closeForgotten, openSession } from "./windows.ts";

const ENTRIES = 3;
const MOST_PRELOADS = 8;
const PRELOAD_BYTES = 6_000;

type Starting = Context<Context["input"] & { source: string }>;

/** Always a new session, whatever the client calls it: a resumed or compacted window is a new window. */
export function beginSession(ctx: Starting): Outcome | undefined {
  const { paths, now } = ctx;
  const { source, session_id } = ctx.input;
  if (!session_id) return undefined;
  const sessions = [session_id, readSession(paths, { session: session_id })?.previous];
  const effort = effortOf(ctx, sessions);
  if (!effort) return undefined;
  const speaker = { session: session_id, voice: MAIN };
  closeForgotten(paths, effort.id, session_id, { reason: source || "start", now });
  const after = windowBefore(paths, effort, sessions);
  const session = openSession(paths, effort.id, { speaker, source, after, now });
  const fresh = session && readEffort(paths, effort.id);
  if (!fresh) return undefined;
  dropRestartPrompt(paths, effort.id);
  return goOn(ctx, { effort: fresh, session: session.number, speaker }, session);
}

const effortOf = (ctx: Starting, sessions: (string | undefined)[]): Effort | undefined =>
  findEffort({
    paths: ctx.paths,
    fleetId: ctx.fleetId,
    project: ctx.projectDir ?? ctx.cwd,
    sessions,
    get identity() {
      return ctx.identity;
    },
  });

/** This client's own last window on the effort, if there was one: another client may have opened one since. */
function windowBefore(paths: Paths, effort: Effort, sessions: (string | undefined)[]): number | undefined {
  const links = sessions.flatMap((session) =>
    session ? (readLink(paths, { session, voice: MAIN }) ?? []) : [],
  );
  return links.find((link) => link.effort === effort.id)?.session;
}

function goOn(ctx: Starting, current: Current, session: EffortSession): Outcome {
  const { effort, speaker } = current;
  const injections = claimInjections(ctx, current);
  const text = rehydrate({
    line: contextLine(effort, 0, blockAfterOf(effort, ctx.settings["effort.block_after"]), ctx.now),
    effort,
    session,
    previous:
      session.previous === null ? undefined : readEffortSession(ctx.paths, effort.id, session.previous),
    entries: readLogEntries(effort, ENTRIES),
    messages: readEffortMessages(ctx.paths, effort.id),
    injections,
    preloads: preloadsAtStart(ctx.paths, effort, speaker),
  });
  return {
    context: asSection(effort, text),
    journal: [{ what: "effort-session", effort: effort.id, number: session.number, source: session.source }],
    after: () => settleInjections(ctx, current, injections),
  };
}

function preloadsAtStart(paths: Paths, effort: Effort, speaker: Speaker): Preload[] {
  const wanted = [
    ...effort.preloads,
    ...(effort.skillConfig?.preload ?? []),
    ...(effort.dehydrated?.requiredFiles ?? []),
  ];
  return [...new Set(wanted)].slice(0, MOST_PRELOADS).map((path) => {
    claimOnce(paths, speaker, preloadClaim(path));
    return readPreload([effort.project, paths.home], effort.project, path, PRELOAD_BYTES);
  });
}

/** An in-process teammate starts at each of its turns, but its window is one: the second start says one line. */
export function beginVoice(ctx: Context): Outcome | undefined {
  const speaker = speakerOf(ctx.input);
  const parent = currentOf(ctx, { session: speaker.session, voice: MAIN });
  if (!parent || speaker.voice === MAIN) return undefined;
  const { effort } = parent;
  const line = contextLine(effort, 0, blockAfterOf(effort, ctx.settings["effort.block_after"]), ctx.now);
  if (ctx.identity.kind === "in-process" && currentOf(ctx)?.effort.id === effort.id) return { context: line };
  const session = openSession(ctx.paths, effort.id, {
    speaker,
    source: ctx.identity.kind,
    agentType: ctx.input.agent_type,
    after: parent.session,
    now: ctx.now,
  });
  if (!session) return undefined;
  return {
    context: asSection(effort, [line, ...voiceLines(effort, session)].join("\n")),
    journal: [{ what: "effort-session", effort: effort.id, number: session.number, source: "subagent" }],
  };
}

function voiceLines(effort: Effort, session: EffortSession): string[] {
  const { directives, metadata } = effort;
  return [
    `This agent works on effort ${effort.id}: session ${effort.id}.${session.number}, started from ${effort.id}.${session.previous}.`,
    `Log: ${short(logPathOf(effort))}; template: ${howToLog(effort)}`,
    ...(directives.length > 0 ? [`Directives: ${directives.map(short).join(", ")}`] : []),
    ...metadata.guards.map(guardWarning),
  ];
}
