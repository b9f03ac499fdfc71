// `swarm journal`: every decision can be looked up afterwards.

import { badCall, type Call } from "../cli/command.ts";
import { dayOf, type JournalLine, readJournal } from "../core/journal.ts";
import { plainLines } from "../core/text.ts";

type Flags = {
  day: { type: "string" };
  last: { type: "string" };
  session: { type: "string" };
  denied: { type: "boolean" };
};

const USUAL_LINES = "20";

export function journalVerb({ flags, paths, now }: Call<Flags>) {
  const day = flags.day ?? dayOf(now);
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw badCall("--day is a date like 2026-02-20");
  const last = Number(flags.last ?? USUAL_LINES);
  if (!Number.isSafeInteger(last) || last < 1) throw badCall("--last is a number of lines");
  const lines = readJournal(paths, day)
    .filter((line) => !flags.session || line.session === flags.session)
    .filter((line) => !flags.denied || line.what === "deny" || line.what === "ask")
    .slice(-last);
  return { text: plainLines(lines.map(asText)) || `nothing on ${day}`, data: lines };
}

function asText({ id, at, event, session, agent, feature, what, ...details }: JournalLine): string {
  const rest = Object.entries(details)
    .flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : `${name}=${JSON.stringify(value)}`,
    )
    .join(" ");
  return `${at}  ${id}  ${event}  ${session.slice(0, 8)}/${agent}  ${feature}: ${what}  ${rest}`.trimEnd();
}
