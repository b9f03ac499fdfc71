// `npm test [-- FILE…]`: the build, and types and lint beside it and beside the default ring: two cores are rarely both busy. What
// fails first ends the rest, and is printed last.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isTerminal = process.stdout.isTTY === true;
const running = new Set();

function start(file, args, stdio) {
  const child = spawn(process.execPath, [join(root, "node_modules", file), ...args], { cwd: root, stdio });
  running.add(child);
  const ended = new Promise((resolve) =>
    child.on("close", (code, signal) => {
      running.delete(child);
      resolve(code === 0 && !signal);
    }),
  );
  return { child, ended };
}

/** Says nothing unless it fails. */
async function check(file, args) {
  const { child, ended } = start(file, args, ["ignore", "pipe", "pipe"]);
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(chunk));
  if (await ended) return;
  fail(Buffer.concat(said));
}

let failure;

/** The first reason counts: what it ends fails as well. */
function fail(said) {
  if (failure) return;
  failure = said;
  process.exitCode = 1;
  for (const child of running) child.kill();
}

/** One thread: more would check shared types several times, and the ring needs the other core. */
const types = check("typescript/bin/tsc", ["--noEmit", "--singleThreaded", "--pretty", String(isTerminal)]);
const lint = check("@biomejs/biome/bin/biome", ["check", `--colors=${isTerminal ? "force" : "off"}`, "."]);

async function ring() {
  await import("./build.mjs");
  if (failure) return;
  const { ended } = start("vitest/vitest.mjs", ["run", ...process.argv.slice(2)], "inherit");
  if (!(await ended)) fail(Buffer.alloc(0));
}

await Promise.all([types, lint, ring()]);
if (failure) process.stderr.write(failure);
