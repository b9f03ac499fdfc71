// `swarm bug-report`: what a maintainer needs to understand a fault, in one file. Never a message, a prompt or a command; what looks
// like a secret is removed, and the home directory becomes `~`.

import { dirname, resolve } from "node:path";
import { badCall, type Call } from "../cli/command.ts";
import { createFile, inDirectory } from "../core/files.ts";
import { dayAndTime, dayOf, readJournal } from "../core/journal.ts";
import type { Paths } from "../core/paths.ts";
import type { LoadedSettings } from "../core/settings.ts";
import { toText } from "../core/text.ts";
import type { BUG_REPORT_FLAGS } from "./commands.ts";
import { examine } from "./doctor/doctor.ts";
import { timesOf } from "./doctor/events.ts";
import { inWords } from "./doctor/finding.ts";
import { kindOf } from "./file-kinds.ts";
import { isDecision } from "./report/story.ts";
import { reportPath, type StateFile } from "./store/state-files.ts";

type BugCall = Call<typeof BUG_REPORT_FLAGS>;

const MOST_ERRORS = 40;

export function bugReportVerb(call: BugCall, version: string) {
  const report = cleaned(call, collect(call, version));
  const { flags, now } = call;
  if (flags.out === "-") return { text: inSections(report), data: report };
  const name = `swarm-bug-report-${dayAndTime(now)}.${flags.json ? "json" : "txt"}`;
  const path = flags.out ? resolve(call.cwd, flags.out) : reportPath(call.paths, name);
  const content = flags.json ? JSON.stringify(report, null, 2) : inSections(report);
  const isNew = inDirectory(dirname(path), () => createFile(path, `${content}\n`));
  if (!isNew) throw badCall(`${path} is there already; --out names another file`);
  return {
    text: `${path}\nSecrets and messages are left out. Read it before you send it: names of teams, agents and directories are in it.`,
    data: { path },
  };
}

type Report = ReturnType<typeof collect>;

function collect(call: BugCall, version: string) {
  const { findings, fired, errors, clients, files } = examine(call);
  return {
    versions: {
      swarm: version,
      node: call.nodeVersion,
      clients: [...new Set(clients)].sort(),
      system: call.system,
    },
    // Names alone: their values may be anything.
    processEnvironment: Object.keys(call.env)
      .filter((name) => /^(CLAUDE|SWARM|ATM|TMUX|KITTY|NODE|NO_COLOR|TMPDIR)/.test(name))
      .sort(),
    findings: findings.map((one) => ({ ...one, evidence: one.evidence.map(withoutQuotes) })),
    settings: settingsOf(call.loaded),
    events: fired.map((one) => ({ ...timesOf(one), last: one.last.toISOString() })),
    // By name: a line may hold more than these.
    errors: errors.slice(-MOST_ERRORS).map(({ at, event, feature, error, where }) => {
      return { at, event, feature, error: withoutQuotes(String(error)), where };
    }),
    decisions: decisionsOf(call.paths, call.now),
    files: sizesOf(files),
  };
}

/** Numbers and switches are shown; of anything that can hold text only that it is set. */
function settingsOf({ values, sources }: LoadedSettings): Record<string, string> {
  const shownOf = (name: string) => shown(values[name as keyof typeof values]);
  return Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [name, `${shownOf(name)} (${source})`]),
  );
}

function shown(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === "string" ? `text of ${value.length} characters` : "set";
}

