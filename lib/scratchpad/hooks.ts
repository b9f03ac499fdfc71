// The scratchpad protocol (docs/origins.md): each agent learns at its start which page it has to write, and is blocked at its end
// until the page is complete; a session that delegated owes a coordinator page too. Checked by code, not by a model.

import { MAIN } from "../context/store/window.ts";
import { reported } from "../core/process.ts";
import { escapeLine, withoutTags } from "../core/text.ts";
import { localDay } from "../core/time.ts";
import { type Context, isTeammateSession } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import { blockOnce, consumeBlock } from "../hook/gate.ts";
import type { Outcome } from "../hook/outcome.ts";
import type { Handler } from "../hook/run.ts";
import { notifyLead } from "../mail/store/lead-notes.ts" with { loading: "lazy" };
import { readSession } from "../sessions/store/sessions.ts";
import { recentCommits } from "../system/git.ts";
import { isWritten, missingFrom } from "./sections.ts";
import {
  COORDINATOR,
  EGO,
  firstLines,
  folderOf,
  foldersWithPage,
  isEnabled,
  lastLines,
  pagePath,
  readPage,
} from "./store.ts";

const COORDINATOR_LINES = 25;
const EGO_LINES = 20;
const TAIL_LINES = 3;

type Stopping = Context<Context["input"] & { stop_hook_active?: boolean; agent_transcript_path?: string }>;

const projectOf = (ctx: Context): string => ctx.projectDir ?? ctx.cwd;

/** Where pages may be: in the project, and in the agent's working directory (a worktree has pages of its own). */
const rootsOf = (ctx: Context): string[] => [...new Set([projectOf(ctx), ctx.cwd])];

const isOn = (ctx: Context) => isEnabled(ctx.settings["scratchpad.enabled"], rootsOf(ctx));

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  if (!isOn(ctx)) return;
  if (isTeammateSession(ctx.identity)) return introduce(ctx, ctx.identity.agent ?? "");
  if (ctx.input.source !== "startup" && ctx.input.source !== "") return;
  const root = projectOf(ctx);
  const commits = recentCommits(root, ctx.env);
  const parts = [
    ...excerpt("Latest coordinator scratchpad", root, COORDINATOR, COORDINATOR_LINES),
    ...excerpt("Latest ego assessment", root, EGO, EGO_LINES),
    ...section("Recent commits", commits),
  ];
  if (parts.length === 0) return;
  const text = ["## Session Orientation", ...parts].join("\n\n");
  return { context: { name: "session orientation", text, where: ".claude/scratchpad", priority: 45 } };
};

export const subagentStart: Handler<typeof events.SubagentStart> = (ctx) => {
  const { agent_type } = ctx.input;
  if (agent_type && isOn(ctx)) return introduce(ctx, agent_type);
};

function introduce(ctx: Context, agent: string): Outcome | undefined {
  const root = projectOf(ctx);
  const parts = [
    ...(isExempt(ctx, agent) ? [] : [dutyText(ctx, agent)]),
    ...section("Last lines of the latest ego page", lastLines(root, EGO, TAIL_LINES)),
    ...section("Last lines of the latest coordinator page", lastLines(root, COORDINATOR, TAIL_LINES)),
  ];
  if (parts.length > 0) return { context: { name: "scratchpad", text: parts.join("\n\n"), priority: 60 } };
}

const isExempt = (ctx: Context, agent: string) => ctx.settings["scratchpad.exempt"].includes(agent);

/** Also fires for the compaction, which has no type and cannot write. */
export const subagentStop: Handler<typeof events.SubagentStop> = (ctx) => {
  const { agent_type } = ctx.input;
  if (agent_type && isOn(ctx)) return requirePage(ctx, agent_type);
};

export const stop: Handler<typeof events.Stop> = (ctx) => {
  if (!isOn(ctx)) return;
  return isTeammateSession(ctx.identity)
    ? requirePage(ctx, ctx.identity.agent ?? "")
    : requireCoordinatorPage(ctx);
};

