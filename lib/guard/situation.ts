// The words the guard's parts share: what it knows about the machine and the settings, what it finds, what it answers.
import { existsSync, statSync } from "node:fs";
import { realPath } from "../core/files.ts";
import { patternOf } from "../core/glob.ts";
import type { Effects } from "../hook/context.ts";
import { type Attendance, attendanceOf, type Environment } from "../hook/environment.ts";
import { agentsOf } from "./agents.ts" with { loading: "lazy" };
import { isAt, resolvePath } from "./paths.ts";
import { isCatastrophic, ruleOf } from "./rules.ts" with { loading: "lazy" };
import type { RuleId } from "./rules.ts";
import type { GuardSettings } from "./settings.ts";
import { fillUnknowns } from "./shell/unknowns.ts";

export type Decision = "deny" | "ask" | "once" | "off";

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

type AllowedCommand = { match: string; reason: string; expires?: string };

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
export type Words = Pick<Rule, "why" | "instead">;

export type Verdict = {
  rule: RuleId;
  decision: Exclude<Decision, "off">;
  severity: "catastrophic" | "deny";
  subject: string;
  reason: string;
  instead?: string;
};

/** Paths in one spelling, whatever the system writes them in. */
export function withPlainPaths(situation: Situation): Situation {
  const at = (path: string) => resolvePath(path, "/");
  const { cwd, project, home, temp, base } = situation;
  return { ...situation, cwd: at(cwd), project: at(project), home: at(home), temp: at(temp), base: at(base) };
}

// The situation of a real run: the paths, the policy, the other agents on this machine.
/** A command is read in a few milliseconds; this much work means that it was made to take long. */
export const DEADLINE_MS = 250;

export type Around = Pick<
  Environment,
  "paths" | "projectDir" | "clientPid" | "now" | "mode" | "attended" | "entrypoint" | "named"
> & { cwd: string };

export function situationOf(environment: Around, settings: GuardRules): Situation {
  const { paths, cwd, projectDir, clientPid, now } = environment;
  return {
    cwd,
    project: projectDir !== undefined && isAt(cwd, projectDir.replace(/[\\/]$/, "")) ? projectDir : cwd,
    home: paths.home,
    temp: paths.tmp,
    base: paths.base,
    agents: () => agentsOf(paths, clientPid),
    policy: policyOf(settings),
    attendance: attendanceOf(environment),
    probe: { realPath, isDirectory: (path) => isDirectory(path), exists },
    now: now.getTime(),
    clock: workedMs,
    deadlineMs: DEADLINE_MS,
  };
}

// Questions to the machine that change nothing: what a path is, and how much work was done so far.
/** Absent, unreadable or going in circles is no directory. Behind its slash there is something only where it is one, save on
 *  Windows, where the slash is not looked at; the rest of the answer costs ten times as much. */
export function isDirectory(path: string, platform = process.platform): boolean {
  if (!existsSync(`${path}/`)) return false;
  return platform !== "win32" || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

const exists = (path: string): boolean => existsSync(path);

/** Processor time, not the clock: a busy machine must not make work look slow. */
function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

// From findings to one verdict: what the settings say about each rule, the strictest first.

const STRICTNESS: readonly Decision[] = ["off", "once", "ask", "deny"];
const strictness = (decision: Decision) => STRICTNESS.indexOf(decision);

/** A question that nobody can answer is a denial. */
export function decisionFor(rule: RuleId, policy: Policy, attendance: Attendance): Decision {
  if (isCatastrophic(rule)) return "deny";
  const { verdict, follows = rule } = ruleOf(rule);
  const own = policy.rules[rule] ?? policy.rules[follows] ?? verdict[attendance];
  const asked = policy.atLeast[rule] ?? policy.atLeast[follows] ?? "off";
  const decision = strictness(asked) > strictness(own) ? asked : own;
  return decision === "ask" && attendance === "unattended" ? "deny" : decision;
}

const isAllowed = ({ rule, subject }: Finding, { policy, now }: Situation) =>
  !isCatastrophic(rule) &&
  policy.allowCommands.some(({ match, expires }) => {
    const isOver = expires !== undefined && !(Date.parse(expires) > now);
    return !isOver && patternOf(match, { starsOnly: true }).matches(subject);
  });

function shown({ subject, path }: Finding): string {
  const target = path === undefined ? "" : fillUnknowns(path, "…");
  return subject.includes(target) ? subject || "this call" : subject ? `${subject} (${target})` : target;
}

export function verdictOf(findings: readonly Finding[], situation: Situation): Verdict | undefined {
  const weighed = findings
    .filter((finding) => !isAllowed(finding, situation))
    .map((finding) => ({
      finding,
      decision: decisionFor(finding.rule, situation.policy, situation.attendance),
    }))
    .filter(({ decision }) => decision !== "off");
  // Of equally strict findings, the one that no setting or no situation would have softened.
  const rank = ({ finding: { rule }, decision }: (typeof weighed)[number]) =>
    strictness(decision) * 4 +
    (isCatastrophic(rule) ? 2 : 0) +
    (ruleOf(rule).verdict.attended === "deny" ? 1 : 0);
  const [worst] = weighed.sort((a, b) => rank(b) - rank(a));
  if (!worst || worst.decision === "off") return undefined;
  const { rule, words } = worst.finding;
  const { why, instead } = words ?? ruleOf(rule);
  return {
    rule,
    decision: worst.decision,
    severity: isCatastrophic(rule) ? "catastrophic" : "deny",
    subject: shown(worst.finding),
    reason: why,
    instead,
  };
}

// The guard's policy from the settings files: the person's word first, a project's only where it is stricter.
const isDecision = (value: unknown): value is Decision => STRICTNESS.includes(value as Decision);

function decisions(table: unknown): Record<string, Decision> {
  const entries = Object.entries((table ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.filter((entry): entry is [string, Decision] => isDecision(entry[1])));
}

const texts = (list: unknown) => (list ?? []) as readonly string[];

/** An entry without a reason is no permission. */
function allowedCommands(table: Record<string, unknown>): AllowedCommand[] {
  return Object.values(table).flatMap((entry) => {
    const { match, reason, expires } = (entry ?? {}) as Record<string, unknown>;
    if (typeof match !== "string" || typeof reason !== "string" || match === "" || reason === "") return [];
    return [{ match, reason, ...(expires === undefined ? {} : { expires: String(expires) }) }];
  });
}

/** Of the settings, what concerns the guard. */
export interface GuardRules {
  values: GuardSettings;
  projectAsks: Readonly<Record<string, unknown>>;
}

export function policyOf({ values, projectAsks }: GuardRules): Policy {
  return {
    rules: decisions(values["guard.rules"]),
    atLeast: decisions(projectAsks["guard.rules"]),
    protect: values["guard.protect"],
    protectInside: texts(projectAsks["guard.protect"]),
    unprotect: values["guard.unprotect"],
    allowPaths: values["guard.allow_paths"],
    allowCommands: allowedCommands(values["guard.allow_commands"]),
  };
}
