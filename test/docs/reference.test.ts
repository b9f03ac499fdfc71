// The committed reference pages are what the code declares.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { referencePages } from "../../dev/docs/reference.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const pages = referencePages();

test.each(Object.entries(pages))("%s is as `npm run docs` writes it", (path, text) =>
  expect(readFileSync(join(ROOT, path), "utf8")).toBe(text),
);
test("no other page stands among them", () =>
  expect(readdirSync(join(ROOT, "docs/reference")).map((name) => `docs/reference/${name}`)).toEqual(
    Object.keys(pages).sort(),
  ));
