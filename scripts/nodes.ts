// npm run test:nodes [-- 22 24]: the unit and black-box rings on other versions of node, each fetched from npm's own packages of node
// into a temporary directory.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fetchNode } from "./nodes/fetch.ts";

const MAJORS = process.argv.slice(2).filter((word) => /^\d+$/.test(word));
const WANTED = MAJORS.length > 0 ? MAJORS : ["20", "22", "24"];

/** The rings start their scripts with the node they run on themselves. */
function ring(node: string): number | null {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env["PATH"]}` };
  return spawnSync(node, ["node_modules/vitest/vitest.mjs", "run"], { env, stdio: "inherit" }).status;
}

const failed = WANTED.filter((major) => {
  const directory = mkdtempSync(join(tmpdir(), `swarm-node-${major}-`));
  try {
    chmodSync(directory, 0o755); // one test runs its script as nobody
    const node = fetchNode(major, directory);
    console.log(`\n== node ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}`);
    return ring(node) !== 0;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
console.log(
  failed.length === 0
    ? `\nall rings passed on node ${WANTED.join(", ")}`
    : `\nfailed on node ${failed.join(", ")}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
