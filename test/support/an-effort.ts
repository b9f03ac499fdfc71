// An effort as `swarm effort start` leaves it, without a process.
import { mkdirSync, realpathSync } from "node:fs";
import { openSession } from "../../lib/efforts/sessions.ts";
import { createEffort, type Effort } from "../../lib/efforts/store/efforts.ts";
import { startLog } from "../../lib/efforts/store/project-files.ts";
import { mainAgentOf } from "../../lib/efforts/store/windows.ts";
import { NOON } from "./a-context.ts";
import type { Home } from "./a-home.ts";

type Given = Partial<Omit<Effort, "metadata">> & { metadata?: Partial<Effort["metadata"]> };

/** `session` is the client's session that works on it; `null` for an effort nobody has opened yet. */
export function anEffort(home: Home, given: Given = {}, session: string | null = "s-1"): Effort {
  const project = realpathSync(home.project);
  const dir = `${project}/work`;
  mkdirSync(dir, { recursive: true });
  const effort = createEffort(home.paths, (id) => ({
    id,
    task: "work-1",
    dir,
    project,
    skill: "implement",
    ordinal: 1,
    lifecycle: "active",
    phases: [],
    owner: {},
    skillConfig: null,
    dehydrated: null,
    directives: [],
    preloads: [],
    loadedFiles: [],
    sessions: 0,
    startedAt: NOON.toISOString(),
    ...given,
    metadata: { guards: [], pendingInjections: [], completedTasks: [], ...given.metadata },
  }));
  startLog(effort, effort.skill);
  if (session)
    openSession(home.paths, effort.id, { agent: mainAgentOf(session), source: "start", now: NOON });
  return effort;
}
