// Which client a teammate is started with, with which plugins and as which agent: as far as possible the lead's own.
import { resolve } from "node:path";
import type { Surroundings } from "../../run/surroundings.ts";
import { readAgentDefinition } from "../../store/agent-definitions.ts";
import { installedPluginsPath } from "../../store/paths.ts";
import { lifeOf } from "../../store/processes.ts";
import { findProgram, type RunningClient, readClient } from "../../store/programs.ts";
import { readText } from "../../store/read-text.ts";
import { readSession } from "../../store/sessions.ts";
import { pluginDirsOf } from "./command-line.ts";

interface Asking extends Surroundings {
  cwd: string;
  session: string | undefined;
  flags: { "plugin-dir"?: string[] };
}

export function commandFor(call: Asking): string[] {
  const { teammateCommand, clientProgram, env } = call;
  if (teammateCommand) {
    const program = findProgram(teammateCommand, env["PATH"]);
    if (!program)
      throw new Error(`CLAUDE_CODE_TEAMMATE_COMMAND names ${teammateCommand}, which is no program to run`);
    return [program];
  }
  const running = runningClient(call)?.command;
  if (running) return running;
  const found =
    (clientProgram && findProgram(clientProgram, undefined)) || findProgram("claude", env["PATH"]);
  if (!found)
    throw new Error(
      "there is no `claude` on the PATH; CLAUDE_CODE_TEAMMATE_COMMAND can name the client to start",
    );
  return [found];
}

/** The lead's client, by its session's record: proven by its start time, since a number alone may be anybody's. */
function runningClient({ places, session }: Asking): RunningClient | undefined {
  const record = session ? readSession(places, { session }) : undefined;
  if (!record?.pid || lifeOf({ pid: record.pid, startedAt: record.pidStartedAt }) !== "alive")
    return undefined;
  return readClient(record.pid);
}

/** An installed plugin is there by itself; one that was given to the lead by `--plugin-dir` has to be given on. */
export function pluginDirsFor(call: Asking): string[] {
  const asked = (call.flags["plugin-dir"] ?? []).map((dir) => resolve(call.cwd, dir));
  const running = runningClient(call);
  const own = isInstalled(call) ? [] : [call.ownRoot];
  const found = running ? pluginDirsOf(running.args, (dir) => resolve(startedIn(call), dir)) : own;
  return [...new Set([...found, ...asked])];
}

const startedIn = ({ places, session, cwd }: Asking): string =>
  (session && readSession(places, { session })?.project) || cwd;

const isInstalled = ({ places }: Asking) =>
  readText(installedPluginsPath(places))?.includes('"swarm@') === true;

/** Types every client knows; an unknown one would end it at once. */
const BUILT_IN = new Set(["general-purpose", "Explore", "Plan"]);

/** A type that no definition stands behind is a word for the roster and for the teammate, not for the client. */
export function agentFor(call: Asking, type: string | undefined, cwd: string): string | undefined {
  if (type === undefined) return undefined;
  if (BUILT_IN.has(type) || type.includes(":")) return type;
  return readAgentDefinition(call.places, call.projectDir ?? cwd, type) ? type : undefined;
}
