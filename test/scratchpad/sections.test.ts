import { expect, test } from "vitest";
import { DEFAULTS } from "../../lib/core/settings.ts";
import { isWritten, missingFrom, missingSections, template } from "../../lib/scratchpad/sections.ts";
import { ownMs } from "../support/own-time.ts";

const SECTIONS = ["What I did", "Cross-agent observations", "Unresolved"];
const missing = (page: string, emptyIsMissing = false, sections = SECTIONS) =>
  missingSections(page, sections, emptyIsMissing);

const rest = "\n## Cross-agent observations\nnone\n## Unresolved\nnone\n";

test.each([
  ["second level", "## What I did"],
  ["first level", "# What I did"],
  ["sixth level", "###### What I did"],
  ["no space after the mark", "##What I did"],
  ["closed", "## What I did ##"],
  ["with a colon", "## What I did:"],
  ["other letters", "## WHAT I DID"],
  ["numbered", "## 1. What I did"],
  ["bold inside", "## **What I did**"],
  ["bold alone", "**What I did**"],
  ["bold with a colon", "**What I did:**"],
  ["italic inside", "### _What I did_"],
  ["an emoji before it", "## ✅ What I did"],
  ["an emoji after it", "## What I did ✨"],
  ["a list item", "- **What I did**"],
  ["quoted", "> ## What I did"],
  ["underlined", "What I did\n=========="],
  ["a plain line", "What I did"],
  ["a plain line with a colon", "What I did:"],
  ["more words after it", "## What I did (spec-writer, morning)"],
  ["a dash after it", "## What I did: the parser"],
  ["Windows line ends", "## What I did\r\nthings\r"],
  ["a byte order mark", "\ufeff## What I did"],
  ["two spaces", "##  What  I  did"],
])("a heading may be decorated: %s", (_, heading) => {
  expect(missing(`${heading}\nthings${rest}`)).toEqual([]);
});

test.each([
  ["a sentence", "What I did today was little"],
  ["another word", "## What I didn't do"],
  ["a longer word", "## What I didnt"],
  ["inside a fence", "```\n## What I did\n```"],
  ["inside a word", "## Somewhat I did"],
  ["in the middle of a heading", "## About what I did"],
])("is no heading: %s", (_, line) => {
  expect(missing(`${line}\n${rest}`)).toEqual(["What I did"]);
});

test("a hyphen may be any dash, and an unclosed fence hides nothing", () => {
  const page = "```\n## What I did\nx\n## Cross‑agent observations\nx\n## Unresolved\nx";
  expect(missing(page)).toEqual([]);
});

test("an empty page lacks every section", () => {
  expect(missing("")).toEqual(SECTIONS);
});

test.each([
  ["blank lines only", "## What I did\n\n  \n", ["What I did"]],
  ["a comment only", "## What I did\n<!-- to be\nwritten -->\n", ["What I did"]],
  ["a rule only", "## What I did\n\n---\n", ["What I did"]],
  ["a word", "## What I did\nnone\n", []],
  ["a list", "## What I did\n- a\n", []],
  ["said in a second place", "## What I did\n\n## What I did\nmuch\n", []],
  ["text below a lower heading", "## What I did\n\n### Login\n- the form\n", []],
  ["a lower heading without text", "## What I did\n\n### Login\n", ["What I did"]],
  ["a line in bold", "## What I did\n**Fixed the login**\n", []],
  ["a line above a rule", "## What I did\nFixed the login.\n---\n", []],
  ["a higher heading before the next section", "### What I did\n## Notes\nmuch\n", ["What I did"]],
  ["an underlined heading before the next section", "# What I did\nNotes\n=====\nmuch\n", ["What I did"]],
])("if empty counts as missing: %s", (_, section, expected) => {
  expect(missing(`${section}${rest}`, true)).toEqual(expected);
  expect(missing(`${section}${rest}`, false)).toEqual([]);
});

test("the last section may be empty too", () => {
  expect(missing("# What I did\na\n# Cross-agent observations\nb\n# Unresolved\n", true)).toEqual([
    "Unresolved",
  ]);
});

test("a project's own sections are asked for instead", () => {
  expect(missing("## Risks\nnone", false, ["Risks", "Next"])).toEqual(["Next"]);
});

test("a blank page has every heading and is known to be untouched", () => {
  const blank = template("spec-writer", "2026-02-20", SECTIONS);
  expect(missing(blank)).toEqual([]);
  expect(missing(blank, true)).toEqual(SECTIONS);
  const page = { folder: "spec-writer", day: "2026-02-20", settings: DEFAULTS };
  const begun = blank.replace("<!-- to be written -->", "done");
  expect(isWritten(`${blank}\n`, page)).toBe(false);
  expect(isWritten(begun, page)).toBe(true);
  expect(isWritten(undefined, page)).toBe(false);
  expect(missingFrom(blank, page)).toEqual(SECTIONS);
  expect(missingFrom(undefined, page)).toEqual(SECTIONS);
  expect(missingFrom(begun, page)).toEqual([]);
});

test("the hook and the list ask the coordinator for a page, not for sections", () => {
  const page = { folder: "coordinator", day: "2026-02-20", settings: DEFAULTS };
  expect(missingFrom("delegated twice", page)).toEqual([]);
  expect(missingFrom(undefined, page)).toEqual(SECTIONS);
  expect(missingFrom("delegated twice", { ...page, folder: "spec-writer" })).toEqual(SECTIONS);
});

test.each([
  ["another kind of fence in a fence", "~~~\n```\n~~~\n## What I did\nx\n```js\ncode\n```"],
  ["a shorter fence in a longer one", "````md\n```\n````\n## What I did\nx\n```\ncode\n```"],
  ["code between backticks on one line", "```npm test```\n## What I did\nx\n```\ncode\n```"],
])("%s hides no heading behind it", (_, text) => expect(missing(`${text}${rest}`)).toEqual([]));

test.each([
  ["blank lines", "\n".repeat(120_000)],
  ["one line of signs", `x${"-".repeat(120_000)}x`],
  ["one bold word and a long blank", `**x**${" ".repeat(120_000)}x`],
])("a page with nothing but %s is read in no time", (_, text) => {
  expect(ownMs(() => missing(`## What I did\n${text}\n${rest}`, true))).toBeLessThan(1_000);
});
