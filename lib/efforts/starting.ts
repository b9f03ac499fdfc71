// `swarm effort start`: a task's directory gets its next effort, and the calling session works on it from now on.
import { join, resolve } from "node:path";
import { badCall } from "../cli/command.ts";
import { dayOf } from "../core/journal.ts";
import { whyNotSegment } from "../core/paths.ts";
import { realPath } from "../core/real-path.ts";
import { hasHidden, plainLines } from "../core/text.ts";
import { makeDirectory } from "../core/write-file.ts";
import { type EffortCall, effortHere, numberOf, projectOf } from "./command.ts";
import { askerOf } from "./lookup.ts";
import { highestOrdinal, logPathOf, startLog } from "./store/artifacts.ts";
import { createEffort, type Effort } from "./store/efforts.ts";
import { readSkillConfig } from "./store/skills.ts";
import { type EffortTask, takeOrdinal } from "./store/tasks.ts";
import { MAIN, readLink } from "./store/windows.ts";
import { blockAfterOf, howToLog } from "./text.ts";
import { closeSession, openSession } from "./windows.ts";

const LONGEST_PART_BYTES = 255;
const SKILL = /^[A-Za-z0-9][\w.:-]{0,63}$/;

export function start(call: EffortCall) {
  const skill = call.words[1] ?? "";
  if (!SKILL.test(skill) || whyNotSegment(skill.replaceAll(":", "-")))
    throw badCall("which skill? a name like implement or fix");
  const { dir: asked = "" } = call.flags;
  if (hasHidden(asked) || asked.split("/").some((part) => Buffer.byteLength(part) > LONGEST_PART_BYTES))
    throw badCall("--dir holds hidden characters or is too long");
  const blockAfter = numberOf(call.flags["block-after"], "block-after");
  const before = effortHere(call);
  const project = projectOf(call);
  const dir = taskDirectory(call, project, skill);
  const place = { dir, project, title: call.flags.title };
  const task = takeOrdinal(call.paths, place, highestOrdinal(dir), call.now);
  const effort = create(call, task, skill, blockAfter);
  startLog(effort, `${skill}${task.title ? `: ${task.title}` : ""}`);
  const session = takeOver(call, effort);
  return { text: started(call, effort, session, before), data: { effort, session: session ?? null } };
}

function create(call: EffortCall, task: EffortTask, skill: string, blockAfter: number | undefined): Effort {
  const { paths, flags } = call;
  const at = call.now.toISOString();
  return createEffort(paths, {
    task: task.id,
    dir: task.dir,
    project: task.project,
    skill,
    mode: flags.mode,
    ordinal: task.lastOrdinal,
    lifecycle: "active",
    phase: flags.phase,
    phases: flags.phase ? [{ phase: flags.phase, at }] : [],
    owner: askerOf(call.fleetId, call.subject),
    skillConfig: readSkillConfig(paths, task.project, skill) ?? null,
    directives: [],
    preloads: [],
    loadedFiles: [],
    dehydrated: null,
    sessions: 0,
    metadata: {
      blockAfter,
      loading: flags.loading,
      guards: [],
      pendingInjections: [],
      completedTasks: [],
    },
    startedAt: at,
  });
}

/** The directory is made first: a path through a link shall name the same task as the one behind it. */
function taskDirectory({ flags, cwd, now }: EffortCall, project: string, skill: string): string {
  const name = `${dayOf(now)}-${skill.replace(/[^A-Za-z0-9]+/g, "-").toLowerCase()}`;
  const dir = flags.dir ? resolve(cwd, flags.dir) : join(project, ".claude", "efforts", name);
  makeDirectory(dir);
  return realPath(dir);
}

/** The calling session works on it from now on; what it worked on before stays active. */
function takeOver(call: EffortCall, effort: Effort): number | undefined {
  if (!call.session) return undefined;
  const speaker = { session: call.session, voice: MAIN };
  const before = readLink(call.paths, speaker);
  if (before) closeSession(call.paths, speaker, before, { reason: "switched", now: call.now });
  return openSession(call.paths, effort.id, { speaker, source: "start", now: call.now })?.number;
}

function started(
  call: EffortCall,
  effort: Effort,
  session: number | undefined,
  before: Effort | undefined,
): string {
  const limit = blockAfterOf(effort, call.loaded.values["effort.block_after"]);
  const lines = [
    `effort ${effort.id} started: ${effort.skill}${effort.phase ? `, phase ${effort.phase}` : ""}`,
    `task     ${effort.dir}`,
    `log      ${logPathOf(effort)}`,
    session === undefined
      ? "session  none yet: the next session in this project goes on with it"
      : `session  ${effort.id}.${session}`,
    `next     ${howToLog(effort)}${limit > 0 ? `, before every ${limit}th tool call` : ""}`,
  ];
  if (before)
    lines.push(
      `note     effort ${before.id} (${before.skill}) stays active; swarm effort finish --effort ${before.id} ends it`,
    );
  return plainLines(lines);
}
