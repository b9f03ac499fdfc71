// `npm run walk -- <payload.json> [--home DIR | --team]`: which files of lib/ a payload passes through, in order, and how many.
// The hook runs from source, so that what is printed are the files one reads. What modules declare while they are loaded is not part of
// it: the walk begins with `runHook`. Without --home an empty home is used, with --team one of a team whose lead has mail.
import { parseArgs } from "node:util";
import { filesWalked } from "./walk/files.ts";

const { values, positionals } = parseArgs({
  options: { home: { type: "string" }, team: { type: "boolean" } },
  allowPositionals: true,
});
const [payload] = positionals;
if (payload) {
  const files = filesWalked(payload, values);
  console.log([...files, `${files.length} files`].join("\n"));
} else {
  console.error("usage: npm run walk -- <payload.json> [--home DIR | --team]");
  process.exitCode = 2;
}
