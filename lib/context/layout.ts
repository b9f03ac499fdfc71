// The page of context files (texts of Claude OS hooks, word for word): small files whole, larger ones by their beginning, and a
// last line that names what is not shown.
import { escapeLine, withoutTags } from "../core/text.ts";

export interface Shown {
  label: string;
  path: string;
  bytes: number;
  /** Reads no more than so many bytes; `undefined` if it is not text. */
  read: (bytes: number) => string | undefined;
}

/** Less of a file than this is not worth showing. */
const SHORTEST_HEAD = 300;
const MOST_NAMED = 10;

export interface Page {
  core: Shown[];
  extras: Shown[];
  mission: string | undefined;
  /** Files that are too large or outside, and patterns with too many matches. */
  notShown: string[];
  room: number;
}

export function contextPage({ core, extras, mission, notShown, room }: Page): string | undefined {
  const files = [...core, ...extras];
  if (files.length === 0 && !mission && notShown.length === 0) return undefined;
  const sections = contentsOf(files, room);
  const missing = [...notShown, ...sections.flatMap(({ missing }) => missing ?? [])];
  const shown = files.filter((_, at) => sections[at]?.text !== undefined);
  return [
    "[CLAUDE OS SYS: INFO]: Session context loaded",
    ...(mission ? [`Mission: ${escapeLine(mission)}`] : []),
    ...(shown.length > 0
      ? [
          [
            "Core memory files loaded automatically:",
            ...shown.map(({ label }) => `- ${escapeLine(label)}`),
          ].join("\n"),
        ]
      : []),
    ...(shown.length > 0 ? ["Full content follows:"] : []),
    ...sections.flatMap(({ text }) => text ?? []),
    ...(missing.length > 0 ? [`[Not shown: ${named(missing)}]`] : []),
  ].join("\n\n");
}

const named = (missing: string[]) =>
  missing.length <= MOST_NAMED
    ? missing.join(", ")
    : `${missing.slice(0, MOST_NAMED).join(", ")} and ${missing.length - MOST_NAMED} more`;

function contentsOf(files: Shown[], room: number): { text?: string; missing?: string }[] {
  const shares = sharesOf(
    files.map(({ bytes }) => bytes),
    room,
  );
  return files.map((file, at) => {
    const share = shares[at] ?? 0;
    if (share === 0) return { missing: `${escapeLine(file.path)} (no room)` };
    const content = file.read(share);
    if (content === undefined) return { missing: `${escapeLine(file.path)} (not text)` };
    const rest =
      share < file.bytes ? `\n[... the whole file, ${file.bytes} bytes, is ${escapeLine(file.path)}]` : "";
    return { text: `## ${escapeLine(file.label)}\n${withoutTags(content).trimEnd()}${rest}` };
  });
}

/** How many bytes each may have: the smallest files whole, then what is left in equal parts, 0 for none. */
export function sharesOf(sizes: readonly number[], room: number): number[] {
  const shares = sizes.map(() => 0);
  let left = room;
  const bySize = sizes.map((size, at) => ({ size, at })).sort((a, b) => a.size - b.size || a.at - b.at);
  const cut = bySize.filter(({ size, at }) => {
    if (size > left) return true;
    shares[at] = Math.max(size, 1);
    left -= size;
    return false;
  });
  const heads = Math.min(cut.length, Math.floor(left / SHORTEST_HEAD));
  for (const { at } of [...cut].sort((a, b) => a.at - b.at).slice(0, heads))
    shares[at] = Math.floor(left / heads);
  return shares;
}
