// The situation of a real run: the paths, the policy, the other agents on this machine.

import type { Places } from "../../store/paths.ts";
import { exists, isDirectory, workedMs } from "../../store/probe.ts";
import { lifeOf, readProcesses } from "../../store/processes.ts";
import { realPath } from "../../store/real-path.ts";
import type { LoadedSettings } from "../../store/settings.ts";
import { policyOf } from "./settings.ts";
import type { Agent, Situation } from "./situation.ts";

/** A command is read in a few milliseconds; this much work means that it was made to take long. */
const DEADLINE_MS = 250;

type Around = { places: Places; cwd: string; projectDir: string | undefined; clientPid: number; now: Date };

/** This client itself is nobody's to kill either; its pane is its own. */
function agentsOf({ places, clientPid }: Around): Agent[] {
  const others = readProcesses(places).filter((known) => known.pid !== clientPid && lifeOf(known) !== "gone");
  const agents = others.map(({ pid, pane, team, agent }) => ({
    name: agent ?? `process ${pid}`,
    pid,
    ...(pane === undefined ? {} : { pane }),
    ...(team && agent ? { session: `swarm-${team}-${agent}` } : {}),
  }));
  return [{ name: "this client", pid: clientPid }, ...agents];
}

const isInside = (path: string, root: string) =>
  path === root || path.startsWith(`${root.replace(/[\\/]$/, "")}/`);

export function situationOf(around: Around, settings: LoadedSettings): Situation {
  const { places, cwd, projectDir, now } = around;
  return {
    cwd,
    project: projectDir !== undefined && isInside(cwd, projectDir) ? projectDir : cwd,
    home: places.home,
    temp: places.tmp,
    base: places.base,
    agents: () => agentsOf(around),
    policy: policyOf(settings),
    probe: { realPath, isDirectory, exists },
    now: now.getTime(),
    clock: workedMs,
    deadlineMs: DEADLINE_MS,
  };
}
