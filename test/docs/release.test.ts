// One version in one place: package.json. Manifests, lock, changelog and tag cannot disagree with it.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { disagreements, MANIFESTS, notesOf, released } from "../../scripts/release/versions.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PARTS = ["package.json", "package-lock.json", "CHANGELOG.md", ".claude-plugin/marketplace.json"];

function aCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), "swarm-release-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const path of [...PARTS, ...MANIFESTS])
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  return copy;
}

describe("the version", () => {
  test("is the same everywhere", () => expect(disagreements(ROOT)).toEqual([]));

  test.each(["package.json", "package-lock.json", ...MANIFESTS])("is compared in %s", (path) => {
    const copy = aCopy();
    const changed = JSON.parse(readFileSync(join(copy, path), "utf8"));
    writeFileSync(join(copy, path), JSON.stringify({ ...changed, version: "9.9.9" }));
    expect(disagreements(copy)).not.toEqual([]);
  });
  test("is compared with the tag", () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(disagreements(ROOT, `v${version}`)).toEqual([]);
    expect(disagreements(ROOT, "v9.9.9")).toEqual([expect.stringContaining("the tag says 9.9.9")]);
  });
  test("has its own text in the changelog", () => {
    const copy = aCopy();
    const path = join(copy, "CHANGELOG.md");
    writeFileSync(path, readFileSync(path, "utf8").replace(/^## \d/m, "## 9.9.9\n\n## 1"));
    expect(disagreements(copy)).not.toEqual([]);
  });
  test("is not repeated in the marketplace", () => {
    const copy = aCopy();
    const path = join(copy, ".claude-plugin/marketplace.json");
    const changed = JSON.parse(readFileSync(path, "utf8"));
    changed.plugins[0].version = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;
    writeFileSync(path, JSON.stringify(changed));
    expect(disagreements(copy)).toEqual([expect.stringContaining("a version of its own")]);
  });
});

describe("the changelog", () => {
  const TEXT = "# Changelog\n\n## Unreleased\n\n- new\n\n## 0.1.0\n\n- old\n";
  test("turns what is unreleased into the version", () =>
    expect(released(TEXT, "0.2.0")).toBe("# Changelog\n\n## 0.2.0\n\n- new\n\n## 0.1.0\n\n- old\n"));
  test("refuses a version without a word about it", () =>
    expect(() => released("# Changelog\n\n## 0.1.0\n\n- old\n", "0.2.0")).toThrow("Unreleased"));
  test("gives the notes of one version", () => {
    expect(notesOf(TEXT, "0.1.0")).toBe("- old");
    expect(notesOf(TEXT, "0.3.0")).toBe("");
  });
});
