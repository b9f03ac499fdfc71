// Generated commands, from a fixed seed. SWARM_FUZZ=100000 runs the long form, SWARM_FUZZ_SEED=7 another one.
import { expect, test } from "vitest";
import { judge, judgePowerShell } from "../../lib/guard/judge.ts";
import { programNames } from "../../lib/guard/shell/run-program.ts";
import { type Random, randomness } from "../support/random.ts";
import { aSituation } from "./a-situation.ts";
import { harmlessCommands, stoppedCommands } from "./corpus.ts";
import { AROUND, isSimple, type Spelling, WORDWISE } from "./spellings.ts";

const RUNS = Number(process.env["SWARM_FUZZ"] ?? 1_000);
const SEED = Number(process.env["SWARM_FUZZ_SEED"] ?? 0);
const LONG = 60_000 + RUNS * 20;
const LONGEST_MS = 50;

const DENIED = stoppedCommands("cases/bash");
const ALLOWED = harmlessCommands("cases/bash");
const BOTH = [...DENIED, ...ALLOWED];
const POWERSHELL = [...stoppedCommands("cases/powershell"), ...harmlessCommands("cases/powershell")];
const SITUATION = aSituation();

const PIECES = [
  ..."' \" ` $ ( ) { } [ ] | & ; < > \\ # ! ~ * ? = - / . , : @ % ^ + \n \t".split(" "),
  ..."$( ${ $(( << <<< <( >( && || >> 2>&1 << 'E'\n \nE\n rm -rf sudo git kill echo bash -c eval python3 node -e find -exec xargs".split(
    " ",
  ),
  ..."for in do done if then fi while case esac function x=1 $x $HOME ~/ /etc .env --force reset 4242 constructor toString __proto__ é 漢 \u0000 \uE000".split(
    " ",
  ),
];

const garbage = (random: Random) =>
  Array.from({ length: 1 + random.below(30) }, () => random.pick(PIECES)).join(random.pick(["", " "]));

function mutated(random: Random, commands: readonly string[] = BOTH): string {
  const command = random.pick(commands);
  const at = random.below(command.length + 1);
  return command.slice(0, at) + random.pick(PIECES) + command.slice(at + random.below(3));
}

const TOKENS = [...new Set(BOTH.flatMap((command) => command.split(/[ \n]+/)))];
const NAMES = programNames();
const OPERATORS = [" && ", " || ", "; ", " | ", "\n", " > ", " >> ", " 2>&1 | "];

/** Programs we know with words that occur somewhere: most of it is nonsense, all of it is plain. */
function jumbled(random: Random): string {
  const one = () =>
    [random.pick(NAMES), ...Array.from({ length: random.below(5) }, () => random.pick(TOKENS))].join(" ");
  return Array.from({ length: 1 + random.below(3) }, one).reduce(
    (line, next) => line + random.pick(OPERATORS) + next,
  );
}

test(
  "nothing throws, nothing takes long",
  () => {
    for (const command of DENIED) judge(command, SITUATION); // loads every page, which is not to be timed
    const random = randomness(SEED + 15);
    const slow: string[] = [];
    for (let run = 0; run < RUNS; run++) {
      const command = [garbage, mutated, jumbled][run % 3]?.(random) ?? "";
      const start = process.cpuUsage();
      judge(command, SITUATION);
      if (process.cpuUsage(start).user / 1000 > LONGEST_MS) slow.push(command);
    }
    // A pause of the garbage collector may fall into one command, not into many.
    expect(slow.length, slow.join("\n---\n")).toBeLessThanOrEqual(1 + RUNS / 5_000);
  },
  LONG,
);

test(
  "PowerShell: nothing throws, nothing takes long",
  () => {
    for (const command of POWERSHELL) judgePowerShell(command, SITUATION);
    const random = randomness(SEED + 51);
    const slow: string[] = [];
    for (let run = 0; run < RUNS / 4; run++) {
      const command = run % 4 === 0 ? garbage(random) : mutated(random, POWERSHELL);
      const start = process.cpuUsage();
      judgePowerShell(command, SITUATION);
      if (process.cpuUsage(start).user / 1000 > LONGEST_MS) slow.push(command);
    }
    expect(slow.length, slow.join("\n---\n")).toBeLessThanOrEqual(1 + RUNS / 5_000);
  },
  LONG,
);

/** The corpus holds some commands whose meaning depends on their place; these stay the same everywhere. */
const CORES = DENIED.filter(
  (command) => !/\n|^\s*[&|#]|<<|\\$|'unterminated/.test(command) && command.length < 120,
);
const SIMPLE = CORES.filter((command) => isSimple(command) && !/^(\w+=|coproc )/.test(command));

function respelled(random: Random): { command: string; from: string } {
  const isWordwise = random.below(3) === 0;
  const from = random.pick(isWordwise ? SIMPLE : CORES);
  let command = isWordwise ? random.pick(WORDWISE)(from) : from;
  const depth = random.below(isWordwise ? 2 : 3) + (isWordwise ? 0 : 1);
  for (let level = 0; level < depth; level++) command = random.pick<Spelling>(AROUND)(command);
  return { command, from };
}

test(
  "a denied command stays denied in every other spelling",
  () => {
    const random = randomness(SEED + 27);
    const missed: string[] = [];
    for (let run = 0; run < RUNS; run++) {
      const { command } = respelled(random);
      if (command.length < 20_000 && !judge(command, SITUATION)) missed.push(command);
    }
    expect(missed.slice(0, 20).join("\n---\n")).toBe("");
  },
  LONG,
);

/** Then the second means something else behind the first. */
const setsWhatIsUsed = (before: string, core: string) =>
  [...before.matchAll(/\b(\w+) *=/g)].some(([, name]) => new RegExp(`\\$\\W?${name}\\b`).test(core));

test(
  "harmless commands around a denied one never let it pass",
  () => {
    const random = randomness(SEED + 39);
    const moves = /\n|<<|\\$|#|[&;]\s*$|'unterminated|\b(exit|exec|set|cd|pushd|alias|trap)\b|\w\(\)|^\/\*/;
    const harmless = ALLOWED.filter((command) => !moves.test(command));
    const cores = CORES.filter((command) => !/\$\W?X/.test(command));
    const missed: string[] = [];
    for (let run = 0; run < RUNS; run++) {
      const [before, core, after] = [random.pick(harmless), random.pick(cores), random.pick(harmless)];
      const command = [before, core, after].join(random.pick(["; ", "\n", " && ", " || "]));
      if (!setsWhatIsUsed(before, core) && !judge(command, SITUATION)) missed.push(command);
    }
    expect(missed.slice(0, 20).join("\n---\n")).toBe("");
  },
  LONG,
);

test("harmless commands stay harmless in other spellings", () => {
  const random = randomness(SEED + 51);
  const harmless = ALLOWED.filter(
    (command) =>
      isSimple(command) && !/^(cd|exec|set|source|trap|eval|export|wait|jobs|kill|fg|\.) ?/.test(command),
  );
  const denied: string[] = [];
  for (let run = 0; run < Math.min(RUNS, 4_000); run++) {
    const from = random.pick(harmless);
    const command = random.below(2) ? random.pick(WORDWISE)(from) : random.pick(AROUND)(from);
    if (judge(command, SITUATION)) denied.push(command);
  }
  expect(denied.slice(0, 20).join("\n---\n")).toBe("");
});
