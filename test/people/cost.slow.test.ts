// Costs of very long sessions and of many forks.
import { statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { aHome } from "../support/a-home.ts";
import { costs } from "./costs.ts";
import { answer, append, MODEL, mainFile } from "./transcripts.ts";

const INDEX = ".claude/swarm/cost/index.jsonl";

describe("what happens meanwhile", () => {
  test("an index of many forks is not written anew each time", () => {
    const home = aHome();
    const answers = (session: string) =>
      Array.from({ length: 2_000 }, (_, n) => answer({ id: `m${n}`, session, output: 1 })).flat();
    for (let n = 0; n < 7; n++) append(home, mainFile(`s${n}`), answers(`s${n}`));
    costs(home);
    costs(home);
    const { ino } = statSync(home.path(INDEX));
    costs(home);
    expect(statSync(home.path(INDEX)).ino).toBe(ino);
    expect(costs(home).totals.messages).toBe(2_000);
  });

  test("a session may be longer than a call has arguments", () => {
    const home = aHome();
    const lines = Array.from({ length: 150_000 }, (_, n) =>
      JSON.stringify(["m", `m${n}`, "s1", "", n, MODEL, "", 1, 1, 0, 0, 0, 0]),
    );
    home.write(INDEX, `${lines.join("\n")}\n${JSON.stringify(["c", "s1", 200_000, 1, []])}\n`);
    expect(costs(home).totals.messages).toBe(150_000);
  });
});
