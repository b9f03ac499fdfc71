// What there is to say about the relays of this machine, from what the courier wrote down: no connection is opened for it.
import type { Paths } from "../core/paths.ts";
import { plainLines } from "../core/text.ts";
import { age } from "../core/time.ts";
import { lifeOf } from "../system/processes.ts";
import { withoutSecret } from "./connection.ts";
import { hereOf } from "./here.ts";
import { outboxSize } from "./outbound.ts";
import { isCourierFresh } from "./store/paths.ts";
import { type CourierStatus, powerLossRisk, type Relay, readRelay, readStatus } from "./store/relay.ts";

/** A machine that is silent for longer may be asleep, cut off or gone: that cannot be known here. */
const SILENT_MS = 60_000;

interface TeamStatus {
  team: string;
  machine: string;
  url: string;
  isCourierRunning: boolean;
  outbox: number;
  status?: CourierStatus;
  /** Why a power loss of the server may cost acknowledged messages. */
  powerLossRisk?: string;
}

export function statusOf(paths: Paths, teams: string[], now: Date) {
  const all = teams.map((team) => {
    const relay = readRelay(paths, team);
    return relay ? factsOf(paths, relay, now) : { team, problem: UNREADABLE };
  });
  const texts = all.map((one) => ("problem" in one ? `${one.team}: ${one.problem}` : inWords(one, now)));
  const none = "no team here has a relay; `swarm relay join nats://host:4222 --team TEAM` gives it one";
  return { text: texts.join("\n\n") || none, data: all };
}

const UNREADABLE = "the relay settings cannot be read; `swarm relay join` writes them anew";

function factsOf(paths: Paths, relay: Relay, now: Date): TeamStatus {
  const status = readStatus(paths, relay.team);
  return {
    team: relay.team,
    machine: relay.machine,
    url: withoutSecret(relay.url),
    isCourierRunning: isCourierFresh(paths, now.getTime()) && lifeOf({ pid: status?.pid }) !== "gone",
    outbox: outboxSize(hereOf(paths, relay)),
    status,
    powerLossRisk: status?.server && powerLossRisk(status.server),
  };
}

function inWords(
  { team, machine, url, isCourierRunning, outbox, status, powerLossRisk: risk }: TeamStatus,
  now: Date,
): string {
  const ago = (at: string) => `${age(at, now)} ago`;
  const others = Object.entries(status?.machines ?? {}).filter(([name]) => name !== machine);
  const sign = ([name, at]: [string, string]) =>
    now.getTime() - Date.parse(at) > SILENT_MS
      ? `${name} no sign since ${age(at, now)}`
      : `${name} ${ago(at)}`;
  const pulls = Object.entries(status?.lastPull ?? {}).map(([agent, at]) => `${agent} ${ago(at)}`);
  const lines = [
    `${team}: ${url}, this machine is ${machine}`,
    connection(status, isCourierRunning, ago),
    `outbox: ${outbox === 0 ? "empty" : `${outbox} waiting`}${status?.refused ? `; ${status.refused} malformed messages refused` : ""}`,
    ...Object.entries(status?.stuck ?? {}).map(
      ([name, why]) => `the relay takes no mail for ${name}: ${why}`,
    ),
    ...(status?.lead
      ? [`lead: ${status.lead.agent} on ${status.lead.machine} (token ${status.lead.token})`]
      : []),
    ...(pulls.length > 0 ? [`last mail: ${pulls.join(", ")}`] : []),
    ...(others.length > 0 ? [`machines: ${others.map(sign).join(", ")}`] : []),
    ...(status?.server
      ? [
          `server: nats-server ${status.server.version}, clock ${signed(status.clockMs ?? 0)} ms; ${risk ? `a power loss of the server may cost acknowledged messages (${risk})` : "every acknowledged message is on disk"}`,
        ]
      : []),
  ];
  return plainLines(lines.map((line, at) => (at === 0 ? line : `  ${line}`)));
}

function connection(
  status: CourierStatus | undefined,
  isRunning: boolean,
  ago: (at: string) => string,
): string {
  if (!isRunning)
    return "no courier runs: the next session starts one; `swarm relay sync` does one round by hand";
  if (status?.connectedSince)
    return `connected since ${status.connectedSince} (${ago(status.connectedSince)}), courier ${status.pid}`;
  return `not connected: ${status?.error ?? "the courier has just started"}`;
}

const signed = (ms: number) => (ms >= 0 ? `+${ms}` : `${ms}`);
