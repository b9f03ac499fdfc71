// `swarm suspend` and `swarm kill`: members end, everything they have stays.

import { badCall, type Call } from "../cli/command.ts";
import { whyNotSegment } from "../core/paths.ts";
import { plainLine } from "../core/text.ts";
import { buryInbox } from "../mail/store/removal.ts";
import { isLead, type Member, memberOf, type Team, updateTeam } from "../teams/store/config.ts";
import { type Ended, endedText, endMembers } from "./ending.ts";
import { policyOf, whyMayNotManage } from "./lead.ts";
import { isSpawned, suspended, withMember, withoutMember } from "./roster.ts";
import { teamNameOf, teamOf } from "./team-of.ts";

export const SUSPEND_FLAGS = {
  team: { type: "string" },
  "session-id": { type: "string" },
  /** By the lead's SessionEnd: only if that session still leads. */
  ended: { type: "string" },
} as const;
type SuspendCall = Call<typeof SUSPEND_FLAGS>;

export function suspendVerb(call: SuspendCall) {
  const name = teamNameOf(call, call.words[0]);
  const team = teamOf(call, name);
  if (call.flags.ended && team.leadSessionId !== call.flags.ended)
    return { text: `${name} has another lead by now; nothing done`, data: { team: name, done: false } };
  refuseStrangers(call, name);
  const already = team.status === "suspended";
  if (!already) markSuspended(call, name); // first, so that nobody starts while the others end
  const ended = endMembers(name, teammatesOf(team));
  const what = already ? "was suspended already" : `is suspended; \`swarm resume ${name}\` wakes it`;
  const text = [`team ${name} ${what}`, endedText(ended)].filter(Boolean).join("\n");
  return { text, data: { team: name, ended } };
}

/** Longer than a lock that was left behind can last: nobody waits for the helper that the lead's end started. */
const MARK_WAIT_MS = 15_000;

function markSuspended(call: SuspendCall, name: string): void {
  const goesOn = call.identity.isLead && call.identity.team === name && !call.flags.ended;
  updateTeam(
    call.paths,
    name,
    (stored) => stored && suspended(stored, call.now.toISOString(), goesOn ? call.identity.agent : undefined),
    { waitMs: MARK_WAIT_MS },
  );
}

export function refuseStrangers(call: Pick<SuspendCall, "identity" | "loaded">, team: string): void {
  const refusal = whyMayNotManage(call.identity, team, policyOf(call.loaded.values.team, team));
  if (refusal) throw new Error(refusal);
}

export const teammatesOf = (team: Team): Member[] => team.members.filter((member) => !isLead(team, member));

export const KILL_FLAGS = {
  team: { type: "string" },
  all: { type: "boolean" },
  "session-id": { type: "string" },
} as const;

const KILL_GRACE_MS = 2_000;

type KillCall = Call<typeof KILL_FLAGS>;

export function killVerb(call: KillCall) {
  const name = teamNameOf(call);
  const team = teamOf(call, name);
  refuseStrangers(call, name);
  const members = call.flags.all ? teammatesOf(team) : call.words.map((word) => wanted(team, name, word));
  if (members.length === 0)
    throw badCall(call.flags.all ? `${name} has no teammates` : "whom? name a teammate, or --all");
  const ended = endMembers(name, members, KILL_GRACE_MS);
  const done = ended.map((one) => takenOff(call, name, one, members) ?? one);
  for (const { name: agent, how } of ended) if (how === "ended") markOffline(call, name, agent);
  return { text: endedText(done), data: { team: name, ended: done } };
}

/** Whom we did not start we cannot bring back: the dead leave the team, and who wrote to them learns that nobody read it. */
function takenOff(call: KillCall, team: string, ended: Ended, members: Member[]): Ended | undefined {
  const member = members.find((one) => one.name === ended.name);
  if (ended.how !== "was not running") return undefined;
  if (!member || isSpawned(member)) {
    markOffline(call, team, ended.name);
    return undefined;
  }
  updateTeam(call.paths, team, (stored) => stored && withoutMember(stored, ended.name));
  const dead = whyNotSegment(ended.name) ? 0 : buryInbox(call.paths, team, ended.name);
  const letters =
    dead === 1 ? "1 unread message is a dead letter" : `${dead} unread messages are dead letters`;
  return { ...ended, why: dead > 0 ? `taken off the team; ${letters}` : "taken off the team" };
}

function wanted(team: Team, name: string, word: string): Member {
  const member = memberOf(team, word);
  const names = teammatesOf(team).map((one) => plainLine(one.name));
  if (!member)
    throw new Error(`there is no ${word} in ${name}; there are ${names.join(", ") || "no teammates"}`);
  if (isLead(team, member))
    throw new Error("the lead is not ended by this; `swarm suspend` ends everyone else");
  return member;
}

const markOffline = (call: KillCall, team: string, agent: string) =>
  updateTeam(call.paths, team, (stored) => stored && withMember(stored, { name: agent, status: "offline" }));