function requirePage(ctx: Stopping, agent: string): Outcome | undefined {
  if (isExempt(ctx, agent)) return undefined;
  const folder = folderOf(agent);
  const { settings } = ctx;
  const missing = placesOf(ctx).map(({ root, day }) =>
    missingFrom(readPage(root, folder, day), { folder, day, settings }),
  );
  if (missing.some((titles) => titles.length === 0)) return undefined;
  const { length: sections } = settings["scratchpad.sections"];
  const path = pagePath(folder, localDay(ctx.now));
  const text = `Scratchpad missing or incomplete. Write to ${path} with all ${sections === 3 ? "three" : sections} required sections before completing.`;
  const lacks = missing.reduce((fewest, titles) => (titles.length < fewest.length ? titles : fewest));
  const blocked = block(ctx, agent, text);
  if (!blocked?.deny || lacks.length === 0) return blocked;
  return { ...blocked, context: `Still missing: ${escapeLine(lacks.join(", "))}.` };
}

/** Pages of other agents show that this session delegated: then it owes a coordinator page. */
function requireCoordinatorPage(ctx: Stopping): Outcome | undefined {
  const { settings } = ctx;
  const folder = COORDINATOR;
  const places = placesOf(ctx);
  const outside = new Set([folder, ...settings["scratchpad.exclude"]]);
  const written = places.flatMap(({ root, day }) => foldersWithPage(root, day));
  if (written.every((one) => outside.has(one))) return undefined;
  if (places.some(({ root, day }) => isWritten(readPage(root, folder, day), { folder, day, settings })))
    return undefined;
  const path = pagePath(folder, localDay(ctx.now));
  const text = `Multi-agent delegation detected but no coordinator scratchpad for today. Write to ${path} before ending session.`;
  return block(ctx, folder, text);
}

/** In each root today, and the day on which this turn began: a page begun before midnight counts. */
function placesOf(ctx: Context): { root: string; day: string }[] {
  const { session_id: session, agent_id: agentId } = ctx.input;
  const record = session ? readSession(ctx.paths, { session, agentId }) : undefined;
  const began = new Date(record?.turnStartedAt ?? record?.startedAt ?? ctx.now);
  const days = new Set([localDay(ctx.now), localDay(began)]);
  return [...days].flatMap((day) => rootsOf(ctx).map((root) => ({ root, day })));
}

/** The two texts are those of the document (docs/origins.md), word for word. */
function block(ctx: Stopping, agent: string, text: string): Outcome | undefined {
  const reason = `scratchpad:${folderOf(agent)}:${localDay(ctx.now)}`;
  const allowance = ctx.settings["scratchpad.max_blocks"];
  return blockOnce(ctx, { reason, text, insist: true, allowance }) ?? giveUp(ctx, agent, reason);
}

/** Reported once a day: a teammate stops after every turn. */
function giveUp(ctx: Stopping, agent: string, reason: string): Outcome | undefined {
  const { session_id: session, agent_id: agentId = MAIN } = ctx.input;
  if (!session || !consumeBlock(ctx.paths, session, agentId, `${reason}:let-go`, 1)) return undefined;
  const text = `${agent} stopped without its scratchpad page; it is not blocked any longer.`;
  const { team, isLead } = ctx.identity;
  const news = { from: agent, text, summary: "no scratchpad page", at: ctx.now };
  // The notice is due once, also where the lead gets no mail.
  if (team && !isLead) reported(() => notifyLead(ctx.paths, team, news), "the lead could not be notified");
  return { notice: `swarm: ${text}`, journal: [{ what: "let-go", rule: reason }] };
}

const LONGEST_LINE = 400;

function section(title: string, lines: string[], rest = ""): string[] {
  const quoted = lines.map((line) => withoutTags(line.slice(0, LONGEST_LINE)));
  return lines.length > 0 ? [`### ${title}\n${quoted.join("\n")}${rest}`] : [];
}

function excerpt(title: string, root: string, folder: string, count: number): string[] {
  const found = firstLines(root, folder, count);
  if (!found) return [];
  const rest = found.more === 0 ? "" : `\n... (${found.more ?? "many"} more lines)`;
  return section(`${title} (${found.path})`, found.lines, rest);
}

export function dutyText(ctx: Context, agent: string): string {
  const day = localDay(ctx.now);
  const root = projectOf(ctx);
  const sections = ctx.settings["scratchpad.sections"];
  const where = ctx.cwd === root ? "" : ` (in ${escapeLine(root)})`; // relative paths start somewhere else
  return [
    "## Scratchpad protocol",
    `Date: ${day}`,
    `Agent: ${escapeLine(agent)}`,
    `Scratchpad: ${pagePath(folderOf(agent), day)}${where}`,
    `The page has ${sections.length} required sections, each under a heading of its own:`,
    ...sections.map((section) => `- ${escapeLine(section)}`),
    "If the page exists already it is updated in place. It is checked when this agent completes.",
  ].join("\n");
}
