// The project in a temporary directory, with some sources changed, and built.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname ?? __dirname, "..");

/** Every source, by its path from the project. */
export const SOURCES = readdirSync(join(ROOT, "lib"), { recursive: true, encoding: "utf8" })
  .map((name) => `lib/${name.replaceAll("\\", "/")}`)
  .filter((name) => name.endsWith(".ts"))
  .sort();

export function aCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), "swarm-copy-"));
  const skipped = ["node_modules", ".git", "plugin/dist"].map((name) => join(ROOT, name));
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !skipped.includes(path) });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

export function writeAndBuild(copy: string, changed: ReadonlyMap<string, string>): void {
  for (const [file, text] of changed) writeFileSync(join(copy, file), text);
  execFileSync(process.execPath, ["scripts/build.mjs"], {
    cwd: copy,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
