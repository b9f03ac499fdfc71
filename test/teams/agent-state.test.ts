import { expect, test } from "vitest";
import { age } from "../../lib/core/time.ts";
import { type Evidence, stateOf } from "../../lib/teams/store/agent-state.ts";

const NOW = new Date("2026-02-20T12:00:00Z");
const before = (seconds: number) => new Date(NOW.getTime() - seconds * 1000).toISOString();

type Given = Partial<Omit<Evidence, "session">> & { session?: Partial<NonNullable<Evidence["session"]>> };
const seen = ({ session, ...given }: Given): Evidence => ({
  isSuspended: false,
  life: "alive",
  evidence: "",
  lastSign: before(30),
  ...given,
  session: session && { state: "active", status: "working", ...session },
});
const bash = { name: "Bash", since: before(240) };
const unasked = { ...bash, permission: "dontAsk" };
const inTurn = { state: "active", status: "working" };

const client = (status: string, waitingFor?: string, seconds = 20) => ({
  status,
  waitingFor,
  statusUpdatedAt: Date.parse(before(seconds)),
});
const push = { kind: "permission", tool: "Bash", detail: "git push", since: before(9) };
const atPrompt = { state: "tool_active", status: "attention", prompt: push };
const which = { kind: "question", tool: "AskUserQuestion", since: before(9) };

test.each<[string, Given, string, string]>([
  [
    "a permission prompt, by events",
    { session: atPrompt, pane: "%3" },
    "permission",
    "waits for permission: Bash(git push), pane %3, for 9s",
  ],
  [
    "a permission prompt, by its client",
    { session: atPrompt, pane: "%3", client: client("waiting", "permission prompt") },
    "permission",
    "waits for permission: Bash(git push), pane %3, for 9s",
  ],
  [
    "a prompt of which no event came",
    { session: inTurn, client: client("waiting", "permission prompt") },
    "permission",
    "waits for permission: permission prompt, for 20s",
  ],
  [
    "a question",
    { session: { ...inTurn, prompt: which }, client: client("waiting", "input needed") },
    "question",
    "waits for an answer: AskUserQuestion, for 9s",
  ],
  [
    "a question that 2.1.197 calls a permission prompt",
    { session: { ...inTurn, prompt: which }, client: client("waiting", "permission prompt") },
    "question",
    "waits for an answer: AskUserQuestion, for 9s",
  ],
  [
    "allowed, and the tool runs on",
    { session: { ...atPrompt, tool: unasked }, client: client("busy") },
    "working",
    "Bash began 4m ago",
  ],
  [
    "denied or interrupted: no event",
    { session: atPrompt, client: client("idle") },
    "idle",
    "its turn was interrupted",
  ],
  [
    "a client that has not yet written down its last event",
    { session: atPrompt, lastSign: before(2), client: client("busy", undefined, 5) },
    "permission",
    "waits for permission: Bash(git push), for 9s",
  ],
  [
    "interrupted long ago is no silence",
    { session: inTurn, lastSign: before(999), client: client("idle") },
    "idle",
    "its turn was interrupted",
  ],
  [
    "a client at work after the last event",
    { session: { state: "idle", status: "done" }, client: client("busy") },
    "thinking",
    "its client is busy",
  ],
  [
    "a prompt is said even of a paused one",
    { session: atPrompt, paused: "by person" },
    "permission",
    "waits for permission: Bash(git push), for 9s",
  ],
  ["in a turn", { session: inTurn }, "thinking", "in a turn, last sign 30s ago"],
  ["in a tool", { session: { state: "tool_active", tool: unasked } }, "working", "Bash began 4m ago"],
  [
    "in a tool that is not on record",
    { session: { ...inTurn, state: "tool_active" } },
    "thinking",
    "in a turn, last sign 30s ago",
  ],
  [
    "a tool on record that it is no longer in",
    { session: { ...inTurn, tool: unasked } },
    "thinking",
    "in a turn, last sign 30s ago",
  ],
  ["a failed tool", { session: { status: "error" } }, "thinking", "in a turn, last sign 30s ago"],
  ["its turn ended", { session: { state: "idle", status: "done" } }, "idle", "its turn ended 30s ago"],
  ["just started", { session: { status: "done" } }, "idle", "started, no turn yet"],
  [
    "idle for hours is no silence",
    { session: { state: "idle", status: "done" }, lastSign: before(36_000) },
    "idle",
    "its turn ended 10h ago",
  ],
  [
    "a turn that broke off",
    { session: { state: "idle", status: "error", failure: "server_error" } },
    "idle",
    "its turn broke off 30s ago: server_error",
  ],
  [
    "a rate limit",
    { session: { state: "idle", status: "error", failure: "rate_limit" } },
    "rate-limited",
    "its turn broke off 30s ago: rate_limit",
  ],
  [
    "a rate limit that is over",
    { session: { ...inTurn, failure: "rate_limit" } },
    "thinking",
    "in a turn, last sign 30s ago",
  ],
  [
    "a tool that does not end",
    { session: { state: "tool_active", tool: bash } },
    "permission",
    "probably waits for permission: Bash began 4m ago and has not ended",
  ],
  [
    "nothing for long in a turn",
    { session: inTurn, lastSign: before(301) },
    "silent",
    "in a turn, last sign 5m ago",
  ],
  [
    "nothing for long in a tool",
    { session: { state: "tool_active", tool: unasked }, lastSign: before(400) },
    "silent",
    "in a turn in Bash, last sign 6m ago",
  ],
  ["at the limit", { session: inTurn, lastSign: before(300) }, "thinking", "in a turn, last sign 5m ago"],
  [
    "its process ended in a turn",
    { session: inTurn, life: "gone", evidence: "process 7 has ended" },
    "gone",
    "process 7 has ended",
  ],
  [
    "its session ended",
    { session: { state: "ended", status: "done", endedAt: before(60), endReason: "other" } },
    "gone",
    "ended 60s ago (other)",
  ],
  ["marked offline", { life: "unknown", mark: "offline" }, "gone", "marked offline, last seen 30s ago"],
  ["offline in a sleeping team", { life: "gone", isSuspended: true }, "suspended", "its team is suspended"],
  [
    "alive in a sleeping team",
    { session: inTurn, isSuspended: true },
    "thinking",
    "in a turn, last sign 30s ago",
  ],
  [
    "alive, whatever the mark",
    { session: inTurn, mark: "offline" },
    "thinking",
    "in a turn, last sign 30s ago",
  ],
  [
    "on its way",
    { life: "unknown", mark: "starting" },
    "unknown",
    "it was started; its client has not sent an event yet",
  ],
  ["never heard of", { life: "unknown" }, "unknown", "no session record: no event of it was seen here"],
])("%s", (_, given, state, evidence) =>
  expect(stateOf(seen(given), NOW, 300_000)).toMatchObject({ state, evidence }),
);

test.each([
  [before(0), "0s"],
  [before(119), "119s"],
  [before(120), "2m"],
  [before(7_199), "119m"],
  [before(7_200), "2h"],
  [before(172_800), "2d"],
  [before(-5), "0s"],
  [undefined, ""],
  ["yesterday", ""],
])("%s is %s old", (since, expected) => expect(age(since, NOW)).toBe(expected));
