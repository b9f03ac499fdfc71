// Seed 000's known limitation, solved: a team whose lead is proven dead gets a new one, and only then. Whoever is
// refused sees the evidence; whoever insists is written down.

import { badCall, type Call } from "../cli/command.ts";
import { appendJournal, newId } from "../core/journal.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import { plainLine } from "../core/plain.ts";
import { LEAD, PERSON } from "../hook/identity.ts";
import { appendMessage } from "../mail/store/inbox.ts";
import { readSessions } from "../sessions/store/sessions.ts";
import { type Claim, factsOf, isHeld, whyNotLead, withLead } from "./lead-claim.ts";
import { lifeOfSession } from "./store/lead.ts";
import { isNative } from "./store/native-teams.ts";
import { isLeadMember, listTeams, readTeam, updateTeam } from "./store/team.ts";

export interface HandOver {
  team: string;
  session: string;
  /** The lead on record until now. */
  before: string | undefined;
  evidence: string;
  isForced: boolean;
  /** False where the session led already, or led under the id it had before `/clear`. */
  isNew: boolean;
}

/** Decided and written under the team's lock: of two that ask at once the second meets the first as a living lead. */
export function takeLead(paths: Paths, claim: Claim): HandOver {
  const { team, session, force, now } = claim;
  const bad = whyNotSegment(session);
  if (bad) throw new Error(`the session id ${bad}`);
  if (isNative(team)) throw new Error(`${team} is the client's own team; the client alone says who leads it`);
  if (!readTeam(paths, team)) throw new Error(whyNoTeam(paths, team)); // an update would make its directory
  let done: HandOver | undefined;
  let refusal: string | undefined;
  updateTeam(paths, team, (stored) => {
    if (!stored) throw new Error(whyNoTeam(paths, team));
    const facts = factsOf(paths, stored, claim);
    refusal = whyNotLead(facts);
    if (refusal) return undefined;
    const { leadSessionId: before } = stored;
    const isForced = force && isHeld(facts);
    done = { team, session, before, evidence: facts.leadEvidence, isForced, isNew: facts.lead !== "self" };
    return { ...stored, leadSessionId: session, members: withLead(paths, stored, session, now) };
  });
  if (!done) {
    record(paths, claim, "lead-refused", { reason: refusal });
    throw new Error(
      `${refusal}\nIf you know better: swarm lead take ${team} --force (it is written to the journal)`,
    );
  }
  if (done.isNew) announce(paths, done, now);
  record(paths, claim, "lead-taken", { ...done });
  return done;
}

function announce(paths: Paths, { team, session }: HandOver, now: Date): void {
  const config = readTeam(paths, team);
  for (const member of config?.members ?? []) {
    if (!config || isLeadMember(config, member) || whyNotSegment(member.name)) continue;
    appendMessage(paths, team, member.name, {
      id: newId(now),
      from: LEAD,
      text: `Team-lead has rejoined the team, in session ${session}. Messages to ${LEAD} are read again.`,
      timestamp: now.toISOString(),
      read: false,
      kind: "system",
    });
  }
}

function record(paths: Paths, claim: Claim, what: string, details: Record<string, unknown>): void {
  appendJournal(paths, claim.now, {
    id: newId(claim.now),
    at: claim.now.toISOString(),
    event: "command",
    session: claim.session,
    agent: claim.by ?? "main",
    feature: "hand-over",
    what,
    team: claim.team,
    ...details,
  });
}

const whyNoTeam = (paths: Paths, team: string) => {
  const known = listTeams(paths).filter((one) => !isNative(one));
  return `there is no team ${team}${known.length > 0 ? `; there are: ${known.join(", ")}` : ""}`;
};

type Flags = { force: { type: "boolean" }; "session-id": { type: "string" } };

export function leadVerb(call: Call<Flags>) {
  const [action = "show", named] = call.words;
  const team = named ?? call.identity.team ?? call.loaded.values["core.default_team"];
  if (!team) throw badCall("which team?");
  if (whyNotSegment(team)) throw badCall(`the team's name ${whyNotSegment(team)}`);
  if (action === "show") return show(call, team);
  if (action !== "take") throw badCall(`show or take, not ${JSON.stringify(action)}`);
  const done = takeLead(call.paths, {
    team,
    session: askingSession(call),
    as: otherMember(call, team),
    force: call.flags.force === true,
    now: call.now,
    by: call.identity.kind === "person" ? PERSON : undefined,
  });
  return { text: inWords(done), data: done };
}

const otherMember = ({ subject }: Call<Flags>, team: string): string | undefined =>
  subject.team === team && !subject.isLead ? subject.agent : undefined;

function inWords({ team, session, before, evidence, isForced, isNew }: HandOver): string {
  if (!isNew) return `session ${session} leads ${team}; it did before`;
  const how = isForced ? ", by force" : "";
  return `session ${session} leads ${team} now${how}${before ? ` (before: ${before}; ${evidence})` : ""}`;
}

function show({ paths }: Call<Flags>, name: string) {
  const team = readTeam(paths, name);
  if (!team) throw new Error(whyNoTeam(paths, name));
  const { leadSessionId } = team;
  const life = leadSessionId ? lifeOfSession(paths, leadSessionId, team) : undefined;
  return {
    text: plainLine(
      life ? `${name} is led by session ${leadSessionId}: ${life.evidence}` : `nobody leads ${name}`,
    ),
    data: { team: name, leadSessionId, life: life?.is, evidence: life?.evidence },
  };
}

/** `--session-id`, the client's processEnvironment, or `CLAUDE_SESSION_ID`, which may be a spawn wrapper's name for it. */
export function askingSession(call: Pick<Call<Flags>, "session" | "wrapperId" | "paths">): string {
  if (call.session) return call.session;
  if (!call.wrapperId)
    throw badCall("which session? give --session-id, or call this from a session of the client");
  const known = readSessions(call.paths).filter((one) => one.wrapper === call.wrapperId && !one.endedAt);
  const newest = known.sort((a, b) => a.lastSeen.localeCompare(b.lastSeen)).at(-1);
  return newest?.session ?? call.wrapperId;
}
