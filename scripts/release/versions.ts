// One version, in package.json. What else carries it is written from there and compared here.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const MANIFESTS = ["plugin/.claude-plugin/plugin.json", "plugin-review/.claude-plugin/plugin.json"];

/** The text below a heading `## <version>` of the changelog. */
export function notesOf(changelog: string, version: string): string {
  const [, after = ""] = changelog.split(new RegExp(`^## ${version.replaceAll(".", "\\.")}\n`, "m"));
  return after.split(/^## /m)[0]?.trim() ?? "";
}

/** What was unreleased is this version's now. */
export function released(changelog: string, version: string): string {
  if (!notesOf(changelog, "Unreleased")) throw new Error("CHANGELOG.md has nothing under ## Unreleased");
  return changelog.replace(/^## Unreleased$/m, `## ${version}`);
}

export function disagreements(root: string, tag?: string): string[] {
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const lock = JSON.parse(read("package-lock.json"));
  const found: [string, unknown][] = [
    ...MANIFESTS.map((path): [string, unknown] => [path, JSON.parse(read(path)).version]),
    ["package-lock.json", lock.version],
    ['package-lock.json, packages[""]', lock.packages[""].version],
    ...(tag === undefined ? [] : [["the tag", tag.replace(/^v/, "")] as [string, unknown]]),
  ];
  const latest = read("CHANGELOG.md").match(/^## (\d\S*)$/m)?.[1];
  const marketplace = JSON.parse(read(".claude-plugin/marketplace.json"));
  return [
    ...[...found, ["CHANGELOG.md", latest] as [string, unknown]]
      .filter(([, other]) => other !== version)
      .map(([where, other]) => `${where} says ${other}, package.json ${version}`),
    ...(notesOf(read("CHANGELOG.md"), version) ? [] : [`CHANGELOG.md says nothing about ${version}`]),
    // A version here would have to be kept in step for nothing: the client reads the plugin's own manifest.
    ...(marketplace.plugins as { name: string; version?: string }[])
      .filter((plugin) => plugin.version !== undefined)
      .map(({ name }) => `.claude-plugin/marketplace.json gives ${name} a version of its own`),
  ];
}
