// Scratchpad pages: `<project>/.claude/scratchpad/<agent>/<date>.md` (Scratchpad protocol, docs/origins.md).
import { join } from "node:path";
import {
  ifReadable,
  isFile,
  namesIn,
  readHead,
  readTail,
  realPathWithin,
  statIfThere,
  writeNew,
} from "../core/files.ts";
import { whyNotSegment } from "../core/paths.ts";

export const COORDINATOR = "coordinator";
export const EGO = "ego";

const PLACE = join(".claude", "scratchpad");
const END_BYTES = 64 * 1024;
const LONGEST_NAME_BYTES = 100;
const PAGE_NAME = /^\d{4}-\d\d-\d\d\.md$/;

/** An agent type as a folder: itself where it can be one, else with dashes (`plugin:agent` → `plugin-agent`). */
export function folderOf(agentType: string): string {
  if (!whyNotSegment(agentType)) return agentType;
  const safe = agentType
    .slice(0, LONGEST_NAME_BYTES)
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+|[.-]+$/g, "");
  const name = shortened(safe) || "agent";
  return whyNotSegment(name) ? `agent-${name}` : name;
}

function shortened(name: string): string {
  const signs = [...name.toWellFormed()];
  while (Buffer.byteLength(signs.join("")) > LONGEST_NAME_BYTES - "agent-".length) signs.pop();
  return signs.join("").replace(/[.-]+$/, "");
}

export const pagePath = (folder: string, day: string): string => `.claude/scratchpad/${folder}/${day}.md`;

/** Whether the protocol applies, by the setting `scratchpad.enabled`: `auto` is on where a root has a scratchpad. */
export const isEnabled = (wanted: "off" | "auto" | "on", roots: readonly string[]): boolean =>
  wanted === "on" ||
  (wanted === "auto" && roots.some((root) => statIfThere(join(root, PLACE))?.isDirectory()));

/** Of a giant only both ends, which is where headings are written. */
export function readPage(root: string, folder: string, day: string): string | undefined {
  const path = join(root, pagePath(folder, day));
  const head = readHead(path, END_BYTES);
  if (!head || head.size <= END_BYTES) return head?.text;
  const tail = readTail(path, Math.min(END_BYTES, head.size - END_BYTES));
  return `${head.text}${head.size > 2 * END_BYTES ? "\n" : ""}${tail?.text ?? ""}`;
}

export const foldersWithPage = (root: string, day: string): string[] =>
  namesIn(join(root, PLACE))
    .filter((folder) => isFile(join(root, pagePath(folder, day))))
    .sort();

/** `more` is how many lines follow; `undefined` when the page is too long to count. */
export function firstLines(root: string, folder: string, count: number) {
  const page = newestPage(root, folder, readHead);
  if (!page) return undefined;
  const { path, lines, size } = page;
  const more = size > END_BYTES ? undefined : Math.max(0, lines.length - count);
  return { path, lines: lines.slice(0, count), more };
}

export function lastLines(root: string, folder: string, count: number): string[] {
  const lines = newestPage(root, folder, readTail)?.lines ?? [];
  return lines.filter((line) => line.trim() !== "").slice(-count);
}

/**
 * Shown to a model, so a link that leads out of the project is ignored, like a directory in a page's place.
 * What may not be read costs a session nothing else that it learns at its start.
 */
function newestPage(root: string, folder: string, read: typeof readHead) {
  const names = ifReadable(() => namesIn(join(root, PLACE, folder))) ?? [];
  const pages = names.filter((name) => PAGE_NAME.test(name)).sort();
  for (const name of pages.reverse()) {
    const path = pagePath(folder, name.replace(/\.md$/, ""));
    const real = realPathWithin(join(root, path), [root]);
    if (!real || !isFile(real)) continue;
    const part = ifReadable(() => read(real, END_BYTES));
    return part && { path, lines: part.text.trimEnd().split(/\r?\n/), size: part.size };
  }
  return undefined;
}

/** False if there is a page already: it is not overwritten. */
export const createPage = (root: string, folder: string, day: string, text: string): boolean =>
  writeNew(join(root, pagePath(folder, day)), text);
