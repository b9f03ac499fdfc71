// The release habit. `npm version minor` runs `ready`, moves the version, runs `write`, commits and tags; the release workflow
// runs `check <tag>` and publishes what `notes` prints.
import { readFileSync, writeFileSync } from "node:fs";
import { disagreements, MANIFESTS, notesOf, released } from "./release/versions.ts";

const [step, tag] = process.argv.slice(2);
const changelog = readFileSync("CHANGELOG.md", "utf8");
const version: string = JSON.parse(readFileSync("package.json", "utf8")).version;

function write(): void {
  for (const path of MANIFESTS)
    writeFileSync(path, readFileSync(path, "utf8").replace(/("version": ")[^"]*/, `$1${version}`));
  writeFileSync("CHANGELOG.md", released(changelog, version));
}

function complain(problems: string[]): void {
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

if (step === "ready")
  complain(
    notesOf(changelog, "Unreleased") ? [] : ["CHANGELOG.md: write what changed under ## Unreleased first"],
  );
else if (step === "write") write();
else if (step === "check") complain(disagreements(process.cwd(), tag));
else if (step === "notes") console.log(notesOf(changelog, version));
else complain(["npm run release -- ready | write | check [TAG] | notes"]);