/** How often each rule decided today, without what it decided about. */
function decisionsOf(paths: Paths, now: Date): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { what, feature, rule } of readJournal(paths, dayOf(now)).filter(isDecision)) {
    const name = [feature, what, rule].filter(Boolean).join(" ");
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function sizesOf(files: readonly StateFile[]) {
  const sizes: Record<string, { files: number; bytes: number }> = {};
  for (const { name, size } of files.filter(({ isDirectory }) => !isDirectory)) {
    const kind = kindOf(name)?.name ?? "other";
    const one = sizes[kind] ?? { files: 0, bytes: 0 };
    sizes[kind] = { files: one.files + 1, bytes: one.bytes + size };
  }
  return sizes;
}

const LEAST_SECRET = 6;

function cleaned({ env, paths: { home } }: BugCall, report: Report): Report {
  const secret = /key|token|secret|passw|credential|auth(?!or(?!i[sz]))/i; // not GIT_AUTHOR_NAME
  const known = Object.entries(env).flatMap(([name, value]) =>
    secret.test(name) && value && value.length >= LEAST_SECRET ? [value] : [],
  );
  const shortened = (text: string) => (home === "/" ? text : text.replaceAll(home, "~"));
  return deeply(report, (text) => withoutSecrets(shortened(text), known)) as Report;
}

function deeply(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((one) => deeply(one, clean));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [clean(name), deeply(one, clean)]));
}

function inSections(report: Report): string {
  const section = (title: string, lines: readonly string[]) =>
    [`## ${title}`, "", ...(lines.length > 0 ? lines : ["nothing"]), ""].join("\n");
  const table = (rows: object) => Object.entries(rows).map(([name, value]) => `${name}: ${toText(value)}`);
  return [
    section("Versions", table(report.versions)),
    section("Findings", report.findings.map(inWords)),
    section("Settings that are not the default", table(report.settings)),
    section("Events", table(Object.fromEntries(report.events.map(({ event, ...times }) => [event, times])))),
    section("The newest errors", report.errors.map(toText)),
    section("Decisions today", table(report.decisions)),
    section("Files", table(report.files)),
    section("Variables that are set", report.processEnvironment),
  ].join("\n");
}

// Removes what looks like a secret or was quoted from a file. Too much rather than too little: the reader can ask.
const GONE = "[removed]";

const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}/g,
  /\b(?:gh[opusr]_|github_pat_|glpat-|xox[a-z]-|npm_|hf_)[A-Za-z0-9_-]{8,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g,
  /(?<=\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{6,}/gi,
  /(?<=:\/\/)[^\s/@:]+:[^\s/@]+(?=@)/g,
  /(?<=\b[\w-]*(?:password|passwd|secret|token|api[_-]?key|credential|authorization)[\w-]*["']?\s*[=:]\s*["']?)[^\s"',;]+/gi,
];

/** A session's id, and the name of a file that was set aside. */
const HARMLESS = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|corrupt-[\dTZ-]+)$/i;
/** Long, with letters and digits: a key, a hash or a token. */
const LONG = /(?<![\w+-])(?=[\w+-]*\d)(?=[\w+-]*[A-Za-z])[\w+-]{32,}={0,2}(?![\w+-])/g;

/** `known` are values that are secret because of where they stand. */
export function withoutSecrets(text: string, known: readonly string[] = []): string {
  const longestFirst = [...known].sort((a, b) => b.length - a.length); // one may begin with another
  const blunt = longestFirst.reduce((rest, value) => rest.replaceAll(value, GONE), text);
  return SECRETS.reduce((rest, pattern) => rest.replace(pattern, GONE), blunt).replace(LONG, (found) =>
    HARMLESS.test(found) ? found : GONE,
  );
}

/** An error's first line without what it quotes: parsers like to show a piece of the file they could not read. */
export const withoutQuotes = (error: string): string =>
  (error.split("\n")[0] ?? "")
    .replace(/"(?:[^"\\]|\\.)*"?/g, `"${GONE}"`)
    .replace(/(?<!\w)'([^']*)'/g, (whole, inner) => (/^[\w$.#-]{2,40}$/.test(inner) ? whole : `'${GONE}'`))
    .replace(/`([^`]*)`/g, (whole, inner) => (/^[\w $.<>=-]{1,60}$/.test(inner) ? whole : `\`${GONE}\``));
