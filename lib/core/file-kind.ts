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
