// `npm run mutate [-- DOMAIN | FILE | stores … --count N --seed S --near | --escapes]`: breaks the source in a copy of the project and
// asks the tests whether they notice. Of each file N mutants are taken, 0 means all; with --near only the tests of the files' own
// domains are asked, which is quick; with --escapes every place that escapes foreign text. Prints each survivor and the share that was
// noticed, by domain. Broken code may end processes: it runs in a process namespace of its own, where the machine gives one
// (`unshare`, as root).
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { randomness } from "../test/support/random.ts";
import { aCopy, SOURCES, writeAndBuild } from "./a-copy.ts";
import { instrumented, type Mutant, mutantsOf } from "./mutate/mutants.ts";
import { testsOf } from "./mutate/near.ts";

const ROOT = join(import.meta.dirname ?? __dirname, "..");
/** Without a sign of life from a test for so long, the mutant hangs, which is noticed too. */
const SILENCE_MS = 90_000;

const STORES = ["core", "sessions", "teams", "tasks", "mail"];
const isStore = (file: string) =>
  file.startsWith("lib/core/")
    ? /\/(lock|json|spool|files)\.ts$/.test(file)
    : STORES.some((domain) => file.startsWith(`lib/${domain}/store`));

function filesOf(wanted: readonly string[]): string[] {
  const files = SOURCES.filter((file) =>
    wanted.some(
      (one) => file === one || file.startsWith(`lib/${one}/`) || (one === "stores" && isStore(file)),
    ),
  );
  if (files.length === 0) throw new Error(`no source: ${wanted.join(", ")}`);
  return files;
}

const domainOf = (file: string) => file.split("/")[1] ?? "";

function chosen(files: readonly string[], count: number, seed: number): Mutant[] {
  const random = randomness(seed);
  return files.flatMap((file, index) => {
    const all = mutantsOf(file, index, readFileSync(join(ROOT, file), "utf8"));
    while (count > 0 && all.length > count) all.splice(random.below(all.length), 1);
    return all;
  });
}

interface Place {
  copy: string;
  states: string;
  /** The tests' TMPDIR: what they keep for the whole run, and what a test that hangs leaves, lies here. */
  homes: string;
}

/** The project with all mutants in it, switched off, and built. */
function aPlace(files: readonly string[], mutants: readonly Mutant[]): Place {
  const copy = aCopy();
  const homes = mkdtempSync(join(tmpdir(), "swarm-ring-"));
  chmodSync(homes, 0o711); // a test runs a hook as another user
  const states = join(copy, ".mutants");
  mkdirSync(states);
  const ids = new Set(mutants.map(({ id }) => id));
  const changed = files.map((file, index): [string, string] => [
    file,
    instrumented(readFileSync(join(ROOT, file), "utf8"), index, ids, states),
  ]);
  writeAndBuild(copy, new Map(changed));
  return { copy, states, homes };
}

