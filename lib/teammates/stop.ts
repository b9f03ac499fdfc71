// `swarm stop --all`: ends every client that swarm started, in all teams, and nothing else. Sessions that a person started or that
// joined by themselves are listed and left alone.
import { badCall, type Call } from "../cli/command.ts";
import { appendJournal } from "../core/journal.ts";
import { plainLines } from "../core/text.ts";
import { shownAs } from "../hook/identity.ts";
import { lifeOfRecord, readSessions } from "../sessions/store/sessions.ts";
import { isNative, listTeams, type Member, readTeam } from "../teams/store/config.ts";
import { teamPolicy, whyMayNotManage } from "./policy.ts";
import { isSpawned } from "./roster.ts";
import { type EndedMember, endMembers, isMemberRunning, KILL_GRACE_MS, markOffline } from "./suspend.ts";

export const STOP_FLAGS = { all: "switch", "dry-run": "switch", "session-id": "text" } as const;
type StopCall = Call<typeof STOP_FLAGS>;

interface Ours {
  team: string;
  members: Member[];
}

interface LeftAlone {
  name: string;
  why: string;
}

export function stopVerb(call: StopCall) {
  if (!call.flags.all || call.words.length > 0)
    throw badCall("--all ends every client that swarm started; `swarm kill NAME` ends one");
  const { ours, leftAlone } = clientsOf(call);
  if (call.flags["dry-run"]) return dryRun(ours, leftAlone);
  const ended = ours.flatMap(({ team, members }) =>
    endMembers(team, members, KILL_GRACE_MS).map((one) => noted(call, team, one)),
  );
  const resume = ours.map(({ team }) => `\`swarm resume ${team}\``).join(", ");
  const lines = [
    ...(ended.length === 0 ? ["no client runs that swarm started"] : []),
    ...ended.map(({ name, how, why }) => `${name}: ${how}${why ? ` (${why})` : ""}`),
    ...leftAloneLines(leftAlone),
    ...(ended.length > 0 ? [`${resume} brings them back`] : []),
  ];
  return { text: plainLines(lines), data: { ended, leftAlone } };
}

function dryRun(ours: readonly Ours[], leftAlone: readonly LeftAlone[]) {
  const wouldEnd = ours.flatMap(({ team, members }) =>
    members.map(({ name, pid }) => ({ name: `${name}@${team}`, pid: pid ?? null })),
  );
  const lines = [
    ...(wouldEnd.length === 0 ? ["no client runs that swarm started"] : ["would end"]),
    ...wouldEnd.map(({ name, pid }) => `  ${name}${pid ? ` (process ${pid})` : ""}`),
    ...leftAloneLines(leftAlone),
  ];
  return { text: plainLines(lines), data: { wouldEnd, leftAlone } };
}

const leftAloneLines = (leftAlone: readonly LeftAlone[]): string[] =>
  leftAlone.map(({ name, why }) => `left alone: ${name} (${why})`);

function noted(call: StopCall, team: string, one: EndedMember): EndedMember {
  const { paths, now, session, identity } = call;
  const name = `${one.name}@${team}`;
  if (one.how !== "left alone") markOffline(call, team, one.name);
  if (one.how === "ended")
    appendJournal(paths, now, {
      event: "command",
      session: session ?? "",
      agent: shownAs(identity, session, identity.team),
      feature: "teammates",
      what: "stopped",
      team,
      name: one.name,
    });
  return { ...one, name };
}

/** Whom swarm started and may end for this caller, and who else runs here. */
function clientsOf(call: StopCall): { ours: Ours[]; leftAlone: LeftAlone[] } {
  const ours: Ours[] = [];
  const leftAlone: LeftAlone[] = [];
  const known = new Set<string>();
  for (const team of listTeams(call.paths)) {
    const members = isNative(team) ? [] : (readTeam(call.paths, team)?.members ?? []);
    const spawned = members.filter((one) => isSpawned(one) && isMemberRunning(team, one));
    for (const { sessionId } of spawned) if (sessionId) known.add(sessionId);
    const refusal = whyMayNotManage(call.identity, team, teamPolicy(call.loaded.values.team, team));
    const own = spawned.filter(({ sessionId }) => sessionId !== undefined && sessionId === call.session);
    const others = spawned.filter((one) => !own.includes(one));
    if (!refusal && others.length > 0) ours.push({ team, members: others });
    for (const { name } of refusal ? spawned : own)
      leftAlone.push({ name: `${name}@${team}`, why: refusal ?? "it called this" });
  }
  const running = readSessions(call.paths).filter(
    (record) => !record.next && !known.has(record.session) && lifeOfRecord(record) === "alive",
  );
  for (const { agent, team, session } of running)
    leftAlone.push({
      name: agent ? `${agent}@${team ?? "-"}` : `session ${session.slice(0, 8)}`,
      why: "swarm did not start it",
    });
  return { ours, leftAlone };
}
