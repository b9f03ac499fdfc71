// Path arithmetic on text: nothing here looks at the disk. Paths may hold unknown parts and glob characters.
import { patternOf } from "../core/glob.ts";
import { hasUnknown, SOME_NAME, UNKNOWN } from "./shell/state.ts";
import type { Situation } from "./situation.ts";

export const isGlob = (text: string) => text.includes("*") || text.includes("?") || text.includes("[");

/** A component that matches everything: `*`, `.*`, `?*`, `**`. */
const isWildcard = (component: string) => component.includes("*") && /^[*?.]+$/.test(component);

export function baseName(path: string): string {
  let end = path.length;
  while (path.charAt(end - 1) === "/") end--;
  return path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}

export const parentOf = (path: string) =>
  (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : path) || "/";

const isAnchored = (path: string) =>
  path.startsWith("/") || (hasUnknown(path.charAt(0)) && !path.startsWith(SOME_NAME));

const isMounted = (path: string) => path.slice(0, 5).toLowerCase() === "/mnt/";

/** `C:\x`, `C:/x`, `/c/x` and `/mnt/c/x` are the same place; ours is `/c/x`. */
function fromWindows(path: string): string {
  const drive = path.charAt(1) === ":" ? /^([A-Za-z]):(?=[\\/]|$)/.exec(path) : undefined;
  if (drive?.[1]) return `/${drive[1].toLowerCase()}${path.slice(2).replaceAll("\\", "/")}`;
  return isMounted(path) ? path.replace(/^\/mnt\/([a-z])(?=\/|$)/i, "/$1") : path;
}

/** Other names of the same place: the root seen through /proc, and macOS's /private. */
const withoutDetours = (path: string, cwd: string) =>
  path.startsWith("/pr")
    ? path
        .replace(/^\/proc\/[^/]+\/root(?=\/|$)/, "")
        .replace(/^\/proc\/[^/]+\/cwd(?=\/|$)/, cwd)
        .replace(/^\/proc\/(self|thread-self|\d+)\/fd(?=\/)/, "/dev/fd")
        .replace(/^\/private(?=\/(etc|tmp|var)(\/|$))/, "") || "/"
    : path || "/";

/** A path from a setting or a tool, which no shell has expanded. */
export const fromHome = (path: string, home: string) => path.replace(/^~(?=\/|$)/, () => home);

/** The absolute path without `.`, `..` and doubled slashes. */
export function resolvePath(path: string, cwd: string): string {
  const native = fromWindows(path);
  const joined = isAnchored(native) ? native : `${cwd}/${native}`;
  const out: string[] = [];
  for (const part of joined.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") out.push(part);
    else if (hasUnknown(out.pop() ?? "")) out.splice(0, out.length, UNKNOWN);
  }
  const plain = out.join("/");
  return withoutDetours(hasUnknown(plain.charAt(0)) ? plain : `/${plain}`, cwd);
}

/** `dir/*` empties `dir`: the path that really falls. */
export function withoutWildcards(path: string): string {
  let rest = path;
  while (isWildcard(baseName(rest)) && rest !== "/") rest = parentOf(rest);
  return rest;
}

export const isInside = (path: string, directory: string) =>
  directory === "/" ? path !== "/" : path.startsWith(`${directory}/`);
export const isAt = (path: string, directory: string) => path === directory || isInside(path, directory);

/** A shell pattern. Unknown parts match anything. */
export const globOf = (pattern: string) => patternOf(pattern, { isRun: hasUnknown, isGenerous: true });
export const matchesGlob = (pattern: string, text: string): boolean => globOf(pattern).matches(text);

/** Paths in one spelling, whatever the system writes them in. */
export function withPlainPaths(situation: Situation): Situation {
  const at = (path: string) => resolvePath(path, "/");
  const { cwd, project, home, temp, base } = situation;
  return { ...situation, cwd: at(cwd), project: at(project), home: at(home), temp: at(temp), base: at(base) };
}
