// `swarm report`: what a team did, as one self-contained HTML page; text of agents is escaped everywhere.

import { resolve } from "node:path";
import { badCall, type Call } from "../../cli/command.ts";
import { sinceOf } from "../../cli/since.ts";
import { readHead, writeWhole } from "../../core/files.ts";
import { whyNotSegment } from "../../core/paths.ts";
import { counted } from "../../core/text.ts";
import { readTeam } from "../../teams/store/config.ts";
import type { REPORT_FLAGS } from "../commands.ts";
import { reportPath } from "../store/state-files.ts";
import { gather, type Story } from "./gather.ts";
import { clock } from "./html.ts";
import { MARK, page } from "./page.ts";

type ReportCall = Call<typeof REPORT_FLAGS>;

export function reportVerb(call: ReportCall) {
  const { flags, now } = call;
  if (flags.all && flags.team) throw badCall("--all and --team exclude each other");
  const team = teamOf(call);
  const story = gather(call, team, sinceOf(flags.since, now));
  const html = page(story);
  if (flags.out === "-") return { text: html };
  const path = flags.out ? resolve(call.cwd, flags.out) : reportPath(call.paths, usualName(story));
  const head = readHead(path, 200)?.text;
  if (head !== undefined && !head.includes(MARK))
    throw badCall(`${path} is there and is no report; --out names another file`);
  writeWhole(path, html);
  const { lanes, entries, tasks } = story;
  const counts = { agents: lanes.length, entries: entries.length, tasks: tasks.length };
  const sum = `${counted(counts.agents, "agent")}, ${counted(counts.entries, "entry", "entries")}, ${counted(counts.tasks, "task")}`;
  return {
    text: `${path}\n${sum}. Open it in a browser; it contains the text of the messages.`,
    data: { path, ...counts },
  };
}

/** A file's name may have 100 bytes. */
const LONGEST_BYTES = 70;

function usualName({ title, to, zone }: Story): string {
  const bytes = Buffer.from(title.replaceAll(" ", "-")).subarray(0, LONGEST_BYTES);
  return `swarm-report-${bytes.toString().replace(/\ufffd+$/, "")}-${clock(to, zone).day}.html`;
}

/** The team that was named, else the caller's own where it is there, else everything on this machine. */
function teamOf({ flags, paths, identity }: ReportCall): string | undefined {
  const name = flags.all ? undefined : (flags.team ?? identity.team);
  return name && !whyNotSegment(name) && readTeam(paths, name) ? name : undefined;
}
