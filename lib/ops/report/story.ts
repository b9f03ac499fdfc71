// What the parts of a report page share: agents' states, and what happened as entries.
import type { JournalLine } from "../../core/journal.ts";
import { plainLine, plainText, shortened, toText } from "../../core/text.ts";
import { isUnread, type Message, stateOf } from "../../mail/store/message.ts";

/** An agent's states: the height of the bar, so that they differ without colour too, and the words of the legend. */
export const STATES = {
  working: { height: 0.52, words: "working" },
  idle: { height: 0.09, words: "idle" },
  waiting: { height: 0.34, words: "waiting for somebody" },
  limited: { height: 0.34, words: "rate limited" },
  failed: { height: 0.34, words: "turn broke off" },
  silent: { height: 0.2, words: "silent" },
  gone: { height: 0, words: "" }, // never drawn
};
export type LaneState = keyof typeof STATES;

/** An agent's state as observed at a moment. */
export interface Sign {
  at: number;
  agent: string;
  state: LaneState;
}

export interface Span {
  state: LaneState;
  from: number;
  to: number;
}

/** How full an agent's context was from a moment on, in percent. */
export interface Level {
  at: number;
  share: number;
}

/** The kinds of entries, as the log's filters call them. */
export const KINDS = {
  message: "Messages",
  task: "Tasks",
  decision: "Decisions",
  context: "Context",
  state: "States",
  note: "Notes",
};

export interface Entry {
  at: number;
  kind: keyof typeof KINDS;
  agent: string;
  /** Who a message went to. */
  to?: string;
  head: string;
  /** The whole of it, where the head is not all. */
  text?: string;
  /** `deny`, `ask`, `warn`; a message's `queued`, `shown`, …; a task's status. */
  tone?: string;
  /** Of a message. */
  isUnread?: boolean | undefined;
  rule?: string;
}

// A line of the journal or a message as an entry of the report; what the page shows elsewhere is left out.
const LONGEST_HEAD = 160;
const LONGEST_TEXT = 4_000;

export const VERDICTS: ReadonlyMap<string, string> = new Map([
  ["deny", "denied"],
  ["ask", "asked"],
  ["warn", "warned"],
]);
export const isDecision = ({ what }: JournalLine): boolean => VERDICTS.has(what);

/** Shown by the messages themselves and by the states. */
const SHOWN_ELSEWHERE = new Set(["mail-delivered", "report", "teammate-idle", "member-ended"]);
const ABOUT_STATES = new Set(["state", "session-start", "session-end", "member-state", "member-crashed"]);
const KNOWN = new Set("id at event session agent feature what team kind list who".split(" "));

export function entryOf(line: JournalLine, agent: string): Entry | undefined {
  if (SHOWN_ELSEWHERE.has(line.what)) return undefined;
  const entry = { at: Date.parse(line.at), agent };
  if (isDecision(line)) return { ...entry, ...decision(line) };
  if (line["task"] !== undefined) return { ...entry, ...task(line) };
  if (line.what === "context-level")
    return { ...entry, kind: "context", head: shortLine(`context at ${toText(line["share"])} %`) };
  return { ...entry, kind: ABOUT_STATES.has(line.what) ? "state" : "note", ...rest(line, agent) };
}

function decision(line: JournalLine): Omit<Entry, "at" | "agent"> {
  const rule = shortLine(line["rule"], 80) || line.feature;
  const [reason, ...asked] = [line["reason"], line["tool"], line["input"]].map((one) => toText(one ?? ""));
  const call = asked.filter(Boolean).join(" ");
  const [firstSentence] = (reason || toText(VERDICTS.get(line.what))).split(/(?<=[.!?])\s|\n/);
  const text = [reason, call && `Asked for: ${call}`, line.id && `swarm explain ${line.id}`];
  return {
    kind: "decision",
    head: shortLine(`${rule}: ${firstSentence}`),
    text: whole(text.filter(Boolean).join("\n\n")),
    tone: line.what,
    rule,
  };
}

function task(line: JournalLine): Omit<Entry, "at" | "agent"> {
  const { what, task: id, subject = "", owner, comment } = line;
  const done = what.replace(/^task-/, "").replaceAll("-", " ");
  const whose = owner ? ` (${toText(owner)})` : "";
  return {
    kind: "task",
    head: shortLine(`#${toText(id)} ${toText(subject)}: ${done}${whose}`),
    text: comment ? whole(toText(comment)) : undefined,
    tone: shortLine(line["status"], 20) || undefined,
  };
}

function rest(line: JournalLine, agent: string): { head: string; text?: string } {
  const isOwn = (value: unknown) => value === agent || agent.startsWith(`${toText(value)}@`);
  const details = Object.entries(line)
    .filter(([name, value]) => !KNOWN.has(name) && name !== line.what && value !== undefined && value !== "")
    .filter(([name, value]) => name !== "name" || !isOwn(value))
    .map(([name, value]) => `${name}: ${toText(value)}`);
  const said = line.what === "state" ? toText(line["state"] ?? "") : line.what.replaceAll("-", " ");
  const head = shortLine([said, ...details].join(" · "));
  return { head, text: head.endsWith("…") ? whole(details.join("\n")) : undefined };
}

export function messageEntry(message: Message, to: string, now: Date): Entry & { to: string } {
  const text = whole(message.text);
  const head = shortLine(message.summary) || shortLine(text.split("\n", 1)[0]);
  return {
    at: Date.parse(message.timestamp),
    kind: "message",
    agent: shortLine(message.from, 60),
    to,
    head: head || "(empty)",
    text: text === head ? undefined : text,
    tone: stateOf(message, now),
    isUnread: isUnread(message) || undefined,
  };
}

/** On one line, and no longer than a line may be. */
export const shortLine = (value: unknown, longest = LONGEST_HEAD): string =>
  shortened(plainLine(toText(value ?? "")), longest);

const whole = (text: string): string => {
  const shown = plainText(text).trim();
  return shown.length > LONGEST_TEXT
    ? `${shown.slice(0, LONGEST_TEXT)}\n… (${shown.length - LONGEST_TEXT} more characters)`
    : shown;
};
