// Which team a session belongs to, where its own events and commands look for it.
import type { Places } from "../../store/paths.ts";
import { readProcess, writeProcess } from "../../store/processes.ts";
import { type SessionRecord, updateSession } from "../../store/sessions.ts";

interface Seat {
  team: string;
  agent: string;
  isLead: boolean;
}

/** The session knows who it is from now on, also after a resume; its process too, for the session after `/clear`. */
export function adopt(places: Places, session: string, seat: Seat, now: Date): void {
  const record = updateSession(places, { session }, (stored) => ({
    ...(stored ?? blankRecord(session, now)),
    ...seat,
    kind: seat.isLead ? "lead" : "named",
    evidence: [seat.isLead ? "swarm create" : "swarm join"],
  }));
  tellProcess(places, record, seat);
}

/** The session belongs to nobody's team again. */
export function release(places: Places, session: string, team: string): void {
  const record = updateSession(places, { session }, (stored) =>
    stored && stored.team === team
      ? { ...stored, team: undefined, agent: undefined, isLead: undefined, kind: "solo" }
      : undefined,
  );
  tellProcess(places, record, { team: undefined, agent: undefined });
}

function tellProcess(
  places: Places,
  record: SessionRecord | undefined,
  { team, agent }: { team: string | undefined; agent: string | undefined },
): void {
  const known = record?.pid ? readProcess(places, record.pid) : undefined;
  if (known && known.session === record?.session) writeProcess(places, { ...known, team, agent });
}

const blankRecord = (session: string, now: Date): SessionRecord => ({
  session,
  state: "active",
  status: "working",
  startedAt: now.toISOString(),
  lastSeen: now.toISOString(),
});
