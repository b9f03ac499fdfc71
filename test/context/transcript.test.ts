import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { expect, test } from "vitest";
import { contextTokens, transcriptOf } from "../../lib/context/store/window.ts";
import { aHome } from "../support/a-home.ts";

const line = (tokens: number, more: object = {}) =>
  `${JSON.stringify({ type: "assistant", message: { usage: { input_tokens: tokens } }, ...more })}\n`;

test("the newest figure counts", () => {
  const home = aHome();
  const path = home.write("t.jsonl", line(10) + line(50_000));
  expect(contextTokens(path)).toBe(50_000);
  expect(contextTokens(home.path("none.jsonl"))).toBeUndefined();
  expect(contextTokens("")).toBeUndefined();
});

test("a directory in a transcript's place says nothing", () => {
  const home = aHome();
  mkdirSync(home.path("t.jsonl"));
  expect(contextTokens(home.path("t.jsonl"))).toBeUndefined();
});

test("a last figure behind a giant tool result is still found", () => {
  const home = aHome();
  const giant = `${JSON.stringify({ type: "user", message: { content: "x".repeat(1_000_000) } })}\n`;
  expect(contextTokens(home.write("t.jsonl", line(70_000) + giant))).toBe(70_000);
});

test("a transcript of a gigabyte costs its tail", () => {
  const home = aHome();
  const path = home.path("giant.jsonl");
  const fd = openSync(path, "w");
  ftruncateSync(fd, 1024 ** 3);
  writeSync(fd, `\n${line(80_000)}`, 1024 ** 3);
  closeSync(fd);
  const begun = performance.now();
  expect(contextTokens(path)).toBe(80_000);
  expect(performance.now() - begun).toBeLessThan(200);
});

test("a teammate inside the session has a transcript of its own, whose lines are all sidechains", () => {
  const home = aHome();
  home.write("p/s-1.jsonl", line(10));
  home.write("p/s-1/subagents/agent-aalice-0123456789abcdef.jsonl", line(500, { isSidechain: true }));
  const input = {
    session_id: "s-1",
    transcript_path: home.path("p/s-1.jsonl"),
    agent_id: "aalice-0123456789abcdef",
  };
  expect(contextTokens(transcriptOf(input))).toBe(500);
  expect(contextTokens(transcriptOf({ ...input, agent_id: undefined }))).toBe(10);
});

test("the payload's own path wins, and a strange id leads nowhere", () => {
  const input = { session_id: "s-1", transcript_path: "/p/s-1.jsonl" };
  expect(transcriptOf({ ...input, agent_id: "a1", agent_transcript_path: "/q/a.jsonl" })).toBe("/q/a.jsonl");
  expect(transcriptOf({ ...input, agent_id: "../../etc" })).toBe("/p/s-1.jsonl");
});
