// Writes what was built. Sessions and tests may be running from these files: only what differs is written, and whole at once.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export function replaceFile(path, text) {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.new`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

/** The folder then holds these files and no others. */
export function replaceFiles(folder, files) {
  for (const { path, text } of files) replaceFile(path, text);
  const current = new Set(files.map(({ path }) => path));
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !current.has(path)) rmSync(path, { force: true });
  }
}
