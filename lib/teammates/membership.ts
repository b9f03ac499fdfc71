// Which team a session belongs to, where its own events and commands look for it.
import type { Paths } from "../core/paths.ts";
import { type SessionRecord, updateSession } from "../sessions/store/sessions.ts";
import { readProcess, writeProcess } from "../system/processes.ts";

interface Mailbox {
  team: string;
  agent: string;
  isLead: boolean;
}

/** The session knows who it is from now on, also after a resume; its process too, for the session after `/clear`. */
export function adopt(paths: Paths, session: string, mailbox: Mailbox, now: Date): void {
  const record = updateSession(paths, { session }, (stored) => ({
    ...(stored ?? blankRecord(session, now)),
    ...mailbox,
    kind: mailbox.isLead ? "lead" : "named",
    evidence: [mailbox.isLead ? "swarm create" : "swarm join"],
  }));
  tellProcess(paths, record, mailbox);
}

/** The session belongs to nobody's team again. */
export function release(paths: Paths, session: string, team: string): void {
  const record = updateSession(paths, { session }, (stored) =>
    stored && stored.team === team
      ? { ...stored, team: undefined, agent: undefined, isLead: undefined, kind: "solo" }
      : undefined,
  );
  tellProcess(paths, record, { team: undefined, agent: undefined });
}

function tellProcess(
  paths: Paths,
  record: SessionRecord | undefined,
  { team, agent }: { team: string | undefined; agent: string | undefined },
): void {
  const known = record?.pid ? readProcess(paths, record.pid) : undefined;
  if (known && known.session === record?.session) writeProcess(paths, { ...known, team, agent });
}

const blankRecord = (session: string, now: Date): SessionRecord => ({
  session,
  state: "active",
  status: "working",
  startedAt: now.toISOString(),
  lastSeen: now.toISOString(),
});
