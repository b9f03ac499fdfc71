// Teams on several machines: whether their relay was reached, and what a power loss there could cost.

import type { Paths } from "../../core/paths.ts";
import { isCourierFresh, relayedTeams } from "../../machines/store/paths.ts";
import { powerLossRisk, readRelay, readStatus } from "../../machines/store/relay.ts";
import { type Finding, ok, warn, warnIfAny } from "./finding.ts";

export const relayFindings = (paths: Paths, now: Date): Finding[] =>
  relayedTeams(paths).flatMap((team) => findingsOf(paths, team, now));

function findingsOf(paths: Paths, team: string, now: Date): Finding[] {
  const relay = readRelay(paths, team);
  if (!relay)
    return [warn(`the relay settings of ${team} cannot be read`, [], "`swarm relay join` writes them again")];
  const status = readStatus(paths, team);
  const evidence = `this machine is ${relay.machine}`;
  if (status?.error)
    return [
      warn(
        `the relay of ${team} is not reached`,
        [evidence, status.error],
        "`swarm relay status`; mail waits in the outbox meanwhile",
      ),
    ];
  const runs = isCourierFresh(paths, now.getTime())
    ? "the courier runs"
    : "no courier runs; a session starts one";
  const risk = status?.server && powerLossRisk(status.server);
  return [
    ok(`the team ${team} is on a relay`, `${evidence}; ${runs}`),
    ...warnIfAny(
      risk ? [risk] : [],
      `a power loss of the relay of ${team} may cost acknowledged messages`,
      "nats-server 2.10 or later, with the configuration of `swarm relay config`",
    ),
  ];
}
