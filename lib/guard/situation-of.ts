// The situation of a real run: the paths, the policy, the other agents on this machine.

import type { Paths } from "../core/paths.ts";
import { realPath } from "../core/real-path.ts";
import { agentsOf } from "./agents.ts" with { loading: "lazy" };
import { type GuardRules, policyOf } from "./guard-rules.ts";
import { exists, isDirectory, workedMs } from "./probe.ts";
import type { Situation } from "./situation.ts";

/** A command is read in a few milliseconds; this much work means that it was made to take long. */
const DEADLINE_MS = 250;

export type Around = {
  paths: Paths;
  cwd: string;
  projectDir: string | undefined;
  clientPid: number;
  now: Date;
};

const isInside = (path: string, root: string) =>
  path === root || path.startsWith(`${root.replace(/[\\/]$/, "")}/`);

export function situationOf(environment: Around, settings: GuardRules): Situation {
  const { paths, cwd, projectDir, clientPid, now } = environment;
  return {
    cwd,
    project: projectDir !== undefined && isInside(cwd, projectDir) ? projectDir : cwd,
    home: paths.home,
    temp: paths.tmp,
    base: paths.base,
    agents: () => agentsOf(paths, clientPid),
    policy: policyOf(settings),
    probe: { realPath, isDirectory: (path) => isDirectory(path), exists },
    now: now.getTime(),
    clock: workedMs,
    deadlineMs: DEADLINE_MS,
  };
}
