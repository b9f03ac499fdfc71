// How hooks start: whether this node accepts the options in hooks.json, and whether the bytecode they start from is intact.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readText } from "../../core/read-file.ts";
import { checkCache } from "../../hook/bytecode-check.ts";
import { bad, counted, type Finding, ok, some, warn } from "./finding.ts";

const LONGEST_MS = 5_000;

export function startFindings(root: string, base: string): Finding[] {
  return [...optionFindings(optionsIn(readText(join(root, "hooks.json")) ?? "")), bytecodeFinding(base)];
}

const optionsIn = (hooksJson: string): string[] => [
  ...new Set([...hooksJson.matchAll(/"(--[\w-]+(?:=\w+)?)"/g)].map(([, option = ""]) => option)),
];

export function optionFindings(options: readonly string[]): Finding[] {
  if (options.length === 0) return [];
  const { status, stderr } = spawnSync(process.execPath, [...options, "--eval", "0"], {
    encoding: "utf8",
    timeout: LONGEST_MS,
  });
  if (status === 0) return [ok("this node accepts the options of the hooks", options.join(" "))];
  return [
    bad(
      "this node does not accept the options of the hooks: no hook runs",
      [options.join(" "), stderr.trim().split("\n")[0] ?? ""],
      "install another version of Node, and see that `node` in the client's PATH is that one",
    ),
  ];
}

/** A verb is not told the plugin's data directory: all of ours are checked. */
export function bytecodeFinding(base: string): Finding {
  const data = join(base, "plugins", "data");
  const names = namesIn(data).filter((name) => name.startsWith("swarm-"));
  const paths = [join(base, "swarm", "cache"), ...names.map((name) => join(data, name))];
  const reports = paths.map((place) => checkCache(join(place, "bytecode", "any")));
  const damaged = reports.flatMap((report) => report.damaged);
  const intact = reports.reduce((sum, report) => sum + report.intact, 0);
  if (damaged.length === 0) return ok("the bytecode of the hooks is intact", counted(intact, "file"));
  return warn(
    `${counted(damaged.length, "file")} of bytecode ${damaged.length === 1 ? "was" : "were"} damaged and removed`,
    some(damaged),
    "nothing: the next run writes it anew; if it happens again, check the disk",
  );
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
