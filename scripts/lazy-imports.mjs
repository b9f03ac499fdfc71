// `import { f } from "./x.ts" with { loading: "lazy" }`: x.ts becomes a bundle of its own, dist/lazy/…, which is loaded by the first
// call of one of its functions. Without the build (tsx, vitest, knip) it is an ordinary import; so x.ts may export functions only.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";

/** The formatter may break the attribute over several lines. */
const LAZY_IMPORT = /from "(\.[^"]+\.ts)"( with \{\s*loading: "lazy",?\s*\})/g;

/** `lib/mail/deliver.ts` becomes `lazy/mail-deliver`. */
const nameOf = (lib, file) => `lazy/${relative(lib, file).replace(/\.ts$/, "").replaceAll(/[\\/]/g, "-")}`;

export function lazyEntries(lib) {
  const sources = readdirSync(lib, { recursive: true }).filter((name) => name.endsWith(".ts"));
  const files = sources.flatMap((name) =>
    [...readFileSync(join(lib, name), "utf8").matchAll(LAZY_IMPORT)].map(([, path]) =>
      join(dirname(join(lib, name)), path),
    ),
  );
  return [...new Set(files)].sort().map((file) => ({ in: file, out: nameOf(lib, file) }));
}

async function exportsOf(file) {
  const { metafile } = await build({ entryPoints: [file], write: false, format: "esm", metafile: true });
  return Object.values(metafile.outputs).flatMap((output) => output.exports);
}

/** `eager`: files below lib that this bundle holds itself all the same. */
export const lazyImports = (lib, eager = []) => ({
  name: "lazy-imports",
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, with: attributes }) => {
      if (attributes.loading !== "lazy") return undefined;
      const file = join(resolveDir, path);
      return eager.some((name) => join(lib, name) === file)
        ? { path: file, namespace: "eager" }
        : { path: file, namespace: "lazy", sideEffects: false };
    });
    build.onResolve({ filter: /^\.\.\/lazy\// }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /.*/, namespace: "eager" }, ({ path }) => ({
      contents: `export * from ${JSON.stringify(path)};`,
      resolveDir: dirname(path),
    }));
    build.onLoad({ filter: /.*/, namespace: "lazy" }, async ({ path }) => ({
      contents: [
        "let part;",
        `const load = () => (part ??= require("../${nameOf(lib, path)}.cjs"));`,
        ...(await exportsOf(path)).map(
          (name) => `export const ${name} = (...args) => load().${name}(...args);`,
        ),
      ].join("\n"),
    }));
  },
});

/** For a bundle of everything in one file: lazy imports become ordinary ones. */
export const eagerImports = () => ({
  name: "eager-imports",
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(LAZY_IMPORT, 'from "$1"'),
      loader: "ts",
    }));
  },
});
