// Tool calls of an agent that works on an effort. Before a call: heartbeat, guard rules, the warning about a full context, files
// to preload. After it: files and directives it touched, answers of the person, pending injections.
import { patternOf } from "../core/glob.ts";
import { asTable, asText, fieldsOf } from "../core/json.ts";
import { toText } from "../core/text.ts";
import type { Context } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import { blockOnce } from "../hook/gate.ts";
import type { Handler } from "../hook/run.ts";
import { FILE_TOOLS, SHELLS } from "../hook/tools.ts";
import { lastWordsIn } from "../sessions/store/turn-end.ts";
import { type Current, contextShareOf, deliver, inWindow, noteMessage, transcriptTail } from "./sessions.ts";
import { type GuardRule, updateEffort } from "./store/efforts.ts";
import { findDirectives, readPreload } from "./store/project-files.ts";
import {
  claimOnce,
  countCall,
  firedMark,
  heartbeatOf,
  isClaimed,
  isMain,
  logEntriesOf,
  noteCall,
  noteLoaded,
  OVERFLOW,
  preloadMark,
  restartHeartbeat,
} from "./store/windows.ts";
import {
  asSection,
  blockAfterOf,
  guardWarning,
  HOW_TO_DEHYDRATE,
  howToLog,
  preloadText,
  short,
} from "./text.ts";

const MOST_BLOCKS = 2;
/** How many calls before the limit the agent is reminded. */
const REMIND_BEFORE = 2;
const PRELOAD_BYTES = 4_000;
const MOST_DIRECTIVES = 50;

export const preToolUse: Handler<typeof events.PreToolUse> = inWindow((ctx, current) => {
  const { effort, agent } = current;
  const { tool_name: tool, tool_input: input } = ctx.input;
  const own = effortCommandIn(tool, input);
  if (own) {
    noteCall(ctx.paths, agent, toText(input["command"] ?? ""), ctx.now);
    // Here already, as in Engine hooks: the hook knows the agent, the command itself only the session.
    if (own.isFirst && own.verb === "log") restartHeartbeat(ctx.paths, agent);
    if (own.isAlone) return;
  }
  // No calls count while the skill loads, or once the window is so full that it must be written down.
  const counts = !own && !effort.metadata.loading && !isClaimed(ctx.paths, agent, OVERFLOW);
  const heartbeat = counts ? countCall(ctx.paths, agent) : heartbeatOf(ctx.paths, agent);
  const block = counts ? blockUntilLogged(ctx, current, heartbeat) : undefined;
  if (block) return block;
  const context = contextShareOf(ctx, current);
  const call = { tool, input, phase: effort.phase, heartbeat, context };
  const fired = effort.metadata.guards.filter((rule) => fires(rule, call));
  const denying = fired.find((rule) => rule.action === "deny");
  if (denying) {
    claimOnce(ctx.paths, agent, firedMark(denying));
    const lifted = `swarm effort guard ${denying.id} --remove --effort ${effort.id}`;
    const deny = `${guardWarning(denying)}\nA rule of effort ${effort.id}; it is lifted by: ${lifted}`;
    return { deny, rule: `effort:${denying.id}` };
  }
  const warnings = [
    ...overflowOnce(ctx, current, context),
    ...fired
      .filter((rule) => claimOnce(ctx.paths, agent, firedMark(rule)))
      .map((rule) => ({ what: "warn", rule: `effort:${rule.id}`, reason: guardWarning(rule) })),
  ];
  const texts = [...warnings.map(({ reason }) => reason), ...pendingPreloads(ctx, current)];
  if (texts.length === 0) return;
  return { context: asSection(effort, texts.join("\n\n")), journal: warnings };
});

export const postToolUse: Handler<typeof events.PostToolUse> = inWindow((ctx, current) => {
  const { tool_name: tool, tool_input: input, tool_response: response } = ctx.input;
  if (tool === "AskUserQuestion") {
    const preamble = lastWordsIn(transcriptTail(ctx));
    noteMessage(ctx, current, "dialogue", dialogueOf(input, response, preamble));
  }
  const file = asText(input[FILE_TOOLS.get(tool) ?? ""]);
  const found = file ? trackFile(ctx, current, file) : undefined;
  const reminder = remindToLog(ctx, current);
  return deliver(ctx, current, (pending) => [found, reminder, ...pending].filter(Boolean).join("\n\n"));
});

