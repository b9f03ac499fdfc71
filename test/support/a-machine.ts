// A machine of a relayed team: a home of its own, joined to a server.

import { closeEngine, openEngine } from "../../lib/machines/engine.ts";
import { hereOf } from "../../lib/machines/here.ts";
import { joinRelay } from "../../lib/machines/membership.ts";
import type { Relay } from "../../lib/machines/store/relay.ts";
import { type TeamCourier, teamCourier } from "../../lib/machines/team-courier.ts";
import { appendMessage, readInbox } from "../../lib/mail/store/inbox.ts";
import { ensureInbox } from "../../lib/mail/store/mailbox-files.ts";
import { readTeam, updateTeam } from "../../lib/teams/store/config.ts";
import { aHome, type Home } from "./a-home.ts";
import { aRelay } from "./a-relay.ts";
import { aTeam, TEAM } from "./a-team.ts";

export interface Machine {
  home: Home;
  relay: Relay;
  courier: TeamCourier;
  /** One round, as `swarm relay sync` does it. */
  round: () => Promise<void>;
  join: (agent: string) => void;
  send: (from: string, to: string, text: string, more?: Record<string, unknown>) => string;
  inbox: (agent: string) => any[];
  members: () => any[];
}

let sent = 0;

/** The first has the team already, with a lead; the others get it from the relay. */
export async function aMachine(
  url: string,
  name: string,
  agents: string[],
  isFirst = false,
  more: Partial<Relay> = {},
): Promise<Machine> {
  const home = aHome();
  if (isFirst) aTeam(home, ["team-lead", ...agents]);
  const relay = aRelay(url, name, more);
  await joinRelay(home.paths, relay);
  const { paths } = home;
  const courier = teamCourier(hereOf(paths, relay));
  const machine: Machine = {
    home,
    relay,
    courier,
    round: async () => {
      const engine = await openEngine(relay);
      try {
        await courier.round(engine);
      } finally {
        await closeEngine(engine);
      }
    },
    join: (agent) => {
      updateTeam(paths, TEAM, (team) => ({
        ...team,
        members: [...team.members, { name: agent, agentId: `${agent}@${name}`, status: "active" }],
      }));
      ensureInbox(paths, TEAM, agent);
    },
    send: (from, to, text, extra = {}) => {
      const id = `t-${++sent}`;
      appendMessage(paths, TEAM, to, {
        id,
        from,
        text,
        timestamp: new Date().toISOString(),
        read: false,
        ...extra,
      });
      return id;
    },
    inbox: (agent) => readInbox(paths, TEAM, agent),
    members: () => readTeam(paths, TEAM)?.members ?? [],
  };
  if (!isFirst) for (const agent of agents) machine.join(agent);
  await machine.round();
  return machine;
}
