// The two client versions every client test runs on. A version that is not in the cache is fetched once
// from the npm registry; the cache is $SWARM_CLIENT_DIR, or swarm-clients in the temp directory.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const VERSIONS = { latest: "2.1.325", old: "2.1.197" };

export type Client = keyof typeof VERSIONS;

export const CLIENTS: Client[] = ["latest", "old"];

const PACKAGE = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
const EXECUTABLE = process.platform === "win32" ? "claude.exe" : "claude";

const cacheDir = () => process.env["SWARM_CLIENT_DIR"] ?? join(tmpdir(), "swarm-clients");

/** The path of a client that is ready to run. */
export async function clientBinary(client: Client): Promise<string> {
  const home = join(cacheDir(), VERSIONS[client]);
  const binary = join(home, "node_modules", PACKAGE, EXECUTABLE);
  if (!existsSync(binary)) await fetchInto(home, VERSIONS[client]);
  return binary;
}

// Installed aside and renamed into place, so that a half-fetched client is never seen and two workers may race.
async function fetchInto(home: string, version: string) {
  await mkdir(cacheDir(), { recursive: true });
  const aside = await mkdtemp(`${home}-`);
  const flags = ["--ignore-scripts", "--no-save", "--no-package-lock", "--no-audit", "--no-fund"];
  try {
    await promisify(execFile)("npm", ["install", "--prefix", aside, ...flags, `${PACKAGE}@${version}`]);
    await rename(aside, home).catch(unlessTaken);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

function unlessTaken(error: NodeJS.ErrnoException) {
  if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
}