/**
 * PreToolUse knows no `stop_hook_active`, so the allowance alone keeps this from looping: two calls are denied, the rest go through.
 * The main agent is asked again every `block_after` calls; a subagent, which may have no shell to log with, is not.
 */
function blockUntilLogged(ctx: Context, { effort, session, agent }: Current, heartbeat: number) {
  const limit = blockAfterOf(effort, ctx.settings);
  if (limit === 0 || heartbeat < limit) return undefined;
  const stretch = `${effort.id}.${session}.${logEntriesOf(ctx.paths, agent)}`;
  const round = isMain(agent) ? `.${Math.floor(heartbeat / limit)}` : "";
  const text = `heartbeat-block: ${heartbeat}/${limit} tool calls without logging in effort ${effort.id} (${short(effort.skill)}).
Write down where the work stands, then repeat the call. This clears it: ${howToLog(effort)}
Changed by effort.block_after in .atm.toml or settings.toml.`;
  return blockOnce(ctx, { reason: `heartbeat:${stretch}${round}`, text, allowance: MOST_BLOCKS });
}

function overflowOnce(ctx: Context, { agent }: Current, share: number | undefined) {
  if (share === undefined || share < ctx.settings["effort.overflow_warn"]) return [];
  if (!claimOnce(ctx.paths, agent, OVERFLOW)) return [];
  const reason = `[Context ${Math.round(share)} %] This window will end soon; the effort goes on in the next one with what is written down now:
${HOW_TO_DEHYDRATE}
(--next and --file may be repeated; the heartbeat does not count meanwhile.)`;
  return [{ what: "warn", rule: "overflow:context", reason }];
}

/** Files added since the window was opened. What has no room waits for the next call. */
function pendingPreloads(ctx: Context, { effort, agent }: Current): string[] {
  const shown: string[] = [];
  if (!isMain(agent)) return shown;
  for (const path of effort.preloads) {
    if (shown.join("").length > PRELOAD_BYTES) break;
    if (!claimOnce(ctx.paths, agent, preloadMark(path))) continue;
    const one = readPreload(ctx.paths.home, effort, path, PRELOAD_BYTES);
    shown.push(one.text === undefined ? `[Not preloaded: ${short(path)}] ${one.why}` : preloadText(one));
  }
  return shown;
}

/** The effort remembers only so many: one beyond them is named once in each window. */
const directiveMark = (path: string) => `directive:${path}`;

/** Remembers the file; names the directive files that the effort had not met before. */
function trackFile(ctx: Context, { effort, agent }: Current, path: string): string | undefined {
  noteLoaded(ctx.paths, agent, path);
  const fresh = findDirectives(effort.project, path).filter(
    (one) => !effort.directives.includes(one) && !isClaimed(ctx.paths, agent, directiveMark(one)),
  );
  if (fresh.length === 0) return undefined;
  updateEffort(ctx.paths, effort.id, (stored) => ({
    ...stored,
    directives: [...new Set([...stored.directives, ...fresh])].slice(0, MOST_DIRECTIVES),
  }));
  const named = fresh.filter((one) => claimOnce(ctx.paths, agent, directiveMark(one)) && one !== path);
  return named.length > 0 ? `[Directives found: ${named.map(short).join(", ")}]` : undefined;
}

/** Once between two log entries, shortly before calls are denied. */
function remindToLog(ctx: Context, { effort, agent }: Current): string | undefined {
  const limit = blockAfterOf(effort, ctx.settings);
  const heartbeat = heartbeatOf(ctx.paths, agent);
  if (limit <= REMIND_BEFORE || heartbeat < limit - REMIND_BEFORE || heartbeat >= limit) return undefined;
  if (!claimOnce(ctx.paths, agent, `near:${logEntriesOf(ctx.paths, agent)}`)) return undefined;
  return `[Heartbeat ${heartbeat}/${limit}] Near the limit of calls without a log entry; ${howToLog(effort)} starts the count again.`;
}

