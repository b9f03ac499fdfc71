// The client's tools that run commands or work on one file, and the field of their input that says what.

/** Their field is `command`. */
export const SHELLS: readonly string[] = ["Bash", "PowerShell"];

/** Tools that write a file, and the field that names it. */
export const WRITERS: ReadonlyMap<string, string> = new Map([
  ["Write", "file_path"],
  ["Edit", "file_path"],
  ["MultiEdit", "file_path"],
  ["NotebookEdit", "notebook_path"],
]);

/** Tools that read or write one file, and the field that names it. */
export const FILE_TOOLS: ReadonlyMap<string, string> = new Map([["Read", "file_path"], ...WRITERS]);
