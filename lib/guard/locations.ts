// What falls when a path is deleted with everything below it: the system, a home, the project, or only what may fall.
import {
  baseName,
  fromHome,
  globOf,
  isAt,
  isGlob,
  isInside,
  matchesGlob,
  parentOf,
  resolvePath,
  withoutWildcards,
} from "./paths.ts";
import {
  fillUnknowns,
  hasUnknown,
  NON_EMPTY,
  SOME_NAME,
  TEMP_PATH,
  UNKNOWN_DIRECTORY,
} from "./shell/state.ts";
import type { Situation } from "./situation.ts";
import { type WordSet, wordSet } from "./word-set.ts";

export type Location = "root" | "home" | "project" | "git" | "unknown" | "outside" | "temp" | "inside";

const TREES = wordSet(
  "bin boot dev etc lib lib32 lib64 libx32 media mnt opt proc run sbin srv sys usr var snap nix System Library Applications private Volumes cores c d",
);
const HOMES = wordSet("home Users root");
const SUBTREES = new Map<string, WordSet>([
  ["usr", wordSet("bin sbin lib lib32 lib64 libexec local share include src")],
  ["var", wordSet("lib log db cache spool mail run www opt")],
  ["System", wordSet("Library")],
  ["c", wordSet("Windows,Users,Program Files,ProgramData", ",")],
]);

const ORDER: Location[] = ["root", "home", "project", "git", "unknown", "outside", "temp", "inside"];
const worse = (a: Location, b: Location) => (ORDER.indexOf(a) <= ORDER.indexOf(b) ? a : b);

const names = (component: string, list: WordSet | undefined) => {
  if (!list || !isGlob(component)) return list?.has(component) === true;
  const pattern = globOf(component);
  return list.words().some((name) => pattern.matches(name));
};

function systemLocation(path: string): Location | undefined {
  const [first, second, third] = path.split("/").slice(1);
  if (!first) return "root";
  if (third !== undefined) return undefined;
  if (second === undefined) return names(first, HOMES) ? "home" : names(first, TREES) ? "root" : undefined;
  if (first === "home" || first === "Users" || (first === "c" && second === "Users")) return "home";
  return names(second, SUBTREES.get(first)) ? "root" : undefined;
}

const isTempRoot = (path: string, temp: string) => path === "/tmp" || path === "/var/tmp" || path === temp;
export const isInTemp = (path: string, temp: string) =>
  isInside(path, "/tmp") || isInside(path, "/var/tmp") || (temp !== "/" && isInside(path, temp));

const isGitName = (name: string) =>
  name === ".git" || (name.startsWith(".") && isGlob(name) && matchesGlob(name, ".git"));

function knownLocation(target: string, situation: Situation): Location {
  const path = withoutWildcards(target);
  const { home, project, temp, policy } = situation;
  if (path === home || isInside(home, path)) return path === "/" ? "root" : "home";
  if (path === project || isInside(project, path)) return systemLocation(path) ?? "project";
  if (parentOf(path) === project && isGitName(baseName(path))) return "git";
  const system = systemLocation(path);
  if (system) return system;
  if (isInside(path, project)) return "inside";
  if (isTempRoot(path, temp)) return path === target ? "outside" : "temp"; // `/tmp/*` spares /tmp itself
  if (isInTemp(path, temp)) return "temp";
  return policy.allowPaths.some((allowed) => isAt(path, resolvePath(fromHome(allowed, home), project)))
    ? "inside"
    : "outside";
}

function locationWithUnknowns(path: string, situation: Situation): Location {
  const first = path.charAt(0);
  if (first === TEMP_PATH || first === NON_EMPTY) return "temp";
  if (first === UNKNOWN_DIRECTORY)
    return /^.\/[^*?[]+/.test(path) && !hasUnknown(path.charAt(2)) ? "inside" : "unknown";
  if (hasUnknown(first)) return "unknown";
  const filled = knownLocation(fillUnknowns(path, "x"), situation);
  const emptied = path.replaceAll(SOME_NAME, "x").replaceAll(TEMP_PATH, "x").replaceAll(NON_EMPTY, "x");
  const empty = knownLocation(resolvePath(fillUnknowns(emptied, ""), "/"), situation);
  if (filled === "outside" || filled === "temp") return filled === "temp" ? "temp" : worse("outside", empty);
  return empty === filled || worse(empty, filled) === filled ? filled : "unknown";
}

/** `path` is resolved already; `follow` says that the last component is entered, not removed as a link. */
export function locationOf(path: string, situation: Situation, follow: boolean): Location {
  if (hasUnknown(path)) return locationWithUnknowns(path, situation);
  const lexical = knownLocation(path, situation);
  const onDisk = (at: string) => resolvePath(situation.probe.realPath(at), "/");
  const target = withoutWildcards(path);
  const real =
    follow || target !== path ? onDisk(target) : resolvePath(baseName(target), onDisk(parentOf(target)));
  if (real === target) return lexical;
  const seen = { ...situation, project: onDisk(situation.project), home: onDisk(situation.home) };
  return worse(lexical, knownLocation(real, seen));
}
