// A relayed team's truth for one verb: fetched before it begins, asked for every change it makes.

import { type Held, unlessLocked, withLock } from "../core/lock.ts";
import type { Paths } from "../core/paths.ts";
import type { Identity } from "../hook/context.ts";
import type { TaskAuthority } from "../tasks/store.ts";
import { isLead, isRemote, LEAD, readTeam, updateTeam } from "../teams/store/config.ts";
import { type Bridge, openBridge } from "./bridge.ts";
import { ageOf, type Clock } from "./clock.ts";
import { applyTasks, applyTeam, isDeposing, type Local, type Seen, seenIn } from "./mirror.ts";
import { KEYS } from "./names.ts";
import type { Calling } from "./start.ts";
import { isTakingLead, relayPath } from "./store/paths.ts";
import { type CourierStatus, type Relay, readRelay, readStatus } from "./store/relay.ts";

interface Open {
  bridge: Bridge;
  relay: Relay;
  here: Local;
  /** The relay's present state. */
  read: () => SeenNow;
  /** Copied into the local files, too. */
  refresh: () => SeenNow;
}

type SeenNow = Seen & Clock;

function withBridge<T>({ paths, ownRoot }: Calling, team: string, work: (open: Open) => T): T {
  const relay = readRelay(paths, team);
  if (!relay)
    throw new Error(`the relay settings of ${team} cannot be read; \`swarm relay join\` writes them anew`);
  const bridge = openBridge(ownRoot, relay);
  const here = { paths, team, machine: relay.machine };
  const read = () => {
    const { changes, clockMs } = bridge.read();
    return { ...seenIn(changes), clockMs };
  };
  const refresh = () => {
    let seen = read();
    let isTaking = false;
    if (isDeposing(here, seen)) {
      isTaking = isTakingLead(paths, team); // it may be done before we look again, and not be in what we read
      seen = read(); // another session here may have taken the lead since we looked
    }
    applyTasks(here, seen);
    if (!isDeposing(here, seen) || !(isTaking || isTakingLead(paths, team))) applyTeam(here, seen, seen);
    return seen;
  };
  try {
    return work({ bridge, relay, here, read, refresh });
  } finally {
    bridge.close();
  }
}

export const withTasks = <T>(
  calling: Calling,
  team: string,
  who: Pick<Identity, "agent" | "isLead">,
  run: (authority: TaskAuthority) => T,
): T =>
  withBridge(calling, team, ({ bridge, relay, refresh }) => {
    let seen: Seen;
    try {
      seen = refresh();
    } catch (error) {
      throw new Error(
        `tasks of ${team} are decided on its relay: ${(error as Error).message}; nothing was changed`,
      );
    }
    refuseFormerLead(team, relay, seen, who);
    refuseNamesake(calling.paths, team, who.agent);
    return run(bridge);
  });

/** Who led before a partition may still take itself for the lead. */
function refuseFormerLead(
  team: string,
  { machine }: Relay,
  { lead }: Seen,
  { agent, isLead: believesToLead }: Pick<Identity, "agent" | "isLead">,
): void {
  if (!agent || !believesToLead || !lead || lead.machine === machine) return;
  throw new Error(
    `you no longer lead ${team}: ${lead.agent} on ${lead.machine} does (token ${lead.token}); nothing was changed`,
  );
}

/** A task names its owner without a machine: two of one name would both take it for theirs. */
function refuseNamesake(paths: Paths, team: string, agent: string | undefined): void {
  const other = readTeam(paths, team)?.members.find((one) => isRemote(one) && one.agent === agent);
  if (other)
    throw new Error(
      `${agent} is also the name of a member on ${other.machine}, and a task cannot tell the two apart; \`swarm join ${team} --name OTHER\` gives this session a name of its own`,
    );
}

/** Where the lead is on another machine it takes the same proof as here, given by that machine; then the key, by its revision. */
export const withLead = <T>(calling: Calling, team: string, isForced: boolean, run: () => T): T =>
  withBridge(calling, team, ({ bridge, here, read, refresh }) => {
    const { paths, machine } = here;
    const isElsewhere = ({ lead }: Seen) => lead !== undefined && lead.machine !== machine;
    if (!isElsewhere(refresh())) return run();
    const take = ({ check }: Held) => {
      const seen = read(); // another session here may have taken it while we waited for the lock
      check();
      const { lead } = seen;
      if (!lead || !isElsewhere(seen)) return run();
      const why = whyNotProven(seen);
      if (why && !isForced)
        throw new Error(
          `${why}\nTo take it anyway: swarm lead take ${team} --force (recorded in the journal)`,
        );
      bringHere(paths, team);
      let done: T;
      try {
        done = run();
      } catch (error) {
        // Without the lock what is written here by now is another session's work.
        if (isHeld(check)) applyTeam(here, seen, seen);
        throw error;
      }
      check();
      const at = new Date().toISOString();
      if (bridge.lead({ v: 1, machine, agent: LEAD, at }, lead.token) !== undefined) return done;
      const now = read();
      check();
      applyTeam(here, now, now);
      throw new Error(`${now.lead?.agent} on ${now.lead?.machine} has taken the lead meanwhile`);
    };
    return withLock(relayPath(paths, team), (held) => bridge.meanwhile(held.check, () => take(held)));
  });

const isHeld = (check: Held["check"]): boolean =>
  unlessLocked(
    () => {
      check();
      return true;
    },
    () => false,
  );

function whyNotProven({ lead, members, clockMs }: SeenNow): string | undefined {
  if (!lead) return undefined;
  const seen = members.get(KEYS.member(lead));
  const where = `${lead.agent} on ${lead.machine}`;
  if (!seen) return undefined; // it has left the team there
  if (seen.news.state === "gone" && seen.news.proof) return undefined;
  const ageS = Math.round((ageOf({ clockMs }, seen.at) + (seen.news.ageMs ?? 0)) / 1000);
  return `the lead is not proven dead: ${where} gave its last sign ${ageS} s ago (${seen.news.state ?? "state unknown"})`;
}

/** As a member without a session, so that the usual rules decide who may become it. */
function bringHere(paths: Paths, team: string): void {
  updateTeam(paths, team, (stored) => {
    const old = stored.members.find(
      (member) => isRemote(member) && isLead(stored, { ...member, name: member.agent }),
    );
    const others = stored.members.filter((member) => member !== old && member.name !== LEAD);
    const lead = {
      name: LEAD,
      agentId: stored.leadAgentId ?? old?.agentId,
      agentType: LEAD,
      status: "offline",
    };
    return { ...stored, leadSessionId: undefined, members: [lead, ...others] };
  });
}

export function leadElsewhere(paths: Paths, team: string): CourierStatus["lead"] {
  const lead = readStatus(paths, team)?.lead;
  return lead && lead.machine !== readRelay(paths, team)?.machine ? lead : undefined;
}
