import { expect, test } from "vitest";
import { lastWordsIn, limitIn } from "../../lib/sessions/store/turn-end.ts";

const line = (entry: object) => `${JSON.stringify(entry)}\n`;
const said = (text: string, more = {}) =>
  line({ type: "assistant", message: { content: [{ type: "text", text }] }, ...more });
const asked = line({
  type: "assistant",
  message: { content: [{ type: "tool_use", name: "AskUserQuestion" }] },
});
const failed = (text: string, more = {}) => said(text, { isApiErrorMessage: true, ...more });

test.each([
  ["a rate limit", failed("API Error: 429 rate_limit_error"), "rate"],
  ["a used-up plan", failed("You've hit your usage limit"), "rate"],
  ["the client's own word for it", failed("try later", { error: "rate_limit" }), "rate"],
  ["a full context", failed("Prompt is too long"), "context"],
  ["an agent that only talks about it", said("the API has a rate limit of 429"), undefined],
  ["an error that was overcome", failed("429") + said("done"), undefined],
  ["another error", failed("API Error: 500"), undefined],
  ["nothing at all", "", undefined],
  ["half a line", `{"type":"assi`, undefined],
])("%s", (_, tail, limit) => expect(limitIn(tail)?.limit).toBe(limit));

test.each([
  ["the words before a question", said("Two ways.") + asked, "Two ways."],
  ["the newest of several", said("a") + said("b"), "b"],
  ["plain text content", line({ type: "assistant", message: { content: "plain" } }), "plain"],
  ["none", asked, undefined],
  ["a tail cut in the middle", `nt":[]}}\n${said("after")}`, "after"],
])("%s", (_, tail, words) => expect(lastWordsIn(tail)).toBe(words));

test("a text that is none is no error, whatever it brings along", () => {
  const odd = { type: "text", text: { toString: 1 } };
  expect(lastWordsIn(line({ type: "assistant", message: { content: [odd] } }))).toBe('{"toString":1}');
});
