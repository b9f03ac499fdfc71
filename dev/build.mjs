// Builds every entry into one self-contained CommonJS file. What a source loads by `require("….ts")` is needed by few calls and
// becomes a file of its own, so that the others do not carry it. A hook's code lies in dist/body; its script in dist/hooks only
// starts it, from bytecode where there is some.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, "dist");

const namesIn = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => basename(name, ".ts"));
const entries = (folder, to) =>
  namesIn(folder).map((name) => ({ in: join(root, folder, `${name}.ts`), out: `${to}/${name}` }));

const sources = readdirSync(join(root, "lib"), { recursive: true })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => join(root, "lib", name));
const required = (file) =>
  [...readFileSync(file, "utf8").matchAll(/require\("(\.[^"]+\.ts)"\)/g)].map((found) =>
    join(dirname(file), found[1]),
  );
const lazy = [...new Set(sources.flatMap(required))].sort();

/** `lib/features/inbox/deliver.ts` becomes `lazy/inbox-deliver`. */
const lazyName = (file) =>
  `lazy/${relative(join(root, "lib"), file).replace(/\.ts$/, "").split("/").slice(1).join("-")}`;

const keepLazyApart = {
  name: "keep-lazy-apart",
  setup: (build) =>
    build.onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) => {
      if (kind !== "require-call") return undefined;
      return { path: `../${lazyName(join(resolveDir, path))}.cjs`, external: true };
    }),
};

const BUILT_IN = /(?:=|(?<=^var [\w$]+) = )require\("node:(fs|path)"\)/gm;
/** Every module asks for its built-ins; in one file once is enough, and each `require` costs. */
const once = (code) => {
  const names = [...new Set([...code.matchAll(BUILT_IN)].map((found) => found[1]))];
  const hoisted = names.map((name) => `$${name}=require("node:${name}")`).join(",");
  return hoisted ? `var ${hoisted};${code.replace(BUILT_IN, "=$$$1")}` : code;
};

const options = {
  absWorkingDir: root,
  outdir: out,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  inject: [join(root, "lib/parse/text-decoder.ts")],
  minifyIdentifiers: true,
  minifySyntax: true,
  minifyWhitespace: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  legalComments: "none",
  logLevel: "warning",
  write: false,
};
const written = async (more) => {
  const { outputFiles } = await build({ ...options, ...more });
  return outputFiles.map(({ path, text }) => ({ path, text: once(text.replace(/^"use strict";/, "")) }));
};
/** What runs from bytecode is one function, whole in its file; where `require` loads it instead, it calls itself. */
const PARAMETERS = "(require,__dirname,module,exports)";
const asFunction = (text) => {
  if (/[^\0-\x7f]/.test(text)) throw new Error("what is read as ASCII holds something else");
  return `(typeof module=="object"?f=>f${PARAMETERS}:f=>f)(function${PARAMETERS}{${text.trimEnd()}\n})\n`;
};
/** What a part gives is a plain object at its end: esbuild's getters over getters cost as much as many a part's work. */
const GIVEN =
  /var [\w$]+=Object\.defineProperty;.*?var ([\w$]+)=\{\};([\w$]+)\(\1,\{(.*?)\}\);module\.exports=[\w$]+\(\1\);(.*)0&&\(module\.exports=.*/s;
const plainlyGiven = (text) =>
  text.replace(GIVEN, (whole, _, getters, names, code) =>
    code.includes(`={};${getters}(`) ? whole : `${code}module.exports={${names.replaceAll("()=>", "")}};`,
  );
const isStarted = (path) => ["body", "lazy"].includes(basename(dirname(path)));

const plain = await written({
  entryPoints: [
    ...entries("hooks", "body"),
    ...entries("scripts", "scripts"),
    ...lazy.map((file) => ({ in: file, out: lazyName(file) })),
  ],
  plugins: [keepLazyApart],
});

const bundles = plain.map(({ path, text }) => ({
  path,
  text: isStarted(path) ? asFunction(plainlyGiven(text)) : text,
}));

const version = bundles.reduce((hash, { text }) => hash.update(text), createHash("sha256"));
const BUILD = JSON.stringify(version.digest("hex").slice(0, 12));
/** V8 passes over a function and comes back when it is called, unless it stands in parentheses. */
const compiledAtOnce = (code) =>
  code.replace(/^function ([\w$]+)(\(.*?^\})$/gms, "var $1 = (function$2);").replace(/^ +/gm, "");
const starterFor = async (isBeforeTools) => {
  const [starter] = await written({
    entryPoints: [{ in: join(root, "lib/run/start-hook.ts"), out: "start-hook" }],
    plugins: [keepLazyApart],
    define: { BUILD, BEFORE_TOOLS: String(isBeforeTools) },
    minifyWhitespace: false,
  });
  return compiledAtOnce(starter.text);
};
const usual = await starterFor(false);
const beforeTools = await starterFor(true);
const starters = namesIn("hooks").map((name) => ({
  path: join(out, "hooks", `${name}.cjs`),
  text: (name === "pre-tool-use" ? beforeTools : usual).replace("BODY", `body/${name}.cjs`),
}));

rmSync(out, { recursive: true, force: true });
for (const { path, text } of [...bundles, ...starters]) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

// What a marketplace installs. Links would do for all of it, but `claude plugin validate --strict` wants real files here.
const shipped = join(root, "plugin");
for (const name of [".claude-plugin/plugin.json", "hooks.json", "commands", "skills"]) {
  rmSync(join(shipped, name), { recursive: true, force: true });
  cpSync(join(root, name), join(shipped, name), { recursive: true });
}
