// The situation of a real run: the paths, the policy, the other agents on this machine.

import type { Places } from "../../store/paths.ts";
import { exists, isDirectory, workedMs } from "../../store/probe.ts";
import { realPath } from "../../store/real-path.ts";
import { agentsOf } from "./agents.ts" with { loading: "lazy" };
import { type GuardRules, policyOf } from "./settings.ts";
import type { Situation } from "./situation.ts";

/** A command is read in a few milliseconds; this much work means that it was made to take long. */
const DEADLINE_MS = 250;

export type Around = {
  places: Places;
  cwd: string;
  projectDir: string | undefined;
  clientPid: number;
  now: Date;
};

const isInside = (path: string, root: string) =>
  path === root || path.startsWith(`${root.replace(/[\\/]$/, "")}/`);

export function situationOf(around: Around, settings: GuardRules): Situation {
  const { places, cwd, projectDir, clientPid, now } = around;
  return {
    cwd,
    project: projectDir !== undefined && isInside(cwd, projectDir) ? projectDir : cwd,
    home: places.home,
    temp: places.tmp,
    base: places.base,
    agents: () => agentsOf(places, clientPid),
    policy: policyOf(settings),
    probe: { realPath, isDirectory: (path) => isDirectory(path), exists },
    now: now.getTime(),
    clock: workedMs,
    deadlineMs: DEADLINE_MS,
  };
}
