// Builds plugin/dist (one self-contained CommonJS file per hook, for the CLI and per lazy part) and hooks.json. A hook's own code is
// in dist/body; its script in dist/hooks is the loader, which starts it from bytecode.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { hooksJson } from "./hooks-json.mjs";
import { lazyEntries, lazyImports } from "./lazy-imports.mjs";
import { replaceFile, replaceFiles } from "./replace-files.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lib = join(root, "lib");
/** The one folder a marketplace installs. */
const shipped = join(root, "plugin");
const out = join(shipped, "dist");

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
    mainFields: ["module", "main"], // jsonc-parser's main is UMD, which cannot be bundled
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

/** Lazy parts that these entries nearly always need in a team: in their own bundle they share what it has (zod, the stores), and
 *  reading a part of its own takes more than its code does. */
const MEMBER = ["core/toml.ts", "sessions/lifecycle-relay.ts"];
const HELD = {
  "session-start": [...MEMBER, "teams/registration.ts", "mail/deliver.ts"],
  stop: [...MEMBER, "mail/deliver.ts"],
  "session-end": [...MEMBER, "teams/registration.ts"],
  "pre-tool-use": ["core/toml.ts"],
};
/** Bodies and the guard's parts, the largest that tool calls load, are function expressions: a source that is put into a wrapper at each
 *  start is copied, and V8 collects garbage in the middle of a dearer call (0.03 to 0.07 of a start). Other parts are plain modules,
 *  since Node itself loads some of them. */
const WRAPPED = {
  banner: { js: "(function (exports, require, module, __filename, __dirname) {" },
  footer: { js: "})" },
};
const isOfGuard = ({ in: file }) => file.startsWith(join(lib, "guard"));

const bodies = [...entries("hooks", "body"), { in: join(root, "scripts/swarm.ts"), out: "body/swarm" }];
const heldBy = ({ out: name }) => HELD[basename(name)];
const isPlain = (one) => !heldBy(one);
const body = (ins, held) => bundle(ins, { ...WRAPPED, plugins: [lazyImports(lib, held)] });
const bundles = await Promise.all([
  bundle(lazyEntries(lib).filter((one) => !isOfGuard(one))),
  bundle(lazyEntries(lib).filter(isOfGuard), WRAPPED),
  body(bodies.filter(isPlain)), // together: each file is parsed once
  ...bodies.filter(heldBy).map((one) => body([one], heldBy(one))),
]);
const parts = bundles.flat();
const hashedNames = parts.map(({ path, text }) => `\n${partName(path)} ${hashOf(text)}`).join("");
const [loader] = await bundle([{ in: join(lib, "hook/loader.ts"), out: "loader" }], {
  define: { HASHED_NAMES: JSON.stringify(hashedNames) },
});
const started = [...namesIn("hooks").map((name) => `hooks/${name}`), "cli/swarm"].map((name) => ({
  path: join(out, `${name}.cjs`),
  text: loader.text,
}));

replaceFiles(out, [...parts, ...started]);
for (const folder of [root, shipped]) replaceFile(join(folder, "hooks.json"), hooksJson());
