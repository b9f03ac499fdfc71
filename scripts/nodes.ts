// npm run test:nodes [-- 22 24]: other versions of node, each fetched from npm's own packages of node into a temporary directory. On
// each the demo and one call of every hook; the default ring too, unless vitest itself is too new for it, as for the oldest we promise.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fetchNode } from "./nodes/fetch.ts";

const ROOT = join(import.meta.dirname ?? __dirname, "..");
const PAYLOADS = join(ROOT, "test", "payloads");
const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  engines: { node: string };
};
const OLDEST = engines.node.replace(/^\D+/, "");
const GIVEN = process.argv.slice(2).filter((word) => /^\d[\d.]*$/.test(word));
const WANTED = GIVEN.length > 0 ? GIVEN : [OLDEST, "20", "22", "24", "26"];

const environment = (node: string, more: Record<string, string> = {}) => ({
  ...process.env,
  PATH: `${dirname(node)}${delimiter}${process.env["PATH"]}`,
  ...more,
});

function failuresOn(node: string, version: string, home: string): string[] {
  const run = (args: string[], input: string, env = environment(node)) =>
    spawnSync(node, args, { cwd: ROOT, env, input, encoding: "utf8" });
  const failures: string[] = [];
  const demo = run(["plugin/bin/swarm", "demo"], "");
  if (demo.status !== 0) failures.push(`the demo ended with ${demo.status}: ${demo.stderr}`);
  const hooks = readdirSync(join(ROOT, "plugin/dist/hooks"));
  for (const hook of hooks) {
    const env = environment(node, { HOME: home, CLAUDE_PLUGIN_DATA: join(home, "data") });
    const { status, stderr } = run([join("plugin/dist/hooks", hook)], payloadFor(hook), env);
    if (status !== 0 || stderr !== "") failures.push(`${hook} ended with ${status}: ${stderr}`);
  }
  console.log(`the demo and ${hooks.length} hooks: ${failures.length === 0 ? "passed" : "failed"}`);
  if (version === OLDEST) return failures;
  // The ring starts its scripts with the node it runs on itself.
  const ring = spawnSync(node, ["node_modules/vitest/vitest.mjs", "run"], {
    cwd: ROOT,
    env: environment(node),
    stdio: "inherit",
  });
  return ring.status === 0 ? failures : [...failures, "the default ring failed"];
}

const scriptOf = (event: string) => `${event.replace(/(?<!^)[A-Z]/g, "-$&").toLowerCase()}.cjs`;

function payloadFor(hook: string): string {
  const name = readdirSync(PAYLOADS).find((file) => scriptOf(file.split(/[-.]/)[0] ?? "") === hook);
  if (!name) throw new Error(`no payload for ${hook}`);
  return readFileSync(join(PAYLOADS, name), "utf8");
}

const failed = WANTED.flatMap((version) => {
  const directory = mkdtempSync(join(tmpdir(), `swarm-node-${version}-`));
  try {
    chmodSync(directory, 0o755); // one test runs its script as nobody
    const node = fetchNode(version, directory);
    console.log(`\n== node ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}`);
    const home = join(directory, "home");
    mkdirSync(home);
    return failuresOn(node, version, home).map((failure) => `node ${version}: ${failure}`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
console.log(failed.length === 0 ? `\npassed on node ${WANTED.join(", ")}` : `\n${failed.join("\n")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
