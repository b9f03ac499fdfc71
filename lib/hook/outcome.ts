// What a handler returns, how the outcomes of several become one, and how the client gets it: fitted in length, as JSON.
import { cutAt, escapeLine, plainText } from "../core/text.ts";

export interface Section {
  text: string;
  /** What it is, for the line that says it was left out. */
  name: string;
  /** Where the whole of it can be read: a path or a command. */
  where?: string;
  /** The higher, the later it is cut. Default 50. */
  priority?: number;
  /** Sections with the same heading here stand together in one `<system-reminder>` below it. */
  under?: string;
}

export interface Outcome {
  /** Stops what the event announces; the text is the reason, for the model. */
  deny?: string;
  /** PreToolUse, beside `deny`: ends the turn as well where the client does that (2.1.325; 2.1.197 goes on). Shown to the person. */
  endsTurn?: string;
  /** Leaves it to the person; only PreToolUse knows this. */
  ask?: string;
  /** Deny by exit code 2 as well, where a source document promises that. */
  loud?: boolean;
  /** The rule behind `deny` or `ask`, for the journal. */
  rule?: string;
  /** Facts for the model. */
  context?: string | Section;
  /** A line for the person at the screen. */
  notice?: string;
  /** SessionStart, FileChanged: files whose change shall fire FileChanged, all of them: the new list replaces the old. */
  watch?: string[];
  /** FileChanged: wakes the session with this text. */
  wake?: string;
  /** PreToolUse: the tool's whole new input. */
  updatedInput?: Record<string, unknown>;
  /** Lines for the journal beyond a denial, which is always recorded. */
  journal?: JournalNote[];
  /** Work that may outlast the answer by a moment, with its own time limit. `isHeard` is false where the client was gone by then. */
  after?: (isHeard?: boolean) => void;
}

export interface JournalNote {
  what: string;
  [detail: string]: unknown;
}

export interface NamedOutcome extends Outcome {
  feature: string;
}

// The wrapper that Claude Swarm hooks prescribe for team news.
export const teamUpdates = (agent: string): string => `Team Updates for ${escapeLine(agent)}`;

const reminder = (heading: string, parts: string[]): string =>
  `<system-reminder>\n# ${heading}\n\n${parts.join("\n\n")}\n\n</system-reminder>`;

// The client cuts a text of more than 10,000 characters to a path and a preview. Ours stay below, and the
// last line names what was left out and where to read it.

export const LONGEST_TEXT = 9_000;
const LEAST_WORTH_SHOWING = 200;

export function fitSections(sections: Section[], room = LONGEST_TEXT): string {
  const whole = assembled(sections);
  if (whole.length <= room) return whole;
  const kept = new Map<Section, string>();
  const cut: Section[] = [];
  const forLastLine = Math.min(lastLine(sections).length + 2, LONGEST_TEXT / 3);
  let left = room - forLastLine - spaceForHeadings(sections);
  for (const section of sections.toSorted((a, b) => priorityOf(b) - priorityOf(a))) {
    const text = section.text.length + 2 <= left ? section.text : headOf(section.text, left - 2);
    if (text !== section.text) cut.push(section);
    if (!text) continue;
    kept.set(section, text);
    left -= text.length + 2;
  }
  const shown = sections.map((section) => ({ ...section, text: kept.get(section) ?? "" }));
  return [assembled(shown.filter(({ text }) => text)), lastLine(sections.filter((one) => cut.includes(one)))]
    .filter(Boolean)
    .join("\n\n")
    .slice(0, room);
}

/** Those under one heading stand together where the first of them stands. */
function assembled(sections: Section[]): string {
  const together = (heading: string) =>
    sections.flatMap(({ under, text }) => (under === heading ? text : []));
  const isFirst = (section: Section) => sections.find(({ under }) => under === section.under) === section;
  return sections
    .flatMap((section) => {
      if (section.under === undefined) return section.text;
      return isFirst(section) ? reminder(section.under, together(section.under)) : [];
    })
    .join("\n\n");
}

const priorityOf = ({ priority = 50 }: Section) => priority;

