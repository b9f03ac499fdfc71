// How a store declares a kind of file that Swarm leaves on a machine. lib/ops/file-kinds.ts joins the declarations of all domains.

/** Its age (`gc.keep_days`); its age once its session is over; the end of its process; a person who asks for it, because somebody may
 *  want it back. */
export type FileEnd = "age" | "session" | "process" | "person";

interface Kind {
  name: string;
  /**
   * Below the client's directory, or `tmp/` for the temporary one. `<word>` stands for one part of a path or name, `<session>` and
   * `<pid>` for its owner, `{a,b}` for either, a leading `**` for any beginning; a path that ends in `/` covers everything below.
   */
  path: string;
  maxBytes?: number;
}

/** What ends it, or why it may stay for ever. */
export type FileKind = Kind & ({ ends: FileEnd; kept?: undefined } | { kept: string; ends?: undefined });

/** A log: past this size it becomes `<file>.1` and a new one begins. */
export type LogKind = FileKind & { maxBytes: number };

export const KB = 1024;
export const MB = 1024 * KB;

/** Files beside any other. */
export const DAMAGED: FileKind = { name: "damaged files", path: "**.corrupt-<time>", ends: "age" };
export const HALF_WRITTEN: FileKind = { name: "half-written files", path: "**.tmp.<hex>-<hex>", ends: "age" };

export const CORE_FILES: readonly FileKind[] = [
  DAMAGED,
  HALF_WRITTEN,
  { name: "locks", path: "**.lock", kept: "the next process that needs the file takes it over" },
  { name: "settings", path: "swarm/{settings.toml,refused-settings.json}", kept: "one of each" },
  {
    name: "bytecode",
    path: "swarm/cache/bytecode/",
    kept: "removed at a session's start once unused for a month",
  },
];
