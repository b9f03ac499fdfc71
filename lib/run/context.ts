// What a handler is given. Settings, identity and the session's record are read when first asked for:
// most calls need none of them.
import { findNativeMember } from "../store/native-teams.ts";
import { whyNotSegment } from "../store/paths.ts";
import { readProcess, startOf } from "../store/processes.ts";
import { readSession, type SessionRecord } from "../store/sessions.ts";
import { type LoadedSettings, readSettings } from "../store/settings.ts";
import type { Settings } from "../store/settings-keys.ts";
import { type Claim, type Identity, resolveIdentity } from "./identity.ts";
import type { Outcome } from "./outcome.ts";
import { type Surroundings, workingDirectory } from "./surroundings.ts";

/** The fields every event shares, whatever the event. */
export interface Base {
  session_id: string;
  transcript_path: string;
  cwd: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
}

export interface Context<Input = Base> extends Surroundings {
  event: string;
  input: Input;
  cwd: string;
  /** When everything must be done, on the stopwatch of this process. */
  deadline: number;
  readonly loaded: LoadedSettings;
  readonly settings: Settings;
  readonly identity: Identity;
  /** The session's own record, also when a voice inside it speaks. Whoever writes it sets it, and nobody reads it again. */
  record: SessionRecord | undefined;
  /** What the features before this one said in this very run. */
  spoken: Outcome[];
  /** A client that an agent of ours started from its Bash tool: what it inherited names the parent, not itself. */
  readonly isChild: boolean;
}

export function makeContext<Input extends Base>(
  event: string,
  input: Input,
  around: Surroundings,
  deadline: number,
): Context<Input> {
  const cwd = input.cwd || workingDirectory(around.places.home);
  const settings = once(() => readSettings(around.places, cwd, around.projectDir));
  let record = once(() =>
    input.session_id ? readSession(around.places, { session: input.session_id }) : undefined,
  );
  const child = once(() => isChildSession(input.session_id, around));
  const identity = once(() =>
    identify(input, withoutInherited(around, child), () => record() ?? ofProcess(around)),
  );
  return {
    ...around,
    event,
    input,
    cwd,
    deadline,
    spoken: [],
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
    get isChild() {
      return child();
    },
  };
}

export function isChildSession(
  session: string,
  { wrapperId, clientPid, places }: Pick<Surroundings, "wrapperId" | "clientPid" | "places">,
): boolean {
  if (!wrapperId || wrapperId === session || whyNotSegment(wrapperId)) return false;
  const other = readSession(places, { session: wrapperId });
  return other !== undefined && other.pid !== clientPid;
}

const withoutInherited = (around: Surroundings, isChild: () => boolean): Surroundings =>
  isChild() ? { ...around, named: {}, atm: {} } : around;

export function identify(
  input: Partial<Base>,
  around: Surroundings,
  record: () => { team?: string; agent?: string } | undefined,
): Identity {
  const session = input.session_id ?? "";
  return resolveIdentity({
    payload: input,
    named: around.named,
    atm: around.atm,
    record: () => record() as Claim | undefined,
    native: () =>
      findNativeMember(around.places, { session, clientPid: around.clientPid, pane: around.pane }),
  });
}

/** After `/clear` the session is new and its record empty, but the process still knows whose it is. */
function ofProcess({ places, clientPid }: Surroundings): Claim | undefined {
  const known = readProcess(places, clientPid);
  return known?.startedAt && known.startedAt === startOf(clientPid) ? known : undefined;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
