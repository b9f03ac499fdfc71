// `swarm journal`: every decision can be looked up afterwards.
import { badCall, type Call } from "../cli/command.ts";
import { dayOf, findInJournal, type JournalLine, readJournal } from "../core/journal.ts";
import { type Paths, personalSettingsPath } from "../core/paths.ts";
import { plainLines, plainText } from "../core/text.ts";
import { type Advice, adviceFor } from "./advice.ts";
import type { EXPLAIN_FLAGS, JOURNAL_FLAGS } from "./commands.ts";

const USUAL_LINES = "20";

export function journalVerb({ flags, paths, now }: Call<typeof JOURNAL_FLAGS>) {
  const day = flags.day ?? dayOf(now);
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw badCall("--day is a date like 2026-02-20");
  const last = Number(flags.last ?? USUAL_LINES);
  if (!Number.isSafeInteger(last) || last < 1) throw badCall("--last is a number of lines");
  const lines = readJournal(paths, day)
    .filter((line) => !flags["session-id"] || line.session === flags["session-id"])
    .filter((line) => !flags.denied || line.what === "deny" || line.what === "ask")
    .slice(-last);
  return { text: plainLines(lines.map(asText)) || `No entries on ${day}.`, data: lines };
}

function asText({ id, at, event, session, agent, feature, what, ...details }: JournalLine): string {
  const rest = Object.entries(details)
    .flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : `${name}=${JSON.stringify(value)}`,
    )
    .join(" ");
  return `${at}  ${id}  ${event}  ${session.slice(0, 8)}/${agent}  ${feature}: ${what}  ${rest}`.trimEnd();
}

// `swarm explain`: a past decision from the journal: what was asked for, the rule, the reason, and what changes it.
type ExplainCall = Call<typeof EXPLAIN_FLAGS>;

const DECISIONS = new Set(["deny", "ask", "warn"]);
const DAYS_BACK = 14;
const DAY_MS = 24 * 60 * 60_000;

export function explainVerb(call: ExplainCall) {
  const asked = call.words[0] ?? "last";
  const line = asked === "last" ? lastDecision(call) : byId(call, asked);
  if (!line) throw new Error(whyNotFound(call, asked));
  const change = DECISIONS.has(line.what) ? adviceFor(line) : [];
  return { text: inWords(line, change, call.paths), data: { ...line, change } };
}

function whyNotFound({ session }: ExplainCall, asked: string): string {
  if (asked !== "last")
    return `the journal has no decision ${asked}; swarm journal --denied lists the newest`;
  const whose = session ? ` of session ${session}` : "";
  return `the journal has no decision${whose} in the last ${DAYS_BACK} days`;
}

/** The newest of the calling session; from a plain terminal, of any session. */
function lastDecision({ paths, now, session }: ExplainCall): JournalLine | undefined {
  for (let back = 0; back < DAYS_BACK; back++) {
    const day = dayOf(new Date(now.getTime() - back * DAY_MS));
    const found = readJournal(paths, day).findLast(
      (line) => DECISIONS.has(line.what) && (!session || line.session === session),
    );
    if (found) return found;
  }
  return undefined;
}

/** An id begins with its time, so its day is known. */
function byId({ paths }: ExplainCall, id: string): JournalLine | undefined {
  const at = new Date(Number.parseInt(id.split("-")[0] ?? "", 36));
  if (!/^[0-9a-z]+-[0-9a-z]+$/.test(id) || Number.isNaN(at.getTime()))
    throw badCall(`${JSON.stringify(id)} is no id of the journal; swarm journal shows them`);
  return findInJournal(paths, dayOf(at), id);
}

const KNOWN = new Set("id at event session agent feature what rule reason tool input".split(" "));

const VERDICTS: Record<string, string> = {
  deny: "denied",
  ask: "left to the person",
  warn: "allowed, with a warning",
  spawn: "allowed",
};

function inWords(line: JournalLine, change: readonly Advice[], paths: Paths): string {
  const { id, at, event, session, agent, feature, what, rule, reason, tool, input } = line;
  const others = Object.entries(line).filter(([name, value]) => !KNOWN.has(name) && value !== undefined);
  const rows = [
    ["decision", `${id}: ${VERDICTS[what] ?? what}`],
    ["when", `${at}, at ${event}`],
    ["who", `${agent} of session ${session}`],
    ["feature", feature],
    ["rule", rule],
    ["asked for", [tool, input].filter(Boolean).join(" ")],
    ...others.map(([name, value]) => [name, JSON.stringify(value)]),
  ];
  const width = Math.max(...rows.map(([name]) => String(name).length));
  return [
    plainLines(rows.flatMap(([name, value]) => (value ? `${String(name).padEnd(width)}  ${value}` : []))),
    ...(reason ? ["", "reason:", ...plainText(String(reason)).split("\n").map(indented)] : []),
    ...(change.length > 0 ? ["", `to change it (settings belong into ${personalSettingsPath(paths)}):`] : []),
    ...change.flatMap(({ does, toml, run = "" }) =>
      [`# ${does}`, ...(toml ?? run).split("\n"), ""].map((one) => indented(plainText(one))),
    ),
  ]
    .join("\n")
    .trimEnd();
}

const indented = (text: string) => `  ${text}`.trimEnd();
