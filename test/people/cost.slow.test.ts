// Costs of very long sessions and of many forks.
import { statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { costsOf, type Group } from "../../lib/people/store/costs.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { answer, append, MODEL, mainFile } from "./transcripts.ts";

const NOW = new Date("2026-02-20T12:00:00Z");

interface Asked {
  by?: Group;
  team?: string;
  since?: Date;
  prices?: Record<string, unknown>;
  until?: number;
}

const counting = (home: Home, { team, since, prices = {}, until = Number.POSITIVE_INFINITY }: Asked = {}) =>
  costsOf({ paths: home.paths, now: NOW, prices, team, since }, { until });

const costs = (home: Home, asked: Asked = {}) => counting(home, asked).by(asked.by ?? "agent");

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
