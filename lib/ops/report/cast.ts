// Who spoke a line: sessions and voices by the name others use for them, whatever the line itself carries.

import type { JournalLine } from "../../core/journal.ts";
import { inProcessName } from "../../hook/identity.ts";
import { shortened } from "./entries.ts";

export interface Speaker {
  team?: string;
  name?: string;
}

/** By session id; a later line about the same session adds to an earlier one. */
export type Cast = ReadonlyMap<string, Speaker>;

interface Known {
  session: string;
  team?: string;
  agent?: string;
}

export function castOf(records: readonly Known[], lines: readonly JournalLine[]): Cast {
  const cast = new Map<string, Speaker>();
  const add = (session: string, team: unknown, name: unknown) =>
    cast.set(session, { ...cast.get(session), ...texts({ team, name }) });
  for (const { session, team, agent } of records) add(session, team, agent);
  for (const line of lines)
    if (line.agent === "main" && (line["name"] || line["team"]) && line.feature === "sessions")
      add(line.session, line["team"], line["name"]);
  return cast;
}

const texts = (given: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === "string" && value !== ""));

/** Some lines are about somebody else than the one who wrote them. */
const ABOUT_OTHERS = new Set(["member-crashed", "member-state"]);

export function speakerOf(line: JournalLine, cast: Cast): Speaker {
  const session = cast.get(line.session);
  const team = String(line["team"] ?? line["list"] ?? session?.team ?? "") || undefined;
  if (ABOUT_OTHERS.has(line.what)) return { team, name: String(line["name"] ?? "") || undefined };
  if (line.event === "command" || line.what === "member-ended") return { team, name: line.agent };
  return { team, name: inProcessName(line.agent) ?? session?.name };
}

/** The name on the page: plain inside one team, with the team where several meet. */
export function labelOf({ team, name }: Speaker, session: string, isOneTeam: boolean): string {
  const own = shortened(name, 60) || shortened(session.slice(0, 8)) || "you";
  return isOneTeam || !name || !team ? own : `${own}@${shortened(team, 60)}`;
}

/** A subagent's states are not those of the session it works in. */
export const isSubagent = ({ event, agent, what }: JournalLine): boolean =>
  event !== "command" && agent !== "main" && what !== "member-ended" && inProcessName(agent) === undefined;
