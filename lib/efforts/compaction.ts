// Before a compaction, by the setting `effort.precompact`: store what our files know (snapshot), ask the agent once to write down
// the rest (block), or end the client so that a new one goes on with the effort (kill, as in Engine hooks).

import { noteProblem } from "../core/process.ts";
import type { Context } from "../hook/context.ts";
import { blockOnce } from "../hook/gate.ts";
import type { Outcome } from "../hook/outcome.ts";
import { readSession } from "../sessions/store/sessions.ts";
import { endProcess, lifeOf } from "../system/processes.ts";
import { type Current, noteMessage } from "./current.ts";
import { addInjection } from "./injections.ts";
import type { Effort } from "./store/efforts.ts";
import {
  type Dehydration,
  readEffortSession,
  updateEffortSession,
  writeRestartPrompt,
} from "./store/efforts.ts";
import { readLogEntries } from "./store/project-files.ts";
import { readLoaded } from "./store/windows.ts";
import { closeSession } from "./windows.ts";

const MOST_FILES = 8;

const snapshotOf = (effort: Effort, entries: string[], loaded: string[], now: Date): Dehydration => ({
  at: now.toISOString(),
  by: "snapshot",
  summary: `${effort.skill}${effort.phase ? `, phase ${effort.phase}` : ""}: the window was compacted here; the log has ${entries.length > 0 ? "the rest" : "no entry yet"}.`,
  lastAction: entries.at(-1),
  nextSteps: effort.dehydrated?.nextSteps ?? [],
  requiredFiles: loaded.slice(-MOST_FILES),
});

export function snapshot(ctx: Context, { effort, session, agent }: Current): void {
  const files = readLoaded(ctx.paths, agent);
  const taken = snapshotOf(effort, readLogEntries(effort, 1), files, ctx.now);
  updateEffortSession(ctx.paths, effort.id, session, (stored) => ({ ...stored, dehydration: taken }));
}

const HOW =
  'swarm effort dehydrate "what is done and known" --last "the last action" --next "a next step" --file <path it needs>';

/** Once a window, and not at all when the agent has already written it down in this window. */
export function blockCompactionOnce(ctx: Context, { effort, session, agent }: Current): Outcome | undefined {
  const started = readEffortSession(ctx.paths, effort.id, session)?.startedAt ?? "";
  if (effort.dehydrated && effort.dehydrated.at >= started) return undefined;
  const block = blockOnce(ctx, {
    reason: `precompact:${effort.id}.${session}`,
    text: `Effort ${effort.id} is not written down yet. Let the agent run: ${HOW}\nThen compact again; the second time it goes through. Changed by effort.precompact in settings.toml.`,
    allowance: 1,
  });
  if (block)
    addInjection(ctx.paths, effort.id, {
      id: "dehydrate",
      text: `A compaction was held back once so that this window can be written down first: ${HOW}`,
      at: ctx.now.toISOString(),
      for: agent.session,
    });
  return block && { ...block, loud: true };
}

const restartPrompt = ({ id, skill, phase, project }: Effort) =>
  [
    `# Restart of effort ${id}`,
    "",
    `The client was ended before a compaction. Start it again in ${project}; its first session goes on with the effort.`,
    "",
    `Prompt: Go on with effort ${id} (${skill}${phase ? `, phase ${phase}` : ""}) from its log and the context of this session.`,
    "",
  ].join("\n");

/** Ends only the client that runs this hook, proven by pid and start time; without proof the caller takes a snapshot. */
export function killClient(ctx: Context, current: Current): Outcome | undefined {
  const { effort, session, agent } = current;
  const record = readSession(ctx.paths, { session: agent.session });
  const client = { pid: record?.pid, startedAt: record?.pidStartedAt };
  if (client.pid !== ctx.clientPid || lifeOf(client) !== "alive") {
    noteProblem(`effort.precompact = "kill": the client of ${agent.session} is not proven ours; not ended`);
    return undefined;
  }
  const prompt = writeRestartPrompt(ctx.paths, effort.id, restartPrompt(effort));
  noteMessage(ctx, current, "session", { what: "killed before compaction" });
  closeSession(ctx.paths, agent, { effort: effort.id, session }, { reason: "precompact-kill", now: ctx.now });
  return {
    // The client takes a moment to end; without the denial it would compact meanwhile and start another window.
    deny: `This client ends here, before the compaction (effort.precompact = "kill" in settings.toml). Effort ${effort.id} goes on in the next one: ${prompt}`,
    rule: "effort:precompact-kill",
    loud: true,
    journal: [{ what: "effort-kill", effort: effort.id, pid: client.pid }],
    after: () => {
      endProcess(client);
    },
  };
}
