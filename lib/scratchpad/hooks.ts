// Every agent leaves a page behind: told where and what when it starts, held to it when it stops; and whoever
// delegated leaves one too. Verified by code, since a model only believes that it wrote (seed 004).

import { escapeLine } from "../core/text.ts";
import type { Context } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import { blockOnce, consumeBlock } from "../hook/gate.ts";
import { isTeammateSession } from "../hook/identity.ts";
import type { Outcome } from "../hook/outcome.ts";
import type { Handler } from "../hook/run.ts";
import { notifyLead } from "../mail/store/lead-notes.ts" with { loading: "lazy" };
import { readSession } from "../sessions/store/sessions.ts";
import { recentCommits } from "../system/git.ts";
import { isUntouched, missingSections, template } from "./sections.ts";
import {
  COORDINATOR,
  EGO,
  firstLines,
  folderOf,
  foldersWithPage,
  hasScratchpad,
  lastLines,
  localDay,
  pagePath,
  readPage,
} from "./store.ts";
import { dutyText, orientation, reasonForCoordinator, reasonForPage, tailText } from "./text.ts";

const COORDINATOR_LINES = 25;
const EGO_LINES = 20;
const TAIL_LINES = 3;

type Stopping = Context<Context["input"] & { stop_hook_active?: boolean; agent_transcript_path?: string }>;

/** Where pages may be: the project, and the directory an agent works in (a worktree has pages of its own). */
const rootsOf = (ctx: Context): string[] => [...new Set([ctx.projectDir ?? ctx.cwd, ctx.cwd])];

function isOn(ctx: Context): boolean {
  const wanted = ctx.settings["scratchpad.enabled"];
  return wanted === "on" || (wanted === "auto" && rootsOf(ctx).some(hasScratchpad));
}

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  if (!isOn(ctx)) return;
  if (isTeammateSession(ctx.identity)) return told(ctx, ctx.identity.agent ?? "");
  if (ctx.input.source !== "startup" && ctx.input.source !== "") return;
  const [root = ctx.cwd] = rootsOf(ctx);
  const text = orientation({
    coordinator: firstLines(root, COORDINATOR, COORDINATOR_LINES),
    ego: firstLines(root, EGO, EGO_LINES),
    commits: recentCommits(root, ctx.env),
  });
  if (text)
    return { context: { name: "session orientation", text, where: ".claude/scratchpad", priority: 45 } };
};

export const subagentStart: Handler<typeof events.SubagentStart> = (ctx) => {
  const { agent_type } = ctx.input;
  if (!agent_type || !isOn(ctx)) return;
  return told(ctx, agent_type);
};

function told(ctx: Context, agent: string): Outcome | undefined {
  const [root = ctx.cwd] = rootsOf(ctx);
  const day = localDay(ctx.now);
  const duty = dutyText({
    agent,
    day,
    path: pagePath(folderOf(agent), day),
    root: ctx.cwd === root ? undefined : root,
    sections: ctx.settings["scratchpad.sections"],
  });
  const parts = [
    ...(isExempt(ctx, agent) ? [] : [duty]),
    ...tailText("the latest ego page", lastLines(root, EGO, TAIL_LINES)),
    ...tailText("the latest coordinator page", lastLines(root, COORDINATOR, TAIL_LINES)),
  ];
  if (parts.length > 0) return { context: { name: "scratchpad", text: parts.join("\n\n"), priority: 60 } };
}

const isExempt = (ctx: Context, agent: string) => ctx.settings["scratchpad.exempt"].includes(agent);

/** The compaction also ends as a subagent, of no type: nobody who could write. */
export const subagentStop: Handler<typeof events.SubagentStop> = (ctx) => {
  const { agent_type } = ctx.input;
  if (!agent_type || !isOn(ctx)) return;
  return heldToPage(ctx, agent_type);
};

export const stop: Handler<typeof events.Stop> = (ctx) => {
  if (!isOn(ctx)) return;
  return isTeammateSession(ctx.identity)
    ? heldToPage(ctx, ctx.identity.agent ?? "")
    : heldToCoordination(ctx);
};

