// Builds dist/ (one self-contained CommonJS file per hook, verb and lazy part), hooks.json and plugin/. A hook's own code is in
// dist/body; its script in dist/hooks is the loader, which starts it from bytecode.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { hooksJson } from "./hooks-json.mjs";
import { lazyEntries, lazyImports } from "./lazy-imports.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lib = join(root, "lib");
const out = join(root, "dist");

const namesIn = (folder) => readdirSync(join(root, folder)).map((name) => basename(name, ".ts"));
const entries = (folder, to) =>
  namesIn(folder).map((name) => ({ in: join(root, folder, `${name}.ts`), out: `${to}/${name}` }));

async function bundle(entryPoints, more = {}) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: out,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    legalComments: "none",
    logLevel: "warning",
    write: false,
    plugins: [lazyImports(lib)],
    ...more,
  });
  return outputFiles.map(({ path, text }) => ({ path, text }));
}

const partName = (path) =>
  relative(out, path)
    .replace(/\.cjs$/, "")
    .replaceAll("\\", "/");
const hashOf = (text) => createHash("sha256").update(text).digest("hex").slice(0, 16);

const parts = await bundle([...entries("hooks", "body"), ...lazyEntries(lib)]);
const verbs = await bundle(entries("scripts", "scripts"));
const hashes = Object.fromEntries(parts.map(({ path, text }) => [partName(path), hashOf(text)]));
const [loader] = await bundle([{ in: join(lib, "run/loader.ts"), out: "loader" }], {
  define: { HASHES: JSON.stringify(hashes) },
});
const hooks = namesIn("hooks").map((name) => ({
  path: join(out, "hooks", `${name}.cjs`),
  text: loader.text,
}));

rmSync(out, { recursive: true, force: true });
for (const { path, text } of [...parts, ...verbs, ...hooks]) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
writeFileSync(join(root, "hooks.json"), hooksJson());

// What a marketplace installs: real files, since `claude plugin validate --strict` accepts no links for these.
const shipped = join(root, "plugin");
for (const name of [".claude-plugin/plugin.json", "hooks.json", "commands", "skills"]) {
  rmSync(join(shipped, name), { recursive: true, force: true });
  cpSync(join(root, name), join(shipped, name), { recursive: true });
}
