// What a marketplace installs: its manifest, what of it reaches a model unasked, and the words it uses.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

/** Texts of the sources that can be printed: strings with a space in them, without comments. */
const textsIn = (file: string): string[] =>
  (
    read(file)
      .replace(/^\s*(?:\/\/|\/?\*).*$/gm, "")
      .replace(/ \/\/ .*$/gm, "")
      .match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []
  ).filter((text) => text.includes(" "));

const SPOKEN = [
  ...["lib", "hooks", "scripts"]
    .flatMap((folder) => filesIn(folder, ".ts"))
    .map((file) => [file, textsIn(file)] as const),
  ...["plugin/commands", "plugin/skills"]
    .flatMap((folder) => filesIn(folder, ".md"))
    .map((file) => [file, [read(file)]] as const),
];
const saying = (pattern: RegExp) =>
  SPOKEN.flatMap(([file, texts]) =>
    texts.filter((text) => pattern.test(text)).map((text) => `${file}: ${text.slice(0, 120)}`),
  );

describe("words", () => {
  /** The left column of the table "Words": sentences of an earlier dialect. */
  test.each([
    "Whoever has less time left asks more often",
    "in a crowd that is who gets it",
    "What is denied is not recorded as done",
    "sits on nobody's chair",
    "Tried again for a moment, then believed",
    "its client asked for somebody",
    "everyone of it who was started by swarm is there",
    "and nobody's",
    "Mail is claimed under the lock, shown, then marked",
  ])("%j is gone", (sentence) =>
    expect(saying(new RegExp(sentence.replaceAll(" ", "\\s+"), "i"))).toEqual([]),
  );

  test("no text uses a word of that dialect", () =>
    expect(
      saying(
        /\b(whoever|glances?|bells?|told|seats?|sits on|stands beside|in a crowd|to the letter|nobody's|lineage|sign-on)\b/i,
      ),
    ).toEqual([]));
});

describe("what reaches a model that uses nothing of it", () => {
  const frontmatter = (path: string) => /^---\n([\s\S]*?)\n---/.exec(read(path))?.[1] ?? "";
  const isHidden = (path: string) => /^disable-model-invocation: true$/m.test(frontmatter(path));
  const commands = filesIn("plugin/commands", ".md");
  const nameOf = (path: string) => path.replace(/^.*\/|\.md$/g, "");

  test("only commands that our own hook texts name are shown", () => {
    const named = new Set(
      filesIn("lib", ".ts")
        .filter((file) => !file.endsWith("onboard.ts")) // shown to the person
        .flatMap((file) =>
          textsIn(file).flatMap((text) => [...text.matchAll(/`?\/((?:swarm|task)-[a-z-]+)/g)]),
        )
        .map(([, name = ""]) => name)
        .filter((name) => commands.some((path) => nameOf(path) === name)),
    );
    expect(
      commands
        .filter((path) => !isHidden(path))
        .map(nameOf)
        .sort(),
    ).toEqual([...named].sort());
    expect([...named].sort()).toEqual(["swarm-spawn", "task-list"]);
  });

  /** The client lists each as `- swarm:<name>: <description>`; with the line at session start that was 154 tokens at the mock model. */
  test("names and descriptions are below 150 tokens", () => {
    const skills = filesIn("plugin/skills", "SKILL.md");
    const listed = [...commands.filter((path) => !isHidden(path)), ...skills].map((path) => {
      const [, name = ""] = /^name: (.*)$/m.exec(frontmatter(path)) ?? [];
      const [, description = ""] = /^description: (.*)$/m.exec(frontmatter(path)) ?? [];
      return `- swarm:${name}: ${description}\n`;
    });
    expect(listed).toHaveLength(5);
    expect(listed.join("").length / 4).toBeLessThan(150);
  });
});

describe("the manifest", () => {
  const manifest = JSON.parse(read("plugin/.claude-plugin/plugin.json"));
  const market = JSON.parse(read(".claude-plugin/marketplace.json"));

  test("the description says what the hooks observe and do, the guard included", () => {
    for (const word of ["observe", "prompts", "tool calls", "record", "deny dangerous commands"])
      expect(manifest.description).toContain(word);
    expect(manifest.keywords.length).toBeGreaterThan(3);
  });
  test("the category is the marketplace's", () => {
    expect(manifest).not.toHaveProperty("category");
    for (const { category } of market.plugins) expect(category).toBeTruthy();
  });
  test("no invented addresses", () =>
    expect(JSON.stringify([manifest, market])).not.toMatch(/https?:|@[a-z]+\.[a-z]/i));
});

test.each(["README.md", "plugin/README.md"])(
  "%s says what it observes, and how each part is switched off",
  (page) => {
    const text = read(page);
    expect(text).toMatch(/^## What (it|the hooks) observes?$/m);
    for (const word of ["events", "network", "SWARM_DISABLE", "[features]"]) expect(text).toContain(word);
  },
);

test("/swarm-kill without a name shows the names, which it may do unasked", () => {
  const text = read("plugin/commands/swarm-kill.md");
  expect(text).toContain("Without a name, run `swarm status` and ask whom.");
  expect(text).toMatch(/^allowed-tools: .*Bash\(swarm status:\*\)/m);
});
