// npm run torture [-- --seconds N] [-- --seed S] [-- --only NAME]: the built scripts as real processes under everything that can
// go wrong on a machine. Without --seconds nothing is left out. Exit code 1 if any promise was broken, or a scenario
// had too few kills or calls to prove anything.
import { randomness } from "../test/support/random.ts";
import { SCENARIOS } from "./torture/all.ts";
import { type Ask, shortfalls } from "./torture/scenario.ts";

const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const SECONDS = Number(argument("seconds") ?? Number.POSITIVE_INFINITY);
const SEED = Number(argument("seed") ?? 15);
const only = argument("only");
const SHOWN_FAILURES = 20;

async function main(): Promise<void> {
  const chosen = SCENARIOS.filter(({ name }) => !only || name.includes(only));
  const weights = chosen.reduce((sum, { weight }) => sum + weight, 0);
  console.log(
    `node ${process.version}, seed ${SEED}${Number.isFinite(SECONDS) ? `, about ${SECONDS} s` : ""}\n`,
  );
  console.log("| scenario | what was done | figures | verdict | s |\n|---|---|---|---|---|");
  const broken: string[] = [];
  for (const { name, weight, atLeast, run } of chosen) {
    const began = Date.now();
    const random = randomness(SEED);
    const until = began + (SECONDS * 1000 * weight) / weights;
    const ask: Ask = {
      ...{ random, until, messages: 10_000, count: { points: 0, kills: 0 } },
      atLeast: { points: 0, kills: 0, ...atLeast },
    };
    const { done, figures, failures, isSkipped } = await run(ask);
    if (!isSkipped) failures.push(...shortfalls(ask));
    const verdict = failures.length === 0 ? "held" : `**${failures.length} broken**`;
    console.log(
      `| ${name} | ${done} | ${figures} | ${verdict} | ${Math.round((Date.now() - began) / 1000)} |`,
    );
    broken.push(...failures.map((failure) => `${name}: ${failure}`));
  }
  if (broken.length === 0) return;
  console.error(`\n${broken.length} broken:\n${broken.slice(0, SHOWN_FAILURES).join("\n")}`);
  process.exitCode = 1;
}

void main();
