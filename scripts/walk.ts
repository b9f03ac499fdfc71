// `npm run walk -- <payload.json> [--home DIR | --team]`: which files of lib/ a payload passes through, in order, and how many.
// The hook runs from source, so that what is printed are the files one reads. What modules declare while they are loaded is not part of
// it: the walk begins with `runHook`. Without --home an empty home is used, with --team one of a team whose lead has mail.
import { parseArgs } from "node:util";
import { filesWalked } from "./walk/files.ts";

const USAGE = "usage: npm run walk -- <payload.json> [--home DIR | --team]";

const parsed = () =>
  parseArgs({
    options: { home: { type: "string" }, team: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });

function refused(why: string): number {
  console.error(`${why}\n${USAGE}`);
  return 2;
}

/** Returns the exit code. */
function main(): number {
  let given: ReturnType<typeof parsed>;
  try {
    given = parsed();
  } catch (error) {
    return refused((error as Error).message);
  }
  const { values, positionals } = given;
  const [payload] = positionals;
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (!payload) return refused("no payload is named");
  const files = filesWalked(payload, values);
  console.log([...files, `${files.length} files`].join("\n"));
  return 0;
}

process.exitCode = main();
