// How a store declares a kind of file that Swarm leaves on a machine. lib/ops/file-kinds.ts joins the declarations of all domains.

/**
 * What ends a file: its age (`gc.keep_days`); its age once its session is over; the end of its process; a person who asks for it,
 * because somebody may want it back; or nothing, because it is somebody's work or there are few of it.
 */
export type FileEnd = "age" | "session" | "process" | "person" | "kept";

export interface FileKind {
  name: string;
  /**
   * Below the client's directory, or `tmp/` for the temporary one. `<word>` stands for one part of a path or name, `<session>` and
   * `<pid>` for its owner, `{a,b}` for either, a leading `**` for any beginning; a path that ends in `/` covers everything below.
   */
  path: string;
  ends: FileEnd;
  /** A log: past this size it becomes `<file>.1` and a new one begins. */
  maxBytes?: number;
  /** Why it may stay for ever. */
  because?: string;
}

export const KB = 1024;
export const MB = 1024 * KB;

/** A log that stays, beside the one that was full before it. */
export const keptLog = (name: string, path: string, maxBytes: number, because = "two of a size") =>
  ({ name, path, ends: "kept", because, maxBytes }) satisfies FileKind;

/** Files beside any other. */
export const DAMAGED: FileKind = { name: "damaged files", path: "**.corrupt-<time>", ends: "age" };
export const HALF_WRITTEN: FileKind = { name: "half-written files", path: "**.tmp.<hex>-<hex>", ends: "age" };
const LOCK: FileKind = {
  name: "locks",
  path: "**.lock",
  ends: "kept",
  because: "the next process that needs the file takes it over",
};
const SETTINGS: FileKind = {
  name: "settings",
  path: "swarm/{settings.toml,refused-settings.json}",
  ends: "kept",
  because: "one of each",
};
const BYTECODE: FileKind = {
  name: "bytecode",
  path: "swarm/cache/bytecode/",
  ends: "kept",
  because: "removed at a session's start once unused for a month",
};

export const CORE_FILES: readonly FileKind[] = [DAMAGED, HALF_WRITTEN, LOCK, SETTINGS, BYTECODE];
