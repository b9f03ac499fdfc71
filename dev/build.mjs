// Builds every entry into one self-contained CommonJS file. What a source loads by `require("….ts")` is needed by few calls and
// becomes a file of its own, so that the others do not carry it.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, "dist");

const entries = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({ in: join(root, folder, name), out: `${folder}/${basename(name, ".ts")}` }));

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

/** Every module asks for its built-ins; in one file once is enough, and each `require` costs. */
const once = (code) => {
  const names = [...new Set([...code.matchAll(/=require\("node:(fs|path)"\)/g)].map((found) => found[1]))];
  const hoisted = names.map((name) => `$${name}=require("node:${name}")`).join(",");
  return hoisted ? `var ${hoisted};${code.replace(/=require\("node:(fs|path)"\)/g, "=$$$1")}` : code;
};

rmSync(out, { recursive: true, force: true });
const { outputFiles } = await build({
  entryPoints: [
    ...entries("hooks"),
    ...entries("scripts"),
    ...lazy.map((file) => ({ in: file, out: lazyName(file) })),
  ],
  outdir: out,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  legalComments: "none",
  plugins: [keepLazyApart],
  logLevel: "warning",
  write: false,
});
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, once(text.replace(/^"use strict";/, "")));
}

// What a marketplace installs. Links would do for all of it, but `claude plugin validate --strict` wants real files here.
const shipped = join(root, "plugin");
for (const name of [".claude-plugin/plugin.json", "hooks.json", "commands", "skills"]) {
  rmSync(join(shipped, name), { recursive: true, force: true });
  cpSync(join(root, name), join(shipped, name), { recursive: true });
}
