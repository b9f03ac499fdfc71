// Teams on several machines: whether their relay was reached, and what a loss of its power could cost.
import { isCourierFresh, relayedTeams } from "../../machines/store/paths.ts";
import { readRelay, readStatus } from "../../machines/store/relay.ts";
import type { Places } from "../../store/paths.ts";
import { type Finding, ok, warn } from "./finding.ts";

export const relayFindings = (places: Places, now: Date): Finding[] =>
  relayedTeams(places).flatMap((team) => findingsOf(places, team, now));

function findingsOf(places: Places, team: string, now: Date): Finding[] {
  const relay = readRelay(places, team);
  if (!relay)
    return [warn(`the relay settings of ${team} cannot be read`, [], "`swarm relay join` writes them anew")];
  const status = readStatus(places, team);
  const evidence = `this machine is ${relay.machine}`;
  if (status?.error)
    return [
      warn(
        `the relay of ${team} is not reached`,
        [evidence, status.error],
        "`swarm relay status`; mail waits in the outbox meanwhile",
      ),
    ];
  const runs = isCourierFresh(places, now.getTime())
    ? "the courier runs"
    : "no courier runs; a session starts one";
  const version = status?.server?.version;
  const isOld = version !== undefined && /^([01]\.|2\.\d\.)/.test(version);
  return [
    ok(`the team ${team} is on a relay`, `${evidence}; ${runs}`),
    ...(isOld
      ? [
          warn(
            `a power loss of the relay of ${team} may cost acknowledged messages`,
            [`nats-server ${version} has no \`sync_interval: always\``],
            "nats-server 2.10 or later, with the configuration of `swarm relay config`",
          ),
        ]
      : []),
  ];
}