/** Whole lines from the start, or nothing when too little would remain to be of use. */
function headOf(text: string, room: number): string {
  if (room < LEAST_WORTH_SHOWING) return "";
  const head = cutAt(text, room);
  const end = head.lastIndexOf("\n");
  return end > room / 2 ? head.slice(0, end) : head;
}

const mention = (section: Section) => (section.where ? `${section.name} (${section.where})` : section.name);

const lastLine = (cut: Section[]) => `[swarm: cut for length: ${cut.map(mention).join(", ")}]`;

function spaceForHeadings(sections: Section[]): number {
  const headings = new Set(sections.flatMap(({ under }) => under ?? []));
  return [...headings].reduce((sum, heading) => sum + reminder(heading, []).length, 0);
}

// An outcome in the client's words: stdout JSON, stderr and exit code, as each event understands them
// (observed on 2.1.197 and 2.1.325).

export interface Reply {
  stdout: string;
  stderr: string;
  exitCode: 0 | 2;
}

type Body = Record<string, unknown>;

/** Held back by `decision: "block"`; tool calls and permissions have words of their own, other events cannot be held back. */
const TAKES_BLOCK = new Set([
  "UserPromptSubmit",
  "PostToolUse",
  "Stop",
  "SubagentStop",
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
  "PreCompact",
  "ConfigChange",
]);

const TAKES_CONTEXT = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "SubagentStart",
  "SubagentStop",
  "Stop",
]);

export function encode(event: string, outcomes: NamedOutcome[]): Reply {
  const wake = joined(outcomes, "wake");
  if (wake !== undefined) return { stdout: "", stderr: shown(wake), exitCode: 2 };
  const { deny, endsTurn, loud } = outcomes.find((one) => one.deny !== undefined) ?? {};
  const body: Body = {};
  if (deny !== undefined && TAKES_BLOCK.has(event))
    Object.assign(body, { decision: "block", reason: shown(deny) });
  if (endsTurn !== undefined) Object.assign(body, { continue: false, stopReason: shown(endsTurn) });
  const notice = joined(outcomes, "notice");
  if (notice) body["systemMessage"] = shown(notice);
  const specific = specificOutput(event, outcomes, deny);
  if (Object.keys(specific).length > 0) body["hookSpecificOutput"] = { hookEventName: event, ...specific };
  const stdout = Object.keys(body).length > 0 ? JSON.stringify(body) : "";
  if (!loud || deny === undefined) return { stdout, stderr: "", exitCode: 0 };
  return { stdout, stderr: shown(deny), exitCode: 2 };
}

function joined(outcomes: NamedOutcome[], key: "wake" | "notice"): string | undefined {
  const texts = outcomes.flatMap((one) => one[key] ?? []);
  return texts.length > 0 ? texts.join("\n") : undefined;
}

/** Whatever a handler quoted without cleaning it, nothing hidden leaves a hook. */
const shown = (text: string) => cutAt(plainText(text), LONGEST_TEXT);

/** The first denial counts, else the first question; of new inputs the last, where nothing is denied. */
function specificOutput(event: string, outcomes: NamedOutcome[], deny: string | undefined): Body {
  const output: Body = {};
  if (event === "PermissionRequest" && deny !== undefined)
    output["decision"] = { behavior: "deny", message: shown(deny) };
  const reason = deny ?? outcomes.find((one) => one.ask !== undefined)?.ask;
  if (event === "PreToolUse" && reason !== undefined) {
    output["permissionDecision"] = deny === undefined ? "ask" : "deny";
    output["permissionDecisionReason"] = shown(reason);
  }
  const sections = outcomes.flatMap(sectionsOf);
  if (sections.length > 0 && TAKES_CONTEXT.has(event))
    output["additionalContext"] = shown(fitSections(sections));
  const watch = outcomes.flatMap((one) => one.watch ?? []);
  if ((event === "SessionStart" || event === "FileChanged") && watch.length > 0) output["watchPaths"] = watch;
  const rewrite = outcomes.findLast((one) => one.updatedInput);
  if (event === "PreToolUse" && deny === undefined && rewrite) output["updatedInput"] = rewrite.updatedInput;
  return output;
}

function sectionsOf({ context, feature }: NamedOutcome): Section[] {
  if (!context) return [];
  return [typeof context === "string" ? { text: context, name: feature } : context];
}
