import { expect, test } from "vitest";
import { stepsIn } from "../../scripts/docs/console.ts";
import { isDemo, read, wrongIn } from "./wrong-in-a-page.ts";

test("the demo prints what README shows", () => {
  expect(stepsIn(read("README.md")).filter(isDemo)).toHaveLength(1);
  expect(wrongIn("README.md", isDemo)).toEqual([]);
});
