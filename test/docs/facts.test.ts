// What the hand-written pages name exists: links, verbs, slash commands, settings, npm scripts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { allKeys } from "../../lib/core/settings.ts";
import { manual } from "../../scripts/docs/pages.ts";
import { COMMANDS } from "../../scripts/verbs.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const workflows = () =>
  readdirSync(join(ROOT, ".github/workflows")).map((name) => `.github/workflows/${name}`);
const reference = () => readdirSync(join(ROOT, "docs/reference")).map((name) => `docs/reference/${name}`);
const PAGES = [...manual(), ...reference(), "AGENTS.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((found) => found[1] ?? "");
const headings = (path: string) =>
  all(read(path), /^#+ (.*)$/gm).map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

function isBroken(page: string, link: string): boolean {
  if (/^(https?|mailto):/.test(link)) return false;
  const [path = "", heading] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(ROOT, target))) return true;
  return heading !== undefined && !headings(target).includes(heading);
}

describe.each(PAGES)("%s", (page) => {
  const text = read(page);
  test("has no broken link", () =>
    expect(all(text, /\]\(([^)\s]+)\)/g).filter((link) => isBroken(page, link))).toEqual([]));
  test("names only verbs that exist", () => {
    const verbs = new Set([...COMMANDS.map(({ name }) => name), "help"]);
    expect(all(text, /(?:`|^\$ |^)swarm ([a-z][a-z-]+)/gm).filter((verb) => !verbs.has(verb))).toEqual([]);
  });
  test("names only slash commands that exist", () =>
    expect(
      all(text, /(?<![\w.>/}])\/((?:swarm|task)-[a-z-]+)/g).filter(
        (name) => !existsSync(join(ROOT, `plugin/commands/${name}.md`)),
      ),
    ).toEqual([]));
  test("names only settings that exist", () => {
    const keys = allKeys().map(([name]) => name);
    const tables = [...new Set(keys.map((key) => key.split(".")[0] ?? ""))].filter(
      (table) => table !== "team",
    );
    const named = all(text, new RegExp(`\`((?:${tables.join("|")})\\.[a-z_]+[a-z_.-]*)`, "g"));
    expect(
      named.filter(
        (name) =>
          !/\.(json|ts|md)$/.test(name) && !keys.some((key) => name === key || name.startsWith(`${key}.`)),
      ),
    ).toEqual([]);
  });
});

test("npm scripts named anywhere exist", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const named = [...PAGES, ...workflows()].flatMap((page) =>
    all(read(page), /\bnpm run (?:--silent )?([\w:]+)/g),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
test("README is a page one reads", () => expect(read("README.md").split("\n").length).toBeLessThan(240));
test("every page of the manual is linked from README", () =>
  expect(
    manual().filter((page) => page !== "README.md" && !read("README.md").includes(`](${page})`)),
  ).toEqual([]));

/** Words of an earlier private dialect; what is quoted in code blocks is not ours to change. */
const DIALECT =
  /\b(whoever|glance|bells?|told|seats?|sits on|stands beside|in a crowd|to the letter|nobody's|a voice|voices|sign-on|seed 00\d)\b/i;
test.each([...manual(), "CONTRIBUTING.md"])("%s is in plain words", (page) =>
  expect(
    read(page)
      .replace(/^```[\s\S]*?^```$/gm, "")
      .split("\n")
      .filter((line) => DIALECT.test(line)),
  ).toEqual([]),
);
