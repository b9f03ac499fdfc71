// What a handler is given. Settings, identity and the session's record are read when first asked for:
// most calls need none of them.

import { whyNotSegment } from "../core/paths.ts";
import { once } from "../core/process.ts";
import { type LoadedSettings, readSettings, type Settings } from "../core/settings.ts";
import { pauseOf } from "../sessions/store/pauses.ts" with { loading: "lazy" };
import type { Pausable, Pause } from "../sessions/store/pauses.ts";
import { isAnythingPaused, readSession, type SessionRecord } from "../sessions/store/sessions.ts";
import { readProcess, startOf } from "../system/processes.ts";
import { findNativeMember } from "../teams/store/config.ts";
import { type Environment, workingDirectory } from "./environment.ts";
import { type Claim, type Identity, resolveIdentity } from "./identity.ts";
import { memberOfWindow } from "./kitty-window.ts" with { loading: "lazy" };
import type { Outcome } from "./outcome.ts";

/** The fields every event shares, whatever the event. */
export interface Base {
  session_id: string;
  transcript_path: string;
  cwd: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
}

export interface Context<Input = Base> extends Environment {
  event: string;
  input: Input;
  cwd: string;
  /** In milliseconds since the start of this process (`elapsedMs`). */
  deadline: number;
  readonly loaded: LoadedSettings;
  readonly settings: Settings;
  readonly identity: Identity;
  /** The session's own record, also for its subagents. A handler that writes it sets it here, so that it is read once. */
  record: SessionRecord | undefined;
  /** What holds the speaker back, where a person has paused it. */
  readonly pause: Pause | undefined;
  /** The outcomes of the handlers before this one. */
  outcomes: Outcome[];
  /** Set by the guard for a shell command that it has read. */
  effects?: Effects;
  /** A client that an agent of ours started from its Bash tool: what it inherited names the parent, not itself. */
  readonly isChild: boolean;
}

export function makeContext<Input extends Base>(
  event: string,
  input: Input,
  environment: Environment,
  deadline: number,
): Context<Input> {
  const isPath = input.cwd !== "" && !input.cwd.includes("\0");
  const cwd = isPath ? input.cwd : workingDirectory(environment.paths.home);
  const settings = once(() => readSettings(environment.paths, cwd, environment.projectDir));
  let record = once(() =>
    input.session_id ? readSession(environment.paths, { session: input.session_id }) : undefined,
  );
  const child = once(() => isChildSession(input.session_id, environment));
  const identity = once(() =>
    identify(event, input, withoutInherited(environment, child), () => record() ?? ofProcess(environment)),
  );
  const pause = once(() =>
    isAnythingPaused(environment.paths)
      ? pauseOf(environment.paths, pausableAs(input.session_id, identity()))
      : undefined,
  );
  return {
    ...environment,
    event,
    input,
    cwd,
    deadline,
    outcomes: [],
    get loaded() {
      return settings();
    },
    get settings() {
      return settings().values;
    },
    get identity() {
      return identity();
    },
    get record() {
      return record();
    },
    set record(written) {
      record = () => written;
    },
    get pause() {
      return pause();
    },
    get isChild() {
      return child();
    },
  };
}

/** A subagent is paused with its parent. */
export const pausableAs = (session: string, { kind, team, agent, parent }: Identity): Pausable => ({
  session: session || undefined,
  team,
  agent: kind === "subagent" ? parent : agent,
});

export function isChildSession(
  session: string,
  { wrapperId, clientPid, paths }: Pick<Environment, "wrapperId" | "clientPid" | "paths">,
): boolean {
  if (!wrapperId || wrapperId === session || whyNotSegment(wrapperId)) return false;
  const other = readSession(paths, { session: wrapperId });
  return other !== undefined && other.pid !== clientPid;
}

const withoutInherited = (environment: Environment, isChild: () => boolean): Environment =>
  isChild() ? { ...environment, named: {}, atm: {} } : environment;

function identify(
  event: string,
  input: Partial<Base>,
  environment: Environment,
  record: () => { team?: string; agent?: string } | undefined,
): Identity {
  const session = input.session_id ?? "";
  return resolveIdentity({
    payload: input,
    named: environment.named,
    atm: environment.atm,
    record: () => record() as Claim | undefined,
    native: () =>
      findNativeMember(environment.paths, {
        session,
        clientPid: environment.clientPid,
        pane: environment.pane,
      }),
    // Later events have the session's record.
    window: () =>
      event === "SessionStart" && environment.kitty.window ? memberOfWindow(environment) : undefined,
  });
}

/** After `/clear` the session is new and its record empty, but the process still knows whose it is. */
function ofProcess({ paths, clientPid }: Environment): Claim | undefined {
  const known = readProcess(paths, clientPid);
  return known?.startedAt && known.startedAt === startOf(clientPid) ? known : undefined;
}

// What a shell command will do to files, as the guard's parser reads it, for the handlers that come after the guard.

export interface GitCall {
  /** Where it works: `cd`, `-C`, `--work-tree` and `--git-dir` followed. */
  cwd: string;
  verb: string;
  args: readonly string[];
}

/** Absolute paths; a path may hold the shell's patterns. What cannot be known before the run is left out. */
export interface Effects {
  /** Written or deleted. */
  files: Set<string>;
  /** Removed with everything below, or filled with files of unknown names. */
  directories: Set<string>;
  /** Read by redirection or by a filter: what a patch is applied from. */
  inputs: Set<string>;
  /** Text that `git apply` or `patch` is given in the command itself, and where it runs. */
  patches: { cwd: string; text: string; files: readonly string[]; isGit: boolean }[];
  git: GitCall[];
}

export const noEffects = (): Effects => ({
  files: new Set(),
  directories: new Set(),
  inputs: new Set(),
  patches: [],
  git: [],
});
