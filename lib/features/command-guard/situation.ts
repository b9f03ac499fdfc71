// The words the guard's parts share: what it is told about the world, what it finds, what it answers.
import type { RuleId } from "./rules.ts";

export type Decision = "deny" | "ask" | "once" | "off";

/** Another agent of ours on this machine. */
export type Agent = { name: string; pid?: number; pane?: string; session?: string };

export type AllowedCommand = { match: string; reason: string; expires?: string };

export type Policy = {
  rules: Partial<Record<string, Decision>>;
  protect: readonly string[];
  unprotect: readonly string[];
  allowPaths: readonly string[];
  allowCommands: readonly AllowedCommand[];
};

/** The only way the engine looks at the disk; tests hand in a table. */
export type Probe = {
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
  /** The person's own settings of this plugin, which an agent must not rewrite. */
  settingsFile: string;
  agents: readonly Agent[];
  policy: Policy;
  probe: Probe;
  env(name: string): string | undefined;
  /** Wall-clock time, for permissions that expire. */
  now: number;
  /** Milliseconds of work so far, best processor time: a busy machine must not make a command suspicious. */
  clock(): number;
  deadlineMs: number;
};

/** One thing a command would do that a rule speaks about. `subject` is the resolved simple command or path. */
export type Finding = { rule: RuleId; subject: string; path?: string };

export type Verdict = {
  rule: RuleId;
  decision: Exclude<Decision, "off">;
  severity: "catastrophic" | "deny";
  subject: string;
  reason: string;
  instead?: string;
};
