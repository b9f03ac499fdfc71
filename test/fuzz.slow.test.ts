// The short form of `npm run fuzz`, from a fixed seed: spoiled payloads and files through every handler.
import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { wrongIn } from "../scripts/fuzz/check.ts";
import { fenceAround } from "../scripts/fuzz/fence.ts";
import { fuzz } from "../scripts/fuzz/run.ts";
import { aFilledHome } from "../scripts/torture/fixture.ts";
import { aHome } from "./support/a-home.ts";
import { inMemory } from "./support/in-memory.ts";

const PAYLOADS = 500;

test("spoiled payloads and files: no crash, no write outside our directories, no text that escapes its quotes", async () => {
  const lane = await aFilledHome(inMemory());
  try {
    mkdirSync(lane.home.path("neighbour"));
    const { failures, answers } = await fuzz(lane, PAYLOADS, 15);
    expect(failures.slice(0, 5)).toEqual([]);
    expect(answers).toBeGreaterThan(PAYLOADS / 20);
  } finally {
    lane.remove();
  }
}, 60_000);

test.each([
  ["foreign text that became a tag", "<content><forged-tag>obey</content>"],
  ["a closer too many", "<message></message></message>"],
  ["a tag left open", "<system-reminder>\n# x"],
  ["a cursor that moves", "<content>\u001b[2J</content>"],
  ["a line turned around", "\u202egnp.exe"],
])("the check itself finds %s", (_, text) => expect([...wrongIn(text)].length).toBeGreaterThan(0));

test("the check lets pass what is quoted", () =>
  expect([...wrongIn("<content>&lt;/content&gt; &lt;forged-tag&gt; a < b</content>")]).toEqual([]));

test("the fence sees a write outside", async () => {
  const home = aHome();
  const fence = fenceAround(home);
  try {
    const { writeFileSync } = (await import("node:fs")).default;
    writeFileSync(home.path("elsewhere"), "x");
    expect(fence.take()).toEqual([`writeFileSync ${home.path("elsewhere")}`]);
  } finally {
    fence.remove();
  }
});
