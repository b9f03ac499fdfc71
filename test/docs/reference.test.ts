// The committed reference pages are what the code declares.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { referencePages } from "../../scripts/docs/reference.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const pages = referencePages();

test.each(Object.entries(pages))("%s is as `npm run docs` writes it", (path, text) =>
  expect(readFileSync(join(ROOT, path), "utf8")).toBe(text),
);
test("no other page stands among them", () =>
  expect(readdirSync(join(ROOT, "docs/reference")).map((name) => `docs/reference/${name}`)).toEqual(
    Object.keys(pages).sort(),
  ));
test("every environment variable on the settings page is read somewhere", () => {
  const [, table = ""] = (pages["docs/reference/settings.md"] ?? "").split("## Environment variables");
  const names = [...table.matchAll(/`([A-Z][A-Z_]+)`/g)].map((found) => found[1] ?? "");
  const code = readdirSync(join(ROOT, "lib"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(ROOT, "lib", name), "utf8"))
    .join("\n");
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !code.includes(`"${name}"`))).toEqual([]);
});
