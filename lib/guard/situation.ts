// The words the guard's parts share: what it knows about the machine and the settings, what it finds, what it answers.
import type { Effects } from "../hook/context.ts";
import type { Attendance } from "../hook/environment.ts";
import type { RuleId } from "./rules.ts";

/** The strictest last. */
export const DECISIONS = ["off", "once", "ask", "deny"] as const;
export type Decision = (typeof DECISIONS)[number];

export type Rule = {
  title: string;
  verdict: Readonly<Record<Attendance, "deny" | "ask">>;
  catastrophic?: true;
  /** A setting for that rule counts for this one too, unless it has its own. */
  follows?: string;
  /** Completes the sentence "`<command>` …". */
  why: string;
  instead: string;
};

/** Another agent of ours on this machine. */
export type Agent = { name: string; pid?: number; pane?: string; session?: string };

export type AllowedCommand = { match: string; reason: string; expires?: string };

export type Policy = {
  /** The person's choice by rule id. */
  rules: Readonly<Record<string, Decision>>;
  /** What the project asks for by rule id; it counts only where it is stricter. */
  atLeast: Readonly<Record<string, Decision>>;
  protect: readonly string[];
  /** The project's own: they count inside the project only. */
  protectInside: readonly string[];
  unprotect: readonly string[];
  allowPaths: readonly string[];
  allowCommands: readonly AllowedCommand[];
};

/** The only way the engine looks at the disk; tests hand in a table. */
type Probe = {
  /** The path with every link of its existing part followed. */
  realPath(path: string): string;
  isDirectory(path: string): boolean;
  exists(path: string): boolean;
};

export type Situation = {
  cwd: string;
  project: string;
  home: string;
  /** Where temporary files live, beside /tmp and /var/tmp. */
  temp: string;
  /** The client's directory: its settings and ours are the person's to change. */
  base: string;
  /** The other agents of ours; asked for only when a command sends signals or closes panes. */
  agents(): readonly Agent[];
  policy: Policy;
  attendance: Attendance;
  probe: Probe;
  /** Wall-clock time, for permissions that expire. */
  now: number;
  /** Milliseconds of work so far, best processor time: a busy machine must not make a command suspicious. */
  clock(): number;
  deadlineMs: number;
  /** Where what the command does is collected, beside what the rules find. */
  effects?: Effects;
};

/** One thing a command would do that a rule speaks about. `subject` is the resolved simple command or path. */
export type Finding = { rule: RuleId; subject: string; path?: string; words?: Words };

/** What a pack's row says instead of its rule. */
export type Words = Partial<Pick<Rule, "why" | "instead">>;

export type Verdict = {
  rule: RuleId;
  decision: Exclude<Decision, "off">;
  severity: "catastrophic" | "deny";
  subject: string;
  reason: string;
  instead?: string;
  /** The project's file asks for it, so the person's own cannot change it. */
  byProject?: true;
};
