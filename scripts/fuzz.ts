// npm run fuzz [-- --count N] [-- --seed S]: spoiled payloads and files through every handler in this process, and a sample of them
// through the built scripts. Exit code 1 on a crash, a write outside our directories or a text that escapes its quotes.
import { mkdirSync } from "node:fs";
import { inMemory } from "../test/support/in-memory.ts";
import { wrongIn } from "./fuzz/check.ts";
import type { Entry } from "./fuzz/handlers.ts";
import { fuzz, textsOf } from "./fuzz/run.ts";
import { aFilledHome } from "./torture/fixture.ts";
import { inLanes, startHook } from "./torture/processes.ts";
import { described, isMeant } from "./torture/verdict.ts";

const argument = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const COUNT = argument("count", 100_000);
const SEED = argument("seed", 15);
const SAMPLES = argument("samples", 500);

async function main(): Promise<void> {
  const lane = await aFilledHome(inMemory());
  const sample: { payload: object; entry: Entry }[] = [];
  const began = Date.now();
  let run = 0;
  try {
    mkdirSync(lane.home.path("neighbour"));
    const found = await fuzz(lane, COUNT, SEED, (payload, entry) => {
      if (run++ % Math.ceil(COUNT / SAMPLES) === 0) sample.push({ payload: payload as object, entry });
    });
    const built: string[] = [];
    lane.renew();
    await inLanes(3, sample, async ({ payload, entry }) => {
      const ran = await startHook(lane.home, entry.script, payload, {
        env: { CLAUDE_CODE_TEAM_NAME: "atm-dev", CLAUDE_CODE_AGENT_NAME: "bob" },
      });
      if (!isMeant({ isHook: true }, ran)) built.push(`${entry.script}: ${described(ran)}`);
      for (const text of textsOf(ran)) built.push(...wrongIn(text));
    });
    const seconds = Math.round((Date.now() - began) / 1000);
    console.log(
      `seed ${SEED}: ${found.payloads} payloads, ${found.files} files spoiled meanwhile, ${found.answers} answers, ${found.refused} turned away, ${sample.length} also through the built scripts, ${seconds} s`,
    );
    for (const [what, times] of [...found.reported].sort((a, b) => b[1] - a[1]).slice(0, 25))
      console.log(`  reported ${times} times: ${what}`);
    const failures = [...found.failures, ...built];
    console.log(failures.length === 0 ? "nothing found" : `${failures.length} found`);
    if (failures.length > 0) console.error(failures.slice(0, 30).join("\n\n"));
    process.exitCode = failures.length > 0 ? 1 : 0;
  } finally {
    lane.remove();
  }
}

void main();
