import { expect, test } from "vitest";
import { isRare, PACKS } from "../../lib/guard/shell/rare-programs.ts";
import { isCommon, NOT_LISTED, PACK_WORDS } from "../../lib/guard/shell/run-program.ts";

test("every common program that a pack speaks about is known to load the packs", () => {
  const programs = Object.values(PACKS).flatMap((rows) => rows.flatMap((row) => row.programs.split(" ")));
  expect(programs.filter((name) => isCommon(name) && !PACK_WORDS.has(name))).toEqual([]);
  expect(programs.filter(isCommon).length).toBeGreaterThan(5);
});

test("programs for which the rare ones are not loaded are really in none of their tables", () =>
  expect(NOT_LISTED.words().filter(isRare)).toEqual([]));
