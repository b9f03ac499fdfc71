import { expect, test } from "vitest";
import { age } from "../../../lib/core/time.ts";
import { type Evidence, stateOf } from "../../../lib/teams/status-board/state.ts";

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

test.each<[string, Given, string, string]>([
  ["in a turn", { session: inTurn }, "working", "in a turn, last sign 30s ago"],
  ["in a tool", { session: { state: "tool_active", tool: unasked } }, "working", "Bash began 4m ago"],
  ["a failed tool", { session: { status: "error" } }, "working", "in a turn, last sign 30s ago"],
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
    "working",
    "in a turn, last sign 30s ago",
  ],
  [
    "it asks",
    { session: { status: "attention" } },
    "waiting",
    "asked for attention 30s ago: look at its pane",
  ],
  [
    "a tool that does not end",
    { session: { state: "tool_active", tool: bash } },
    "permission?",
    "Bash began 4m ago and has not ended",
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
  ["at the limit", { session: inTurn, lastSign: before(300) }, "working", "in a turn, last sign 5m ago"],
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
    "working",
    "in a turn, last sign 30s ago",
  ],
  [
    "alive, whatever the mark",
    { session: inTurn, mark: "offline" },
    "working",
    "in a turn, last sign 30s ago",
  ],
  ["on its way", { life: "unknown", mark: "starting" }, "starting", "its client has not sent an event yet"],
  ["never heard of", { life: "unknown" }, "unknown", "no session record: no event of it was seen here"],
])("%s", (_, given, state, evidence) =>
  expect(stateOf(seen(given), NOW, 300_000)).toEqual({ state, evidence }),
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