function remove({ copy, homes }: Place): void {
  for (const path of [copy, homes])
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

const hasNamespaces = spawnSync("unshare", ["-pf", "--mount-proc", "true"]).status === 0;

class Trial {
  readonly #place: Place;
  readonly #states: string;
  readonly #alive: Map<number, string>;
  readonly #near: string[];
  readonly #isNearOnly: boolean;

  /** `near`: where the tests are that should notice; they are tried first. */
  constructor(place: Place, mutants: readonly Mutant[], near: string[], isNearOnly: boolean) {
    this.#near = near;
    this.#isNearOnly = isNearOnly;
    this.#place = place;
    this.#states = place.states;
    this.#alive = new Map(mutants.map(({ id, file }) => [id, domainOf(file)]));
  }

  get survivors(): ReadonlySet<number> {
    return new Set(this.#alive.keys());
  }

  #lines = (name: string): string[] => {
    const path = join(this.#states, name);
    return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
  };

  get failing(): string[] {
    return [...new Set(this.#lines("failing"))];
  }

  /** The tests of the domains and those of whole hooks and verbs; after a hang those that are left, without the mutant that hung. */
  async run(): Promise<void> {
    while (this.#alive.size > 0) {
      writeFileSync(join(this.#states, "alive.json"), JSON.stringify([...this.#alive]));
      writeFileSync(join(this.#states, "active"), "0");
      const isEnded = await this.#once();
      for (const id of this.#lines("killed")) this.#alive.delete(Number(id));
      if (isEnded) return;
      const { mutant, file } = JSON.parse(this.#lines("current.json").join(""));
      if (!this.#alive.delete(mutant)) appendFileSync(join(this.#states, "done"), `${file}\n`);
    }
  }

  /** False where it hung and was ended. */
  #once(): Promise<boolean> {
    const namespace = hasNamespaces ? ["unshare", "-pf", "--mount-proc", "--kill-child"] : [];
    const [program = "", ...args] = [
      ...namespace,
      ...[
        process.execPath,
        "node_modules/vitest/vitest.mjs",
        "run",
        "--config",
        "scripts/mutate/vitest.config.mts",
      ],
    ];
    const skipped = this.#lines("done");
    const child: ChildProcess = spawn(program, args, {
      cwd: this.#place.copy,
      env: {
        ...process.env,
        TMPDIR: this.#place.homes,
        SWARM_MUTATE: this.#states,
        SWARM_MUTATE_SKIP: JSON.stringify(skipped),
        SWARM_MUTATE_NEAR: JSON.stringify(this.#near),
        SWARM_MUTATE_NEAR_ONLY: String(this.#isNearOnly),
      },
      stdio: ["ignore", "ignore", process.env["SWARM_MUTATE_SHOW"] ? "inherit" : "ignore"],
    });
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.once(signal, () => {
        child.kill("SIGKILL");
        remove(this.#place);
        process.exit(1);
      });
    return new Promise((resolve) => {
      let seen = "";
      let since = Date.now();
      const watch = setInterval(() => {
        const now = this.#lines("current.json").join("");
        if (now !== seen) since = Date.now();
        seen = now;
        if (Date.now() - since < SILENCE_MS) return;
        clearInterval(watch);
        child.kill("SIGKILL");
        resolve(false);
      }, 1_000);
      child.on("close", () => {
        clearInterval(watch);
        resolve(true);
      });
    });
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      count: { type: "string", default: "10" },
      seed: { type: "string", default: "1" },
      near: { type: "boolean", default: false },
      escapes: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const files = filesOf(positionals.length > 0 ? positionals : ["stores"]);
  const mutants = values.escapes
    ? chosen(files, 0, 1).filter(({ isEscape }) => isEscape)
    : chosen(files, Number(values.count), Number(values.seed));
  const place = aPlace(files, mutants);
  try {
    const near = values.escapes ? ["test/foreign-text"] : [...new Set(files.map(domainOf))].flatMap(testsOf);
    const trial = new Trial(place, mutants, near, values.near);
    await trial.run();
    if (!existsSync(join(place.states, "current.json"))) throw new Error("no test has run");
    report(mutants, trial.survivors, trial.failing);
  } finally {
    remove(place);
  }
}

function report(
  mutants: readonly Mutant[],
  survivors: ReadonlySet<number>,
  failing: readonly string[],
): void {
  for (const { id, file, line, before, after } of mutants)
    if (survivors.has(id))
      console.log(`survived  ${file}:${line}\n  - ${before}\n  + ${after || "(nothing)"}`);
  for (const one of failing) console.log(`not used, fails without a change: ${one}`);
  for (const domain of new Set(mutants.map(({ file }) => domainOf(file)))) {
    const all = mutants.filter(({ file }) => domainOf(file) === domain);
    const noticed = all.filter(({ id }) => !survivors.has(id)).length;
    console.log(
      `${domain.padEnd(10)} ${noticed} of ${all.length} noticed, ${Math.round((100 * noticed) / all.length)} %`,
    );
  }
}

void main();
