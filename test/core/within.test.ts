import { mkdirSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { realPathWithin } from "../../lib/core/files.ts";
import { aHome } from "../support/a-home.ts";

test("what lies inside is found, through links that stay inside", () => {
  const home = aHome();
  home.write("project/docs/a.md", "a");
  symlinkSync(home.path("project/docs"), home.path("project/link"));
  expect(realPathWithin(home.path("project/link/a.md"), [home.project])).toBe(home.path("project/docs/a.md"));
  expect(realPathWithin(home.project, [home.project])).toBe(home.project);
});

test.each([
  ["up and out", "project/../secret"],
  ["a link out", "project/out"],
  ["below a link out", "project/away/secret"],
  ["a sister with the same beginning", "project-two/x"],
  ["nothing there", "project/none"],
  ["a link that goes round", "project/loop"],
])("is not inside: %s", (_, path) => {
  const home = aHome();
  home.write("secret", "s");
  home.write("elsewhere/secret", "s");
  home.write("project-two/x", "x");
  mkdirSync(home.path("project/sub"));
  symlinkSync(home.path("secret"), home.path("project/out"));
  symlinkSync(home.path("elsewhere"), home.path("project/away"));
  symlinkSync(home.path("project/loop"), home.path("project/loop"));
  expect(realPathWithin(home.path(path), [home.project])).toBeUndefined();
});

test("a file whose name begins with two dots is inside all the same", () => {
  const home = aHome();
  home.write("project/..notes", "n");
  expect(realPathWithin(home.path("project/..notes"), [home.project])).toBe(home.path("project/..notes"));
});
