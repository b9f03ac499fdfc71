// `swarm outbox`: what became of the messages one sent: queued, claimed, shown, answered, or a dead letter.

import { badCall, type Call } from "../cli/command.ts";
import { namesIn } from "../core/files.ts";
import { archiveDir, inboxesDir } from "../core/paths.ts";
import { plainLines, plainText } from "../core/text.ts";
import { shownAs } from "../hook/identity.ts";
import { LEAD, readTeam } from "../teams/store/config.ts";
import { readArchive } from "./store/archive.ts";
import { readInbox } from "./store/inbox.ts";
import { type Message, stateOf } from "./store/message.ts";

type Flags = { all: { type: "boolean" } } & Record<"team" | "agent" | "session-id", { type: "string" }>;

const USUAL_LINES = 30;
const LONGEST_LINE = 80;

export function outboxVerb(call: Call<Flags>) {
  const team = call.flags.team ?? call.identity.team;
  if (!team) throw badCall("whose outbox? --team TEAM [--agent NAME]");
  const from = call.flags.agent ?? shownAs(call.identity, call.session, team);
  const members = new Set([LEAD, ...(readTeam(call.paths, team)?.members ?? []).map(({ name }) => name)]);
  const rows = readersOf(call, team)
    .flatMap((to) => sentTo(call, team, from, to, members.has(to)))
    .sort((a, b) => a.timestamp.localeCompare(b.timestamp));
  const shown = call.flags.all ? rows : rows.slice(-USUAL_LINES);
  const lines = shown.map((row) => `${row.id}  ${row.timestamp}  to ${row.to}  ${row.state}  ${row.text}`);
  if (rows.length > shown.length) lines.unshift(`(${rows.length - shown.length} older; --all shows them)`);
  return { text: plainLines(lines) || "nothing sent yet", data: shown };
}

function readersOf({ paths }: Call<Flags>, team: string): string[] {
  const named = (directory: string, ending: string) =>
    namesIn(directory).flatMap((name) => (name.endsWith(ending) ? name.slice(0, -ending.length) : []));
  // A member that was taken off the team has only an archive left.
  return [
    ...new Set([...named(inboxesDir(paths, team), ".json"), ...named(archiveDir(paths, team), ".jsonl")]),
  ];
}

function sentTo(call: Call<Flags>, team: string, from: string, to: string, isMember: boolean) {
  const mail = [...readArchive(call.paths, team, to), ...readInbox(call.paths, team, to)];
  return mail
    .filter((message) => message.from === from)
    .map((message) => ({
      id: message.id,
      timestamp: message.timestamp,
      to,
      state: seenBySender(call, message, isMember),
      text: firstLine(message.text),
    }));
}

/** What waits for somebody who is no member any more is dead for its sender. */
function seenBySender(call: Call<Flags>, message: Message, isMember: boolean): string {
  const state = stateOf(message, call.now);
  return state === "queued" && !isMember ? "dead" : state;
}

function firstLine(text: string): string {
  const line = plainText(text).split("\n")[0] ?? "";
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}
