// The other agents of ours on this machine, whom no command may end.
import type { Paths } from "../core/paths.ts";
import { lifeOf, readProcesses } from "../system/processes.ts";
import type { Agent } from "./situation.ts";

/** The client itself is on the list too; its own pane is not. */
export function agentsOf(paths: Paths, clientPid: number): Agent[] {
  const others = readProcesses(paths).filter((known) => known.pid !== clientPid && lifeOf(known) !== "gone");
  const agents = others.map(({ pid, pane, team, agent }) => ({
    name: agent ?? `process ${pid}`,
    pid,
    ...(pane === undefined ? {} : { pane }),
    ...(team && agent ? { session: `swarm-${team}-${agent}` } : {}),
  }));
  return [{ name: "this client", pid: clientPid }, ...agents];
}
