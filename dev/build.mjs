// Builds every entry into one self-contained CommonJS file. Modules in `lazy` are loaded by few calls and stand apart,
// so that the others do not carry them.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lazy = ["lib/parse/toml.ts"].map((file) => join(root, file));
const out = join(root, "dist");

const entries = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({ in: join(root, folder, name), out: `${folder}/${basename(name, ".ts")}` }));

const lazyName = (file) => `lazy/${basename(file, ".ts")}`;

const keepLazyApart = {
  name: "keep-lazy-apart",
  setup: (build) =>
    build.onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) => {
      if (kind !== "require-call") return undefined;
      const file = join(resolveDir, path);
      if (!lazy.includes(file)) throw new Error(`${relative(root, file)} is required but not listed as lazy`);
      return { path: `../${lazyName(file)}.cjs`, external: true };
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
