// Before a compaction, by setting: keep what the files know (snapshot), ask the agent once to write down the rest
// (block), or end the client so that a fresh window takes over (kill, seed 003's way).

import { noteProblem } from "../core/journal.ts";
import type { Context } from "../hook/context.ts";
import { blockOnce } from "../hook/gate.ts";
import type { Outcome } from "../hook/outcome.ts";
import { readSession } from "../sessions/store/sessions.ts";
import { endProcess, lifeOf } from "../system/processes.ts";
import { type Current, tell } from "./current.ts";
import { addInjection } from "./injections.ts";
import { readLogEntries } from "./store/artifacts.ts";
import type { Effort } from "./store/efforts.ts";
import { writeRestartPrompt } from "./store/presence.ts";
import { type Dehydration, readEffortSession, updateEffortSession } from "./store/sessions.ts";
import { readLoaded } from "./store/windows.ts";
import { closeSession } from "./windows.ts";

const MOST_FILES = 8;

export const snapshotOf = (effort: Effort, entries: string[], loaded: string[], now: Date): Dehydration => ({
  at: now.toISOString(),
  by: "snapshot",
  summary: `${effort.skill}${effort.phase ? `, phase ${effort.phase}` : ""}: the window was compacted here; the log has ${entries.length > 0 ? "the rest" : "no entry yet"}.`,
  lastAction: entries.at(-1),
  nextSteps: effort.dehydrated?.nextSteps ?? [],
  requiredFiles: loaded.slice(-MOST_FILES),
});

export function snapshot(ctx: Context, { effort, session, speaker }: Current): void {
  const files = readLoaded(ctx.paths, speaker);
  const taken = snapshotOf(effort, readLogEntries(effort, 1), files, ctx.now);
  updateEffortSession(ctx.paths, effort.id, session, (stored) => ({ ...stored, dehydration: taken }));
}

const HOW =
  'swarm effort dehydrate "what is done and known" --last "the last action" --next "a next step" --file <path it needs>';

/** Once a window, and not at all when the agent has already written it down in this window. */
export function blockCompactionOnce(
  ctx: Context,
  { effort, session, speaker }: Current,
): Outcome | undefined {
  const started = readEffortSession(ctx.paths, effort.id, session)?.startedAt ?? "";
  if (effort.dehydrated && effort.dehydrated.at >= started) return undefined;
  const held = blockOnce(ctx, {
    reason: `precompact:${effort.id}.${session}`,
    text: `Effort ${effort.id} is not written down yet. Let the agent run: ${HOW}\nThen compact again; the second time it goes through. Changed by effort.precompact in settings.toml.`,
    allowance: 1,
  });
  if (held)
    addInjection(ctx.paths, effort.id, {
      id: "dehydrate",
      text: `A compaction was held back once so that this window can be written down first: ${HOW}`,
      at: ctx.now.toISOString(),
      for: speaker.session,
    });
  return held && { ...held, loud: true };
}

const restartPrompt = ({ id, skill, phase, project }: Effort) =>
  [
    `# Restart of effort ${id}`,
    "",
    `The client was ended before a compaction. Start it again in ${project}; its first session goes on with the effort.`,
    "",
    `Prompt: Go on with effort ${id} (${skill}${phase ? `, phase ${phase}` : ""}) from its log and what this session was told.`,
    "",
  ].join("\n");

/** Ends only the client that runs this very hook, by pid and start time; without proof it stays and is snapshot instead. */
export function killClient(ctx: Context, current: Current): Outcome | undefined {
  const { effort, session, speaker } = current;
  const record = readSession(ctx.paths, { session: speaker.session });
  const client = { pid: record?.pid, startedAt: record?.pidStartedAt };
  if (client.pid !== ctx.clientPid || lifeOf(client) !== "alive") {
    noteProblem(`effort.precompact = "kill": the client of ${speaker.session} is not proven ours; not ended`);
    return undefined;
  }
  const prompt = writeRestartPrompt(ctx.paths, effort.id, restartPrompt(effort));
  tell(ctx, current, "session", { what: "killed before compaction" });
  closeSession(
    ctx.paths,
    speaker,
    { effort: effort.id, session },
    { reason: "precompact-kill", now: ctx.now },
  );
  return {
    // A client takes a moment to end and would meanwhile compact, and start another window.
    deny: `This client ends here, before the compaction (effort.precompact = "kill" in settings.toml). Effort ${effort.id} goes on in the next one: ${prompt}`,
    rule: "effort:precompact-kill",
    loud: true,
    journal: [{ what: "effort-kill", effort: effort.id, pid: client.pid }],
    after: () => {
      endProcess(client);
    },
  };
}
