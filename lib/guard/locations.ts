// What falls when a path is deleted with everything below it: the system, a home, the project, or only what may fall.
import {
  baseName,
  globOf,
  isAt,
  isGlob,
  isInside,
  matchesGlob,
  parentOf,
  resolvePath,
  withoutWildcards,
} from "./paths.ts";
import { ELSEWHERE, fillHoles, hasHole, NAME, SET, TEMP } from "./shell/unknowns.ts";
import type { Situation } from "./situation.ts";

export type Place = "root" | "home" | "project" | "git" | "unknown" | "outside" | "temp" | "inside";

// Lists with the one sign between the names that none of them holds.
const TREES =
  "bin/boot/dev/etc/lib/lib32/lib64/libx32/media/mnt/opt/proc/run/sbin/srv/sys/usr/var/snap/nix/System/Library/Applications/private/Volumes/cores/c/d";
const HOMES = "home/Users/root";
const SUBTREES = new Map([
  ["usr", "bin/sbin/lib/lib32/lib64/libexec/local/share/include/src"],
  ["var", "lib/log/db/cache/spool/mail/run/www/opt"],
  ["System", "Library"],
  ["c", "Windows/Users/Program Files/ProgramData"],
]);

const ORDER: Place[] = ["root", "home", "project", "git", "unknown", "outside", "temp", "inside"];
export const worse = (a: Place, b: Place) => (ORDER.indexOf(a) <= ORDER.indexOf(b) ? a : b);

const matcherOf = (component: string) => {
  const pattern = globOf(component);
  return (name: string) => pattern.matches(name);
};

const names = (component: string, list: string) =>
  isGlob(component)
    ? list.split("/").some(matcherOf(component))
    : component !== "" && `/${list}/`.includes(`/${component}/`);

function systemPlace(path: string): Place | undefined {
  const [first, second, third] = path.split("/").slice(1);
  if (!first) return "root";
  if (third !== undefined) return undefined;
  if (second === undefined) return names(first, HOMES) ? "home" : names(first, TREES) ? "root" : undefined;
  if (first === "home" || first === "Users" || (first === "c" && second === "Users")) return "home";
  return names(second, SUBTREES.get(first) ?? "") ? "root" : undefined;
}

const isTempRoot = (path: string, temp: string) => path === "/tmp" || path === "/var/tmp" || path === temp;
const isInTemp = (path: string, temp: string) =>
  isInside(path, "/tmp") || isInside(path, "/var/tmp") || (temp !== "/" && isInside(path, temp));

const isGitName = (name: string) =>
  name === ".git" || (name.startsWith(".") && isGlob(name) && matchesGlob(name, ".git"));

function concretePlace(target: string, situation: Situation): Place {
  const path = withoutWildcards(target);
  const { home, project, temp, policy } = situation;
  if (path === home || isInside(home, path)) return path === "/" ? "root" : "home";
  if (path === project || isInside(project, path)) return systemPlace(path) ?? "project";
  if (parentOf(path) === project && isGitName(baseName(path))) return "git";
  if (isInside(path, project)) return "inside";
  const system = systemPlace(path);
  if (system) return system;
  if (isTempRoot(path, temp)) return "outside";
  if (isInTemp(path, temp)) return "temp";
  return policy.allowPaths.some((allowed) => isAt(path, resolvePath(allowed, project)))
    ? "inside"
    : "outside";
}

function placeWithHoles(path: string, situation: Situation): Place {
  const first = path.charAt(0);
  if (first === TEMP || first === SET) return "temp";
  if (first === ELSEWHERE) return /^.\/[^*?[]+/.test(path) && !hasHole(path.charAt(2)) ? "inside" : "unknown";
  if (hasHole(first)) return "unknown";
  const filled = concretePlace(fillHoles(path, "x"), situation);
  const emptied = path.replaceAll(NAME, "x").replaceAll(TEMP, "x").replaceAll(SET, "x");
  const empty = concretePlace(resolvePath(fillHoles(emptied, ""), "/"), situation);
  if (filled === "outside" || filled === "temp") return filled === "temp" ? "temp" : worse("outside", empty);
  return empty === filled || worse(empty, filled) === filled ? filled : "unknown";
}

/** `path` is resolved already; `follow` says that the last component is entered, not removed as a link. */
export function placeOf(path: string, situation: Situation, follow: boolean): Place {
  if (hasHole(path)) return placeWithHoles(path, situation);
  const lexical = concretePlace(path, situation);
  const { probe } = situation;
  const target = withoutWildcards(path);
  const real =
    follow || target !== path
      ? probe.realPath(target)
      : resolvePath(baseName(target), probe.realPath(parentOf(target)));
  const { project, home } = situation;
  const seen = { ...situation, project: probe.realPath(project), home: probe.realPath(home) };
  return real === target ? lexical : worse(lexical, concretePlace(resolvePath(real, "/"), seen));
}
