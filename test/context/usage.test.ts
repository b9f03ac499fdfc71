import { expect, test } from "vitest";
import { useIn } from "../../lib/context/store/window.ts";

const said = (tokens: number, more: object = {}) =>
  JSON.stringify({
    type: "assistant",
    isSidechain: false,
    message: { id: "m", usage: { input_tokens: tokens, output_tokens: 9 } },
    ...more,
  });
const of = (model: string, isSidechain = false) =>
  said(0, { isSidechain, message: { model, usage: { input_tokens: 100 } } });
const compacted = (postTokens?: number) =>
  JSON.stringify({
    type: "system",
    subtype: "compact_boundary",
    isSidechain: false,
    compactMetadata: { trigger: "auto", preTokens: 9_999, ...(postTokens ? { postTokens } : {}) },
  });
const other = JSON.stringify({ type: "user", message: { content: "x" } });

test.each([
  ["nothing", [], undefined],
  ["one figure", [said(100)], 100],
  ["the newest counts", [said(100), other, said(300), other], 300],
  ["one message on several lines", [said(300), said(300)], 300],
  ["a half-written last line", [said(100), said(300).slice(0, 60)], 100],
  ["a cut first line", [said(300).slice(60), other], undefined],
  ["a sidechain is somebody else's", [said(100), said(300, { isSidechain: true })], 100],
  ["an error of the client carries zeros", [said(100), said(0)], 100],
  ["a compaction leaves what it says", [said(900), compacted(40)], 40],
  ["an old compaction does not say", [said(900), compacted()], undefined],
  ["after a compaction the next figure counts", [said(900), compacted(40), said(60)], 60],
  ["not numbers", [said(100), said("many" as unknown as number)], 100],
  [
    "a line of another kind with a usage",
    [said(100), JSON.stringify({ type: "x", message: { usage: { input_tokens: 5 } } })],
    100,
  ],
])("%s", (_, lines, expected) => {
  expect(useIn(lines.join("\n"))?.tokens).toBe(expected);
});

test("all parts of the input count, the output does not", () => {
  const usage = {
    input_tokens: 1,
    cache_creation_input_tokens: 20,
    cache_read_input_tokens: 300,
    output_tokens: 4_000,
  };
  expect(useIn(said(0, { message: { usage } }))?.tokens).toBe(321);
});

test("in an agent's own transcript every line is a sidechain", () => {
  expect(useIn(said(100, { isSidechain: true }), true)?.tokens).toBe(100);
});

test.each<[string, string[], boolean, string | undefined]>([
  ["the newest answer's", [of("old"), of("new")], false, "new"],
  ["after a compaction the last one before it", [of("old"), of("new"), compacted(40)], false, "new"],
  ["not that of another agent", [of("main"), of("sub", true), compacted(40)], false, "main"],
  ["in an agent's own transcript its own", [of("sub", true), compacted(40)], true, "sub"],
  ["none before the compaction", [compacted(40)], false, undefined],
  ["a compaction alone is no answer", [of("old"), compacted(30), compacted(40)], false, "old"],
])("the model: %s", (_, lines, isAgents, model) =>
  expect(useIn(lines.join("\n"), isAgents)?.model).toBe(model),
);
