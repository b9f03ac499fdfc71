// `swarm serve` in this process: what its page is given, and how it begins and ends.
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { readSettings } from "../../lib/core/settings.ts";
import * as stdio from "../../lib/hook/stdio.ts";
import { livePage } from "../../lib/people/view/page.ts";
import { serveVerb } from "../../lib/people/view/serve.ts";
import { costView, snapshot } from "../../lib/people/view/snapshot.ts";
import { startOf } from "../../lib/system/processes.ts";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { addClaim } from "../../lib/worktrees/store/claims.ts";
import { writeForecast } from "../../lib/worktrees/store/forecast.ts";
import { aBareTree } from "../support/a-bare-tree.ts";
import { aCall } from "../support/a-call.ts";
import { aDay, DAY_TEAM } from "../support/a-day.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aTeam, inboxOf, TEAM } from "../support/a-team.ts";
import { answer, append, mainFile } from "./transcripts.ts";

vi.mock("../../lib/hook/stdio.ts", { spy: true });

const printed: string[] = [];
beforeEach(() => {
  printed.length = 0;
  vi.mocked(stdio.writeAll).mockImplementation((_, text) => void printed.push(text));
});

const seeing = (home: Home, now = new Date()) => ({
  ...aCall(home, [], {}, { now }),
  loaded: readSettings(home.paths, home.project, undefined),
});
const HOUR = 3_600_000;

