// Every entry's features in their order, without its run: the entries are bundled with a runner that only notes them.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin, stop } from "esbuild";
import type { AnyEvent } from "../../lib/hook/events.ts";
import type { Steps } from "../../lib/hook/run.ts";
import { ROOT } from "../../test/support/run-built.ts";
import { eagerImports } from "../lazy-imports.mjs";

export interface Entry {
  script: string;
  event: AnyEvent;
  steps: Steps<AnyEvent>;
}

/** The same handlers as in the product; only what calls them is ours here. */
const notingRunner: Plugin = {
  name: "noting-runner",
  setup: ({ onResolve }) =>
    onResolve({ filter: /lib\/hook\/run\.ts$/ }, ({ importer }) =>
      importer.startsWith(join(ROOT, "hooks"))
        ? { path: join(ROOT, "scripts/fuzz/noting-runner.ts") }
        : undefined,
    ),
};

export async function loadEntries(): Promise<Entry[]> {
  const scripts = readdirSync(join(ROOT, "hooks")).map((name) => name.replace(/\.ts$/, ""));
  const directory = mkdtempSync(join(tmpdir(), "swarm-fuzz-bundle-"));
  const outfile = join(directory, "entries.cjs");
  try {
    await build({
      stdin: {
        contents: scripts.map((name) => `require("./hooks/${name}.ts");`).join("\n"),
        resolveDir: ROOT,
        loader: "js",
      },
      outfile,
      bundle: true,
      platform: "node",
      format: "cjs",
      plugins: [notingRunner, eagerImports()],
      logLevel: "error",
    });
    if (!readFileSync(outfile, "utf8").includes("swarmNoted"))
      throw new Error("the noting runner did not replace lib/hook/run.ts: the entries would wait for stdin");
    const noted: Omit<Entry, "script">[] = [];
    (globalThis as { swarmNoted?: unknown }).swarmNoted = noted;
    createRequire(outfile)(outfile);
    return noted.map((one, at) => ({ ...one, script: scripts[at] ?? "" }));
  } finally {
    await stop(); // its process outlives the build
    rmSync(directory, { recursive: true, force: true });
  }
}