// Where a command may begin. No two parts can match the same character, so a long input costs its length.
const OURS =
  /(?:^|[;&|\n(])[ \t]*(?:node[ \t]+)?(?:"[^"\n]*[\\/]swarm"|[^\s"';&|(]*[\\/]swarm|swarm)[ \t]+effort\b[ \t]*([a-z]*)/;
const HEREDOC = /<<(-?)[ \t]*(["']?)(\w+)\2[ \t]*\n([\s\S]*)$/;
const LONGEST_COMMAND = 16 * 1024;

/**
 * `swarm effort …` in a shell, or the skill of that name. Neither is counted or denied: an agent must be able to log. `isFirst`: the
 * command begins with it; `isAlone`: it is the whole command, so no guard rule applies.
 */
export function effortCommandIn(tool: string, input: Record<string, unknown>) {
  if (tool === "Skill" && /(^|:)swarm-effort$/.test(asText(input["skill"]) ?? ""))
    return { verb: "", isFirst: true, isAlone: true };
  const command = SHELLS.includes(tool) ? (asText(input["command"]) ?? "").trim() : "";
  const found = command.match(OURS);
  if (!found) return undefined;
  const isFirst = found.index === 0;
  return { verb: found[1] ?? "", isFirst, isAlone: isFirst && isWhole(tool, command) };
}

/** Nothing outside quotes starts another command; a here-document that ends the command is only input. */
function isWhole(tool: string, command: string): boolean {
  if (command.length > LONGEST_COMMAND) return false;
  const input = HEREDOC.exec(command);
  if (!input) return isOneCommand(tool, command);
  const [, isIndented, quote, mark, rest = ""] = input;
  const lines = rest.split("\n").map((line) => (isIndented ? line.replace(/^\t+/, "") : line));
  const end = lines.indexOf(mark ?? "");
  const isLast = end >= 0 && end === lines.length - 1;
  const runsNothing = Boolean(quote) || !runsInQuotes(tool, rest);
  return isLast && runsNothing && isOneCommand(tool, command.slice(0, input.index));
}

// From the left, as the shell reads: an apostrophe between double quotes opens nothing. In PowerShell a backslash is a plain character.
const QUOTED = /\$'|\\[^\n]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g;
const QUOTED_IN_POWERSHELL = /'[^']*'|"[^"]*"/g;

/** A `#` may begin a comment, in which a quote or `<<` means nothing to the shell. */
function isOneCommand(tool: string, command: string): boolean {
  const quoted = tool === "PowerShell" ? QUOTED_IN_POWERSHELL : QUOTED;
  const runs = (part: string) => part === "$'" || (part.startsWith('"') && runsInQuotes(tool, part));
  return !/[`;&|\n<>()'"#]/.test(command.replace(quoted, (part) => (runs(part) ? "`" : "")));
}

/** Between double quotes and in a here-document without quotes only these start a command. */
const runsInQuotes = (tool: string, text: string) =>
  /`|\$\(/.test(tool === "PowerShell" ? text : text.replace(/\\[\s\S]/g, ""));

const LONGEST_PREAMBLE = 2_000;

/** The entries of a list; one that is no table counts as empty. */
const tablesIn = (value: unknown) => (Array.isArray(value) ? value : []).map(fieldsOf);

/** AskUserQuestion as an entry of the message log. */
export function dialogueOf(input: Record<string, unknown>, response: unknown, preamble: string | undefined) {
  const answers = { ...asTable(input["answers"]), ...asTable(asTable(response)?.["answers"]) };
  return {
    preamble: (preamble ?? "").slice(-LONGEST_PREAMBLE),
    questions: tablesIn(input["questions"]).map((one) => {
      const question = asText(one["question"]) ?? "";
      const options = tablesIn(one["options"]).map((option) => asText(option["label"]) ?? "");
      const answer = answers[question];
      return { question, options, answer: answer === undefined ? null : toText(answer) };
    }),
  };
}

interface GuardedCall {
  tool: string;
  input: Record<string, unknown>;
  phase: string | undefined;
  heartbeat: number;
  /** In percent; `undefined` while unknown. */
  context: number | undefined;
}

/** A rule fires when all conditions it names hold: tool, part of the input, phase, and the least heartbeat and context share. */
export function fires(rule: GuardRule, call: GuardedCall): boolean {
  const { tool = "*", input, phase = "*", heartbeat = 0, context = 0 } = rule;
  return (
    matches(tool, call.tool) &&
    matches(phase, call.phase ?? "") &&
    call.heartbeat >= heartbeat &&
    (call.context ?? 0) >= context &&
    (input === undefined || Object.values(call.input).some((value) => contains(input, toText(value))))
  );
}

/** The whole text, for names: `*` stands for any text, `|` separates alternatives. */
export const matches = (pattern: string, text: string, around = ""): boolean =>
  pattern
    .split("|")
    .some((one) => patternOf(around + one.trim() + around, { starsOnly: true }).matches(text));

/** Anywhere in the text, for inputs. */
export const contains = (pattern: string, text: string): boolean => matches(pattern, text, "*");