/** A served page; it ends as with a closed terminal. */
async function served(home: Home, flags: Record<string, string | boolean> = {}) {
  const over = serveVerb(aCall(home, [], flags, { now: new Date() }) as never);
  const end = async () => {
    process.emit("SIGHUP");
    await over;
  };
  onTestFinished(end);
  await vi.waitFor(() => expect(printed).toHaveLength(1), { timeout: 8_000 });
  const url = flags["json"] ? JSON.parse(printed[0] ?? "").url : (printed[0]?.split("\n")[0] ?? "");
  const page = await (await fetch(url)).text();
  const headers = {
    origin: new URL(url).origin,
    "content-type": "application/json",
    "x-csrf-token": page.match(/name="csrf" content="([\w-]+)"/)?.[1] ?? "",
  };
  const post = async (action: string, body: unknown) => {
    const answered = await fetch(`${url}${action}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answered.status, text: await answered.text() };
  };
  const events = async () => {
    const response = await fetch(`${url}events`, { signal: AbortSignal.timeout(8_000) });
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes("event: cost")) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    const of = (name: string) =>
      JSON.parse(text.match(new RegExp(`event: ${name}\\ndata: (.*)`))?.[1] ?? "null");
    return of;
  };
  return { url, page, post, events, end };
}

test("the page of a team: its title and time, its agents, mail to them, pauses, and an end", async () => {
  const home = aHome();
  aTeam(home);
  const { url, page, post, events, end } = await served(home, { team: TEAM, since: "8h", json: true });
  expect(page).toContain(`<title>${TEAM}: swarm</title>`);
  expect(page).toContain("in the last 8h");
  const of = await events();
  expect(of("agents").map(({ agent, paused }: any) => [agent, paused])).toEqual([
    ...[
      ["team-lead", ""],
      ["alice", ""],
      ["bob", ""],
    ],
  ]);
  expect(of("recipients")).toContainEqual({ team: TEAM, name: "alice" });
  expect(await post("send", { team: TEAM, to: "alice", text: "hello" })).toMatchObject({ status: 200 });
  expect(home.json(inboxOf("alice"))).toMatchObject([{ text: "hello" }]);
  expect(snapshot(seeing(home), TEAM, new Date()).agents.map(({ role, unread }) => [role, unread])).toEqual([
    ["lead", 0],
    ["", 1],
    ["", 0],
  ]);
  expect(await post("pause", { agent: "alice" })).toMatchObject({
    status: 200,
    text: expect.stringContaining("alice"),
  });
  expect((await events())("agents").map(({ paused }: any) => paused)).toEqual(["", "own", ""]);
  await post("unpause", { agent: "alice" });
  await post("pause", { all: true });
  expect((await events())("agents").map(({ paused }: any) => paused)).toEqual(["all", "all", "all"]);
  await post("unpause", { all: true });
  expect((await events())("agents").map(({ paused }: any) => paused)).toEqual(["", "", ""]);
  await end();
  await expect(fetch(url)).rejects.toThrow();
});

test("without a team it is of this machine, of one day, and says how to open it", async () => {
  const home = aHome();
  const { page } = await served(home, { team: "none" });
  expect(printed[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]+\/\nOpen it in a browser on this machine/);
  expect(page).toContain("<title>this machine: swarm</title>");
  expect(page).toContain("in the last 24h");
});

test.each(["-1", "65536", "1.5", "x", " "])("port %j is a bad call", async (port) => {
  onTestFinished(() => void process.emit("SIGHUP")); // where it serves
  const over = serveVerb(aCall(aHome(), [], { port }) as never);
  const begun = vi.waitFor(() => expect(printed).toHaveLength(1));
  await expect(Promise.race([over, begun])).rejects.toThrow("--port is a number up to 65535");
});

test("columns of numbers are marked as such, and a title is text", () => {
  const page = livePage("<b>", "token", "8h");
  expect(page).toContain('<th scope="col">agent</th><th scope="col" class="number">messages</th>');
  expect(page).toContain("<h1>&lt;b&gt;</h1>");
});

test("a day's entries: newest last, each with a key of its own, long texts cut, no states", () => {
  const home = aHome();
  aDay(home);
  const since = new Date(Date.now() - 48 * HOUR);
  const { entries, agents } = snapshot(seeing(home), DAY_TEAM, since);
  expect(entries.length).toBeGreaterThan(5);
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).sort((a, b) => a - b));
  expect(entries.filter(({ kind }) => !["message", "task", "decision", "context"].includes(kind))).toEqual(
    [],
  );
  expect(agents.length).toBeGreaterThan(1);
  const messages = [1, 2].map(() => ({
    id: "same",
    from: "bob",
    text: "x".repeat(3_000),
    timestamp: new Date().toISOString(),
    read: false,
  }));
  home.write(`.claude/teams/${DAY_TEAM}/inboxes/alice.json`, messages);
  const long = snapshot(seeing(home), DAY_TEAM, since).entries.filter(({ text }) => text?.startsWith("xxx"));
  expect(long.map(({ text }) => text?.length)).toEqual([2_001, 2_001].slice(0, long.length));
});

test("trees: changed or clean, distance, conflicts and claims as last counted", () => {
  const home = aHome();
  const tree = aBareTree(home);
  const now = new Date();
  const at = now.toISOString();
  aTeam(home, ["team-lead", { name: "ada", cwd: home.project }]);
  for (const name of ["ada", "bob"]) {
    home.write(`.claude/swarm/sessions/${name}-s/session.json`, {
      ...{
        session: `${name}-s`,
        agent: name,
        team: TEAM,
        state: "idle",
        status: "done",
        startedAt: at,
        lastSeen: at,
      },
      ...{ pid: process.pid, pidStartedAt: startOf(process.pid) },
    });
    writePresence(home.paths, tree, { session: `${name}-s` }, now);
  }
  addClaim(home.paths, tree, now, { by: "ada-s", patterns: ["src/**"], until: undefined, why: undefined });
  const state = (report: object) => {
    const trees = [{ top: tree.top, branch: "main", agents: ["ada"], changed: 0, ...report }];
    const conflicts = [{ trees: [tree.top, "/other"], files: [{ file: "a.ts", since: at }] }];
    writeForecast(home.paths, tree, { at, trees, conflicts, leftOut: [] });
    return snapshot(seeing(home, now), TEAM, now).trees.map((one) => [one.state, one.branch, ...one.notes]);
  };
  const [clean] = state({});
  expect(clean?.slice(0, 2)).toEqual(["clean", "main"]);
  expect(clean).toContain("claims src/**");
  expect(state({ changed: 3, ahead: 2, behind: 1, against: "main" })[0]?.[0]).toBe(
    "3 changed, 2 ahead of main, 1 behind",
  );
});

test("costs by agent, and whether all of it is counted", () => {
  const home = aHome();
  const at = new Date(Date.now() - 60_000).toISOString();
  append(home, mainFile("s-1"), answer({ id: "m1", session: "s-1", at, input: 1_000_000, output: 5 }));
  const view = costView(seeing(home), undefined, new Date(Date.now() - HOUR));
  expect(view).toMatchObject({ isCounting: false, rows: [{ messages: 1, output: 5 }] });
  expect(view.usd).toBeGreaterThan(2);
});
