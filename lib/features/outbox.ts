// `swarm outbox`: what became of the messages one sent: queued, claimed, shown, answered, or a dead letter.
import { isExpired, type Message, stateOf } from "../parse/message.ts";
import { visible } from "../parse/xml.ts";
import { badCall, type Call } from "../run/command.ts";
import { LEAD } from "../run/identity.ts";
import { readArchive } from "../store/archive.ts";
import { readInbox } from "../store/inbox.ts";
import { namesIn } from "../store/list-directory.ts";
import { archiveDir, inboxesDir } from "../store/paths.ts";
import { readRoster } from "../store/roster.ts";

type Flags = { all: { type: "boolean" } } & Record<"team" | "agent" | "session-id", { type: "string" }>;

const USUAL_LINES = 30;
const LONGEST_LINE = 80;

export function outboxVerb(call: Call<Flags>) {
  const team = call.flags.team ?? call.identity.team;
  const from = call.flags.agent ?? call.identity.agent;
  if (!team || !from) throw badCall("whose outbox? --team TEAM --agent NAME");
  const members = new Set([LEAD, ...(readRoster(call.places, team)?.members ?? []).map(({ name }) => name)]);
  const rows = readersOf(call, team)
    .flatMap((to) => sentTo(call, team, from, to, members.has(to)))
    .sort((a, b) => a.timestamp.localeCompare(b.timestamp));
  const shown = call.flags.all ? rows : rows.slice(-USUAL_LINES);
  const lines = shown.map(
    (row) =>
      `${row.id}  ${row.timestamp}  to ${row.to}  ${row.state}${row.reason ? ` (${visible(row.reason)})` : ""}  ${row.text}`,
  );
  if (rows.length > shown.length) lines.unshift(`(${rows.length - shown.length} older; --all shows them)`);
  return { text: lines.join("\n") || "nothing sent yet", data: shown };
}

function readersOf({ places }: Call<Flags>, team: string): string[] {
  const named = (directory: string, ending: string) =>
    namesIn(directory).flatMap((name) => (name.endsWith(ending) ? name.slice(0, -ending.length) : []));
  // A member that was taken off the team has only an archive left.
  return [
    ...new Set([...named(inboxesDir(places, team), ".json"), ...named(archiveDir(places, team), ".jsonl")]),
  ];
}

function sentTo(call: Call<Flags>, team: string, from: string, to: string, isMember: boolean) {
  const mail = [...readArchive(call.places, team, to), ...readInbox(call.places, team, to)];
  return mail
    .filter((message) => message.from === from)
    .map((message) => ({
      id: message.id,
      timestamp: message.timestamp,
      to,
      state: seenBySender(call, message, isMember),
      ...(typeof message["reason"] === "string" ? { reason: message["reason"] } : {}),
      text: firstLine(message.text),
    }));
}

/** What nobody will read any more is dead for its sender, also while it still lies in the inbox. */
function seenBySender(call: Call<Flags>, message: Message, isMember: boolean): string {
  const state = stateOf(message, call.now);
  const isLost = !isMember || isExpired(message, call.now, call.loaded.values["mail.retention_days"]);
  return state === "queued" && isLost ? "dead" : state;
}

function firstLine(text: string): string {
  const line = visible(text).split("\n")[0] ?? "";
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}
