// What is taken out of a text before strangers read it, and what has to stay readable.
import { expect, test } from "vitest";
import { withoutQuotes, withoutSecrets } from "../../lib/ops/bug-report.ts";

const hex = "0123456789abcdef".repeat(3);

test.each([
  ["an API key", "key sk-ant-api03-abcdefgh12345", "key [removed]"],
  ["a token of a forge", "ghp_abcdefghijklmnop1234 x", "[removed] x"],
  ["an access key", "AKIAABCDEFGHIJKLMNOP", "[removed]"],
  ["a signed token", "eyJhbGciOi.eyJzdWIi.c2ln", "[removed]"],
  ["a header", "Authorization: Bearer abc.def-123", "Authorization: [removed] [removed]"],
  [
    "an address with a password",
    "https://me:hunter2@example.invalid/x",
    "https://[removed]@example.invalid/x",
  ],
  ["an assignment", "DB_PASSWORD=hunter2 npm test", "DB_PASSWORD=[removed] npm test"],
  ["a field", '{"client_secret": "hunter2"}', '{"client_secret": "[removed]"}'],
  [
    "a private key",
    "x -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- y",
    "x [removed] y",
  ],
  ["something long and mixed", `at ${hex}`, "at [removed]"],
])("%s goes", (_, text, clean) => expect(withoutSecrets(text)).toBe(clean));

test.each([
  "session 0b8f2f1e-5f0e-4a51-9d64-0e5f7f1c2a3b",
  "~/.claude/swarm/sessions/x.json.corrupt-2026-02-20T12-00-00-000Z",
  "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS=1 switches them on",
  "p50 31 ms, p95 44 ms",
])("%s stays", (text) => expect(withoutSecrets(text)).toBe(text));

test("a value that is known to be secret goes wherever it stands", () =>
  expect(withoutSecrets("run with plain words inside", ["plain words"])).toBe("run with [removed] inside"));

test("of two known secrets the longer goes whole", () =>
  expect(withoutSecrets("a hunter2b", ["hunter", "hunter2b"])).toBe("a [removed]"));

test.each([
  [
    `Unexpected token 'h', "hello wor"... is not valid JSON`,
    `Unexpected token '[removed]', "[removed]"... is not valid JSON`,
  ],
  [
    "Cannot read properties of undefined (reading 'team')",
    "Cannot read properties of undefined (reading 'team')",
  ],
  ["first line\nsecond: the file's text", "first line"],
  ['cut in the middle "of a quo', 'cut in the middle "[removed]"'],
  ["`swarm doctor --fix` deletes them", "`swarm doctor --fix` deletes them"],
])("%j becomes %j", (error, kept) => expect(withoutQuotes(error)).toBe(kept));
