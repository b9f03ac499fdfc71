// Other versions of node, from npm's own packages of node.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SYSTEM = process.platform === "win32" ? "win" : process.platform;
const NAME = `node-${SYSTEM}-${process.arch}`;

/** The newest node of a version, installed into `directory`: the path of its program. */
export function fetchNode(version: string, directory: string): string {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), '{"private":true}');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent", `${NAME}@${version}`], {
    cwd: directory,
    stdio: "inherit",
  });
  return join(directory, "node_modules", NAME, "bin", process.platform === "win32" ? "node.exe" : "node");
}
