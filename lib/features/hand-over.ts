// Seed 000's known limitation, solved: a team whose lead is proven dead gets a new one, and only then. Whoever is
// refused sees the evidence; whoever insists is written down.
import { plainLine } from "../parse/plain.ts";
import { badCall, type Call } from "../run/command.ts";
import { LEAD, PERSON } from "../run/identity.ts";
import { appendMessage } from "../store/inbox.ts";
import { appendJournal, newId } from "../store/journal.ts";
import { lifeOfSession } from "../store/lead.ts";
import { isNative } from "../store/native-teams.ts";
import { type Places, whyNotSegment } from "../store/paths.ts";
import { readSessions } from "../store/sessions.ts";
import { isLeadMember, listTeams, readTeam, updateTeam } from "../store/team.ts";
import { type Claim, factsOf, isHeld, whyNotLead, withLead } from "./hand-over/claim.ts";

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
export function takeLead(places: Places, claim: Claim): HandOver {
  const { team, session, force, now } = claim;
  const bad = whyNotSegment(session);
  if (bad) throw new Error(`the session id ${bad}`);
  if (isNative(team)) throw new Error(`${team} is the client's own team; the client alone says who leads it`);
  if (!readTeam(places, team)) throw new Error(whyNoTeam(places, team)); // an update would make its directory
  let done: HandOver | undefined;
  let refusal: string | undefined;
  updateTeam(places, team, (stored) => {
    if (!stored) throw new Error(whyNoTeam(places, team));
    const facts = factsOf(places, stored, claim);
    refusal = whyNotLead(facts);
    if (refusal) return undefined;
    const { leadSessionId: before } = stored;
    const isForced = force && isHeld(facts);
    done = { team, session, before, evidence: facts.leadEvidence, isForced, isNew: facts.lead !== "self" };
    return { ...stored, leadSessionId: session, members: withLead(places, stored, session, now) };
  });
  if (!done) {
    record(places, claim, "lead-refused", { reason: refusal });
    throw new Error(
      `${refusal}\nIf you know better: swarm lead take ${team} --force (it is written to the journal)`,
    );
  }
  if (done.isNew) announce(places, done, now);
  record(places, claim, "lead-taken", { ...done });
  return done;
}

function announce(places: Places, { team, session }: HandOver, now: Date): void {
  const config = readTeam(places, team);
  for (const member of config?.members ?? []) {
    if (!config || isLeadMember(config, member) || whyNotSegment(member.name)) continue;
    appendMessage(places, team, member.name, {
      id: newId(now),
      from: LEAD,
      text: `Team-lead has rejoined the team, in session ${session}. Messages to ${LEAD} are read again.`,
      timestamp: now.toISOString(),
      read: false,
      kind: "system",
    });
  }
}

function record(places: Places, claim: Claim, what: string, details: Record<string, unknown>): void {
  appendJournal(places, claim.now, {
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

const whyNoTeam = (places: Places, team: string) => {
  const known = listTeams(places).filter((one) => !isNative(one));
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
  const done = takeLead(call.places, {
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

function show({ places }: Call<Flags>, name: string) {
  const team = readTeam(places, name);
  if (!team) throw new Error(whyNoTeam(places, name));
  const { leadSessionId } = team;
  const life = leadSessionId ? lifeOfSession(places, leadSessionId, team) : undefined;
  return {
    text: plainLine(
      life ? `${name} is led by session ${leadSessionId}: ${life.evidence}` : `nobody leads ${name}`,
    ),
    data: { team: name, leadSessionId, life: life?.is, evidence: life?.evidence },
  };
}

/** `--session-id`, the client's environment, or `CLAUDE_SESSION_ID`, which may be a spawn wrapper's name for it. */
export function askingSession(call: Pick<Call<Flags>, "session" | "wrapperId" | "places">): string {
  if (call.session) return call.session;
  if (!call.wrapperId)
    throw badCall("which session? give --session-id, or call this from a session of the client");
  const known = readSessions(call.places).filter((one) => one.wrapper === call.wrapperId && !one.endedAt);
  const newest = known.sort((a, b) => a.lastSeen.localeCompare(b.lastSeen)).at(-1);
  return newest?.session ?? call.wrapperId;
}
