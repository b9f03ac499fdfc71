import { version } from "../../package.json";
import { command } from "../cli/command.ts";
import {
  bugReportVerb,
  configVerb,
  demo,
  doctorVerb,
  explainVerb,
  gcVerb,
  journalVerb,
  reportVerb,
} from "./verbs.ts" with { loading: "lazy" };

// The code of the verbs is a lazy part, which takes only types from here.
export const DEMO_FLAGS = { keep: "switch" } as const;
export const JOURNAL_FLAGS = { day: "text", last: "text", "session-id": "text", denied: "switch" } as const;
export const REPORT_FLAGS = {
  team: "text",
  since: "text",
  out: "text",
  all: "switch",
  "session-id": "text",
} as const;
export const EXPLAIN_FLAGS = { "session-id": "text" } as const;
export const DOCTOR_FLAGS = { fix: "switch", yes: "switch" } as const;
export const GC_FLAGS = { yes: "switch", days: "text", all: "switch" } as const;
export const BUG_REPORT_FLAGS = { out: "text" } as const;

export const commands = [
  command({
    name: "demo",
    summary: "a day of a lead and two teammates, in a temporary home",
    usage: `swarm demo [--keep]
A day of a lead and two teammates in a temporary home: every step is a real hook script or verb, shown with
what went in, what came out and how long it took. --keep keeps the home.`,
    flags: DEMO_FLAGS,
    run: demo,
  }),
  command({
    name: "journal",
    summary: "what was decided, and what happened",
    usage: `swarm journal [--day YYYY-MM-DD] [--last N] [--session-id ID] [--denied]
What was decided and what happened: the last 20 lines of today, oldest first.`,
    flags: JOURNAL_FLAGS,
    sessionId: "data",
    run: journalVerb,
  }),
  command({
    name: "report",
    summary: "one HTML page of what happened: states, messages, tasks, decisions",
    usage: `swarm report [--team TEAM | --all] [--since 8h|3d|2026-02-20] [--out FILE]
One HTML file of what happened: states as a picture, messages, tasks, decisions, context. It needs no network and holds the messages' texts.
--since counts back from now (m, h, d, w) or names a day or a time; usually 24h.
It goes to ~/.claude/swarm/reports, for you alone; --out FILE writes it elsewhere, --out - prints it.`,
    flags: REPORT_FLAGS,
    run: reportVerb,
  }),
  command({
    name: "explain",
    summary: "why something was denied, asked or warned about, and what changes it",
    usage: `swarm explain [ID|last] [--session-id ID]
Why something was denied, asked or warned about: what was asked for, the rule, the reason, and what changes it.
last is the newest decision of the calling session, or of any session when called from a plain terminal.`,
    flags: EXPLAIN_FLAGS,
    sessionId: "subject",
    words: 1,
    run: explainVerb,
  }),
  command({
    name: "doctor",
    summary: "checks the installation: what was found, and what to do about it",
    usage: `swarm doctor [--fix [--yes]]
Versions, events and their times, settings, files, teams and the guard: what was found, what shows it, what to do.
--fix lists the abandoned locks, damaged and half-written files it would remove, and asks; --yes answers for you. Exit code 1 when something is bad.`,
    flags: DOCTOR_FLAGS,
    run: doctorVerb,
  }),
  command({
    name: "gc",
    summary: "lists old orphaned files, and removes them with --yes",
    usage: `swarm gc [--days N | --all] [--yes]
Files older than gc.keep_days (or N days) that nothing needs: journal days, files of ended sessions, damaged files, archived teams.
It lists them and asks; without a terminal it removes nothing unless --yes is given.
--all is for an uninstall: everything Swarm keeps, and what it put into your settings; never unread mail or a team that may run.`,
    flags: GC_FLAGS,
    run: gcVerb,
  }),
  command({
    name: "bug-report",
    summary: "what a report of a fault needs, without secrets and messages",
    usage: `swarm bug-report [--out FILE] [--json]
What a report of a fault needs in one file: findings, versions, settings, times and errors. Secrets and messages are left out.
It goes to ~/.claude/swarm/reports, for you alone; --out FILE writes it elsewhere, --out - prints it.`,
    flags: BUG_REPORT_FLAGS,
    run: (call) => bugReportVerb(call, version),
  }),
  command({
    name: "config",
    summary: "every setting, its value and where it comes from",
    usage: `swarm config [KEY]
Every setting with its value, where it comes from and what it does; then what is wrong in the files.`,
    words: 1,
    run: configVerb,
  }),
];
