// What cannot be computed is written into a value as one private-use character that names where it came from.
// It survives joining, splitting and path arithmetic, so the rules can ask a plain string what it may hold.

export const UNKNOWN = "\uE000";
/** `${VAR:?}`: unknown, but the shell stops when it is empty. */
export const NON_EMPTY = "\uE001";
/** A path made by mktemp. */
export const TEMP_PATH = "\uE002";
/** A relative name below the directory in front of it, as ls and find print them. */
export const SOME_NAME = "\uE003";
/** The working directory after `cd` into something unknown. */
export const UNKNOWN_DIRECTORY = "\uE004";
/** Process ids found by searching: pgrep, lsof, ps. */
export const FOUND_PIDS = "\uE005";
/** `$PPID`: the client that runs this shell. */
export const CLIENT_PID = "\uE006";
/** Text that came over the network. */
export const FETCHED = "\uE007";
/** Text that was decoded or rewritten on the way. */
export const DECODED = "\uE008";

export const hasUnknown = (text: string) => /[\uE000-\uE008]/.test(text);

export const fillUnknowns = (text: string, filler: string) => text.replace(/[\uE000-\uE008]/g, filler);
/** Private-use characters of the input itself must not pass for ours; a NUL never reaches a program. */
export const withoutForgedMarks = (text: string) => fillUnknowns(text, "\uFFFD").replaceAll("\0", "");

const TAINTS = [FOUND_PIDS, FETCHED, DECODED];
/** What is left of a text that went through a filter that is not followed. */
export const taintOf = (text: string) => TAINTS.filter((taint) => text.includes(taint)).join("") || UNKNOWN;
