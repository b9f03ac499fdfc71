// File patterns: `*`, `?`, `[a-z]` within a name, `**` across folders, `{a,b}`. Matched without regular expressions,
// since a pattern may come from a stranger's project and must not be able to stall a session.

const MOST_ALTERNATIVES = 32;

export const isGlob = (path: string): boolean => /[*?[{]/.test(path);

/** `a/{b,c}` as `a/b` and `a/c`; what is too much or never closed is taken as it stands. */
export function alternatives(pattern: string): string[] {
  let done = [pattern];
  for (;;) {
    const next = done.flatMap(expandFirst);
    if (next.length === done.length || next.length > MOST_ALTERNATIVES) return done;
    done = next;
  }
}

function expandFirst(pattern: string): string[] {
  const match = pattern.match(/^([^{}]*)\{([^{}]*,[^{}]*)\}([\s\S]*)$/);
  if (!match) return [pattern];
  const [, before = "", choices = "", after = ""] = match;
  return choices.split(",").map((choice) => before + choice + after);
}

/** Does one name match one part of a pattern? A name that begins with a dot must be asked for with one. */
export function matchesName(part: string, name: string): boolean {
  if (name.startsWith(".") && !part.startsWith(".")) return false;
  const last = part[part.length - 1] ?? "";
  if (!"*?]".includes(last) && !name.endsWith(last)) return false; // most names end here
  let at = 0;
  let inPart = 0;
  let star = -1;
  let retry = 0;
  while (at < name.length) {
    const step = part[inPart] === "*" ? undefined : matchOne(part, inPart, name[at] ?? "");
    if (step) {
      inPart = step;
      at++;
    } else if (part[inPart] === "*") {
      star = inPart++;
      retry = at;
    } else if (star >= 0) {
      inPart = star + 1;
      at = ++retry;
    } else return false;
  }
  while (part[inPart] === "*") inPart++;
  return inPart === part.length;
}

/** Where the pattern goes on after matching one sign, or nothing. */
function matchOne(part: string, at: number, sign: string): number | undefined {
  const close = part[at] === "[" ? part.indexOf("]", at + 2) : -1;
  if (close > 0) return isListed(part.slice(at + 1, close), sign) ? close + 1 : undefined;
  return part[at] === "?" || part[at] === sign ? at + 1 : undefined;
}

function isListed(list: string, sign: string): boolean {
  const isNot = list.startsWith("!") || list.startsWith("^");
  const signs = isNot ? list.slice(1) : list;
  for (let at = 0; at < signs.length; at++) {
    const isRange = signs[at + 1] === "-" && at + 2 < signs.length;
    const last = isRange ? signs[at + 2] : signs[at];
    if (sign >= (signs[at] ?? "") && sign <= (last ?? "")) return !isNot;
    if (isRange) at += 2;
  }
  return isNot;
}
