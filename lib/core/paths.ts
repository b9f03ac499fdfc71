// Where Swarm keeps its files. A name from a payload, a message or a command line becomes part of a path only through `segment`;
// each domain's store adds the paths of its own files.
import { sep } from "node:path";
import { hasHidden } from "./text.ts";

export interface Paths {
  home: string;
  /** `$CLAUDE_CONFIG_DIR` or `~/.claude`, normalised: the client's directory, and ours beside it. */
  base: string;
  /** `$ATM_HOME` or home: where an ATM daemon keeps its files. */
  atmHome: string;
  tmp: string;
}

const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d\u00b9\u00b2\u00b3])(\.|$)/i;
// Beside the hidden characters, which make one name look like another: separators and what Windows forbids.
const FORBIDDEN = /[/\\:*?"<>|\t\n]/;
const LONGEST_BYTES = 100;

const ORDINARY = /^\w[\w-]{0,99}$/;

/** Why a name cannot be part of a path, or nothing. */
export function whyNotSegment(name: unknown): string | undefined {
  if (typeof name !== "string" || name === "") return "is empty";
  if (ORDINARY.test(name) && !RESERVED.test(name)) return undefined;
  if (FORBIDDEN.test(name) || hasHidden(name))
    return 'contains a separator, a hidden or control character or one of : * ? " < > |';
  if (/^[.\-\s]/.test(name)) return "starts with a dot, a dash or a space";
  if (/[.\s]$/.test(name)) return "ends with a dot or a space";
  if (RESERVED.test(name)) return "is a reserved device name";
  if (Buffer.byteLength(name) > LONGEST_BYTES) return `is longer than ${LONGEST_BYTES} bytes`;
  return undefined;
}

export function segment(name: string): string {
  const why = whyNotSegment(name);
  if (why) throw new Error(`the name ${JSON.stringify(String(name).slice(0, 80))} ${why}`);
  return name;
}

/** Not by `join`, which goes through every character again: a board of a large team makes a thousand paths. */
const below = ({ base }: Paths, ...parts: string[]): string => `${base}${sep}${parts.join(sep)}`;

/** The parts must be clean: constants, or names that went through `segment`. */
export const swarmPath = (paths: Paths, ...parts: string[]) => below(paths, "swarm", ...parts);
export const teamPath = (paths: Paths, team: string, ...parts: string[]) =>
  below(paths, "teams", segment(team), ...parts);

/** Bytecode of hooks that were run by hand. */
export const cacheDir = (paths: Paths) => swarmPath(paths, "cache");
export const swarmDir = (paths: Paths) => swarmPath(paths);
export const personalSettingsPath = (paths: Paths) => swarmPath(paths, "settings.toml");
export const refusedSettingsPath = (paths: Paths) => swarmPath(paths, "refused-settings.json");
export const processesDir = (paths: Paths) => swarmPath(paths, "processes");
export const processPath = (paths: Paths, pid: number) => swarmPath(paths, "processes", `${pid}.json`);
export const gatesPath = (paths: Paths, session: string, agent: string) =>
  swarmPath(paths, "gates", segment(session), `${segment(agent)}.json`);
/** There only while something is paused. */
export const pausesPath = (paths: Paths) => swarmPath(paths, "pauses.json");
export const clientSettingsPath = (paths: Paths) => below(paths, "settings.json");
/** What a running client says of itself. */
export const clientStatePath = (paths: Paths, pid: number) => below(paths, "sessions", `${pid}.json`);
export const journalDir = (paths: Paths) => swarmPath(paths, "journal");
export const journalPath = (paths: Paths, day: string) => swarmPath(paths, "journal", `${day}.jsonl`);
export const errorsPath = (paths: Paths) => swarmPath(paths, "errors.jsonl");
/** Marks of calls that the guard looks at. */
export const guardedCallsPath = (paths: Paths) => swarmPath(paths, "guarded");
/** Its age says when the leftovers were last looked through. */
export const upkeepPath = (paths: Paths) => swarmPath(paths, "upkeep");
export const firedPath = (paths: Paths, event: string) => swarmPath(paths, "fired", segment(event));

/** The client's own list of installed plugins. */
export const installedPluginsPath = (paths: Paths) => below(paths, "plugins", "installed_plugins.json");
