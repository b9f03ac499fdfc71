// `swarm wake`: the line of seed 002, typed into the pane of a session that nothing else can wake. Only into a pane that
// is proven to hold that session's client: anybody else would read it as a command.
import { badCall, type Call } from "../cli/command.ts";
import { readSessions, type SessionRecord } from "../sessions/store/sessions.ts";
import { descendsFrom, lifeOf } from "../system/processes.ts";
import { processInPane, typeLine } from "../system/tmux.ts";
import { TRIGGER } from "./wake-summary.ts";

type Plain = Call<Record<never, never>>;

export function wakeVerb(call: Plain) {
  const asked = call.words[0];
  if (!asked) throw badCall("wake whom? an agent's name or a session's id");
  const record = sessionOf(call, asked);
  const why = whyNot(record);
  if (why) throw new Error(`${asked} cannot be woken: ${why}`);
  if (!typeLine(record.tmux ?? "", record.pane ?? "", TRIGGER)) throw new Error("tmux did not take the line");
  const { session, pane } = record;
  return { text: `woke ${session} in ${pane}`, data: { session, pane } };
}

function sessionOf(call: Plain, asked: string): SessionRecord {
  const open = readSessions(call.paths).filter((record) => !record.endedAt && !record.next);
  const found = open.filter(({ session, agent }) => agent === asked || session.startsWith(asked));
  const [only, another] = found;
  if (!only) throw new Error(`there is no running session ${asked}`);
  if (another) throw badCall(`${asked} could be ${found.map(({ session }) => session).join(" or ")}`);
  return only;
}

export function whyNot(record: SessionRecord): string | undefined {
  if (!record.tmux || !record.pane || !record.pid) return "it runs in no tmux pane";
  if (lifeOf({ pid: record.pid, startedAt: record.pidStartedAt }) === "gone") return "its process is gone";
  if (record.state !== "idle") return `it is busy (${record.state})`;
  const holder = processInPane(record.tmux, record.pane);
  if (!holder) return "its pane is gone";
  return descendsFrom(record.pid, holder) === false ? "its pane holds another program" : undefined;
}
