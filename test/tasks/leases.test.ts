import { expect, test } from "vitest";
import { startOf } from "../../lib/system/processes.ts";
import { type Sign, signReader, whyLost } from "../../lib/tasks/leases.ts";
import { readTeam } from "../../lib/teams/store/config.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aTask } from "../support/a-task.ts";

const ago = (s: number) => new Date(NOON.getTime() - s * 1_000).toISOString();
const sign = (fields: Partial<Sign>): Sign => ({ life: "alive", lastSeen: ago(1), isBusy: false, ...fields });
const busy = { lastSeen: ago(900), isBusy: true };

test.each<[string, Sign[], string | undefined, string | undefined]>([
  ["nothing is known of the owner", [], ago(9_999), undefined],
  ["it was seen just now", [sign({})], undefined, undefined],
  ["it was seen exactly at the limit", [sign({ lastSeen: ago(300) })], undefined, undefined],
  ["it has been silent too long", [sign({ lastSeen: ago(301) })], undefined, "was last seen at"],
  ["it is proven gone, however fresh", [sign({ life: "gone" })], undefined, "is gone"],
  ["its old session is gone, a new one lives", [sign({ life: "gone" }), sign({})], undefined, undefined],
  ["it is silent but a tool runs in a living process", [sign(busy)], undefined, undefined],
  ["a tool runs, but who can say where", [sign({ ...busy, life: "unknown" })], undefined, "was last seen"],
  ["it claimed the task after its last sign", [sign({ lastSeen: ago(900) })], ago(10), undefined],
  ["a sign has no time", [sign({ lastSeen: undefined })], undefined, undefined],
])("%s", (_, signs, claimedAt, why) => {
  const got = whyLost(signs, Date.parse(claimedAt ?? ""), NOON, 300_000);
  if (why) expect(got).toContain(why);
  else expect(got).toBeUndefined();
});

const record = (fields: object) => ({
  session: "s-bob",
  team: "dev",
  agent: "bob",
  state: "active",
  status: "working",
  startedAt: ago(1_000),
  lastSeen: ago(10),
  pid: process.pid,
  pidStartedAt: startOf(process.pid),
  ...fields,
});

const NOBODY = 2 ** 22 + 1;
const bobs = (home: Home) =>
  signReader(home.paths, "dev", readTeam(home.paths, "dev"))(aTask("1", { owner: "bob" }));

test.each([
  ["a living session", {}, [{ life: "alive", isBusy: false }]],
  ["a session with a tool at work", { state: "tool_active" }, [{ life: "alive", isBusy: true }]],
  ["a session that ended", { endedAt: ago(5) }, [{ life: "gone" }]],
  ["a session whose process is no more", { pid: NOBODY }, [{ life: "gone" }]],
  ["a session whose number another process has", { pidStartedAt: "1" }, [{ life: "gone" }]],
  ["another team's session", { team: "ops" }, []],
])("the signs of %s", (_, fields, signs) => {
  const home = aHome();
  home.write(".claude/swarm/sessions/s-bob/session.json", record(fields));
  expect(bobs(home)).toMatchObject(signs);
});

test("an in-process teammate lives and dies with the lead's session", () => {
  const home = aHome();
  const lead = { session: "s-lead", agent: "team-lead" };
  const inside = record({ session: "s-lead", agentId: "abob-1", pid: undefined });
  home.write(".claude/swarm/agents/s-lead/abob-1.json", inside);
  home.write(".claude/swarm/sessions/s-lead/session.json", record(lead));
  expect(bobs(home)).toMatchObject([{ life: "alive" }]);
  home.write(".claude/swarm/sessions/s-lead/session.json", record({ ...lead, endedAt: ago(1) }));
  expect(bobs(home)).toMatchObject([{ life: "gone" }]);
});

test("the team's config counts too", () => {
  const home = aHome();
  const member = (fields: object) =>
    home.write(".claude/teams/dev/config.json", { members: [{ name: "bob", lastSeen: ago(7), ...fields }] });
  member({});
  expect(bobs(home)).toMatchObject([{ life: "unknown", lastSeen: ago(7) }]);
  member({ status: "offline" });
  expect(bobs(home)).toMatchObject([{ life: "gone" }]);
});

test.each(["../x", "a/b", "x".repeat(101)])(
  "a lease of a session %j, as another program wrote it, says nothing",
  (session) => {
    const lease = { session, at: ago(10) };
    const signs = signReader(aHome().paths, undefined, undefined);
    expect(signs(aTask("1", { owner: "bob", metadata: { swarm: { lease } } }))).toEqual([]);
  },
);