function heldToPage(ctx: Stopping, agent: string): Outcome | undefined {
  if (isExempt(ctx, agent)) return undefined;
  const sections = ctx.settings["scratchpad.sections"];
  const folder = folderOf(agent);
  const days = daysOf(ctx);
  const missing = days.flatMap((day) => rootsOf(ctx).map((root) => missingIn(ctx, root, folder, day)));
  if (missing.some((titles) => titles.length === 0)) return undefined;
  const [today = ""] = days;
  const lacks = missing.reduce((fewest, titles) => (titles.length < fewest.length ? titles : fewest));
  return held(
    ctx,
    agent,
    `scratchpad:${folder}:${today}`,
    reasonForPage(pagePath(folder, today), sections),
    lacks,
  );
}

function missingIn(ctx: Context, root: string, folder: string, day: string): readonly string[] {
  const sections = ctx.settings["scratchpad.sections"];
  const page = writtenPage(ctx, root, folder, day);
  if (page === undefined) return sections;
  return missingSections(page, { sections, emptyIsMissing: ctx.settings["scratchpad.empty_is_missing"] });
}

/** A blank page that was only opened is none yet. */
function writtenPage(ctx: Context, root: string, folder: string, day: string): string | undefined {
  const page = readPage(root, folder, day);
  const blank = template(folder, day, ctx.settings["scratchpad.sections"]);
  return page !== undefined && isUntouched(page, blank) ? undefined : page;
}

/** Delegation shows in the pages others left today; then the coordinator owes one. */
function heldToCoordination(ctx: Stopping): Outcome | undefined {
  const days = daysOf(ctx);
  const outside = new Set([COORDINATOR, ...ctx.settings["scratchpad.exclude"]]);
  const written = days.flatMap((day) => rootsOf(ctx).flatMap((root) => foldersWithPage(root, day)));
  if (written.every((folder) => outside.has(folder))) return undefined;
  const isWritten = (day: string) =>
    rootsOf(ctx).some((root) => writtenPage(ctx, root, COORDINATOR, day) !== undefined);
  if (days.some(isWritten)) return undefined;
  const [today = ""] = days;
  const path = pagePath(COORDINATOR, today);
  return held(ctx, COORDINATOR, `scratchpad:${COORDINATOR}:${today}`, reasonForCoordinator(path), []);
}

/** Today, and the day on which this turn began: a page begun before midnight counts. */
function daysOf(ctx: Context): string[] {
  const { session_id: session, agent_id: agentId } = ctx.input;
  const voice = session ? readSession(ctx.paths, { session, agentId }) : undefined;
  const began = new Date(voice?.turnStartedAt ?? voice?.startedAt ?? ctx.now);
  return [...new Set([localDay(ctx.now), localDay(began)])];
}

function held(
  ctx: Stopping,
  agent: string,
  reason: string,
  text: string,
  lacks: readonly string[],
): Outcome | undefined {
  const hold = blockOnce(ctx, {
    reason,
    text,
    insist: true,
    allowance: ctx.settings["scratchpad.max_blocks"],
  });
  if (hold)
    return {
      ...hold,
      ...(lacks.length > 0 ? { context: `Still missing: ${escapeLine(lacks.join(", "))}.` } : {}),
    };
  return letGo(ctx, agent, reason);
}

/** Said once a day: a teammate stops after every turn. */
function letGo(ctx: Stopping, agent: string, reason: string): Outcome | undefined {
  const { session_id: session, agent_id: voice = "main" } = ctx.input;
  if (!session || !consumeBlock(ctx.paths, session, voice, `${reason}:let-go`, 1)) return undefined;
  const text = `${agent} stopped without its scratchpad page; it was not held back any longer.`;
  const { team, isLead } = ctx.identity;
  if (team && !isLead) {
    notifyLead(ctx.paths, team, { from: agent, text, summary: "no scratchpad page", at: ctx.now });
  }
  return { notice: `swarm: ${text}`, journal: [{ what: "let-go", rule: reason }] };
}
