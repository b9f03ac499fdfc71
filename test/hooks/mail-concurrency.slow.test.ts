// Mail under load, with the built scripts as real processes: many at once, locks that are never released, kills at every step.
import { mkdirSync, readFileSync, rmdirSync, statSync, utimesSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { readInbox } from "../../lib/mail/store/inbox.ts";
import { ageLocks, shownIn } from "../../scripts/torture/inspect.ts";
import { inLanes, startHook, startVerb } from "../../scripts/torture/processes.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, as, aTeam, CONFIG, inboxOf, member, TEAM } from "../support/a-team.ts";

const MINUTE = 60_000;
const named = (what: string, length: number) => Array.from({ length }, (_, n) => `${what}-${n}`);
const textsFor = (home: Home, agent: string) => readInbox(home.paths, TEAM, agent).map(({ text }) => text);

/** As a live process that never releases: the lock is refreshed as proper-lockfile does. */
function hold(home: Home, ...paths: string[]): () => void {
  const locks = paths.map((path) => home.path(`${path}.lock`));
  for (const lock of locks) mkdirSync(lock, { recursive: true });
  const renewing = setInterval(() => {
    for (const lock of locks) utimesSync(lock, new Date(), new Date());
  }, 1_000);
  const release = () => {
    clearInterval(renewing);
    for (const lock of locks.splice(0)) rmdirSync(lock);
  };
  onTestFinished(release);
  return release;
}

const allAtOnce = <T>(names: string[], work: (name: string) => Promise<T>) => Promise.all(names.map(work));
const lately = (agent: string, text: string, more = {}) =>
  aMessage(agent, text, { timestamp: new Date().toISOString(), ...more });

describe("many processes at files that are locked all the time lose nothing", () => {
  test(
    "sixteen members that end at once: every farewell, every end mark",
    async () => {
      const home = aHome();
      const members = named("member", 16);
      aTeam(home, ["team-lead", ...members]);
      const release = hold(home, CONFIG, inboxOf("team-lead"));
      const ran = await allAtOnce(members, (name) =>
        startHook(home, "session-end", { session_id: `s-${name}`, reason: "other" }, { env: as(name) }),
      );
      expect(ran.map(({ exitCode }) => exitCode)).toEqual(members.map(() => 0));
      const leavers = textsFor(home, "team-lead").map((text) => text.split(" session ended")[0]);
      expect(leavers.sort()).toEqual([...members].sort());
      release();
      const lead = { session_id: "lead-session", source: "startup" };
      const { stdout } = await startHook(home, "session-start", lead, { env: as("team-lead") });
      expect(new Set(shownIn(stdout)).size).toBe(16);
      expect(members.map((name) => member(home, name).status)).toEqual(members.map(() => "offline"));
    },
    MINUTE,
  );

  test(
    "sixteen last reports",
    async () => {
      const home = aHome();
      const members = named("member", 16);
      aTeam(home, ["team-lead", ...members]);
      hold(home, CONFIG, inboxOf("team-lead"));
      await allAtOnce(members, (name) =>
        startHook(
          home,
          "stop",
          { session_id: `s-${name}`, last_assistant_message: `${name} is done` },
          { env: as(name) },
        ),
      );
      expect(textsFor(home, "team-lead").sort()).toEqual(
        members.map((name) => `[report] ${name} is done`).sort(),
      );
    },
    MINUTE,
  );

  test(
    "64 senders, two messages each: all accepted, each there once, each sender's in order",
    async () => {
      const home = aHome();
      const senders = named("sender", 64);
      aTeam(home, ["team-lead", "bob", ...senders]);
      const release = hold(home, inboxOf("bob"));
      const ended = await allAtOnce(senders, async (name) => {
        const one = await startVerb(home, ["send", "bob", `${name} 1`], {
          env: as(name),
          hangsAfterMs: MINUTE,
        });
        if (name === senders.at(-1)) release(); // the rest meets at the lock itself
        const two = await startVerb(home, ["send", "bob", `${name} 2`], {
          env: as(name),
          hangsAfterMs: MINUTE,
        });
        return [one, two].map(({ exitCode, stderr }) => ({ exitCode, stderr }));
      });
      const accepted = { exitCode: 0, stderr: "" };
      expect(ended).toEqual(senders.map(() => [accepted, accepted]));
      const texts = textsFor(home, "bob");
      expect(texts.length).toBe(128);
      for (const name of senders)
        expect(texts.filter((text) => text.startsWith(`${name} `))).toEqual([`${name} 1`, `${name} 2`]);
    },
    3 * MINUTE,
  );

  test(
    "a reader that stops before a held inbox is not left asleep: the wake trigger fires, and the mail comes",
    async () => {
      const home = aHome();
      aTeam(home);
      home.write(inboxOf("bob"), []);
      const bob = { env: as("bob", { CLAUDE_CODE_ENTRYPOINT: "cli" }) };
      await startHook(home, "session-start", { session_id: "s-bob", source: "startup" }, bob);
      const release = hold(home, inboxOf("bob"));
      await startVerb(home, ["send", "bob", "spooled"], { env: as("alice") });
      const touched = () =>
        [0, 1].map((n) => statSync(home.path(`.claude/teams/${TEAM}/bells/bob.${n}`)).mtimeMs);
      const before = touched();
      const stopped = await startHook(home, "stop", { session_id: "s-bob" }, bob);
      expect(shownIn(stopped.stdout)).toEqual([]);
      expect(touched()).not.toEqual(before);
      const changed = {
        session_id: "s-bob",
        event: "change",
        file_path: home.path(`.claude/teams/${TEAM}/bells/bob.0`),
      };
      expect((await startHook(home, "file-changed", changed, bob)).stderr).toContain("New mail has come");
      release();
      const { stdout } = await startHook(
        home,
        "user-prompt-submit",
        { session_id: "s-bob", prompt: "go" },
        bob,
      );
      expect(shownIn(stdout)).toEqual(["spooled"]);
    },
    MINUTE,
  );

  test(
    "`swarm inbox` shows a held inbox, and what it showed is not shown again",
    async () => {
      const home = aHome();
      aTeam(home);
      home.write(inboxOf("bob"), [lately("alice", "read me")]);
      const release = hold(home, inboxOf("bob"));
      const env = as("bob", { CLAUDE_CODE_SESSION_ID: "s-bob" });
      const { exitCode, stdout } = await startVerb(home, ["inbox"], { env });
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining("read me") });
      release();
      const next = await startHook(
        home,
        "user-prompt-submit",
        { session_id: "s-bob", prompt: "go" },
        { env },
      );
      expect(shownIn(next.stdout)).toEqual([]);
    },
    MINUTE,
  );
});

test(
  "30 concurrent sends to a nearly full inbox: never larger than the limit, the others refused with the reason",
  async () => {
    const home = aHome();
    aTeam(home);
    home.write(
      inboxOf("bob"),
      Array.from({ length: 34 }, (_, n) => lately("alice", `${n} ${"x".repeat(100_000)}`)),
    );
    const before = textsFor(home, "bob").length;
    home.write("project/long.txt", "\u0001".repeat(99_000)); // six bytes each in JSON
    const ran = await allAtOnce(named("n", 30), () =>
      startVerb(home, ["send", "bob", "--file", "long.txt"], { env: as("alice"), hangsAfterMs: MINUTE }),
    );
    const accepted = ran.filter(({ exitCode }) => exitCode === 0).length;
    expect(statSync(home.path(inboxOf("bob"))).size).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(textsFor(home, "bob").length).toBe(before + accepted);
    for (const { exitCode, stderr } of ran.filter((one) => one.exitCode !== 0))
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: expect.stringMatching(/inbox of bob is full.*mail\.max_bytes/),
      });
    const { stdout } = await startHook(
      home,
      "user-prompt-submit",
      { session_id: "s-bob", prompt: "go" },
      { env: as("bob") },
    );
    expect(shownIn(stdout).length).toBeGreaterThan(0);
  },
  2 * MINUTE,
);

describe("killed at every step", () => {
  const LANES = 2;
  const stepsOf = async (home: Home, run: (fault: object) => Promise<unknown>): Promise<number> => {
    const note = home.path("steps.json");
    await run({ root: home.path(".claude"), from: -1, act: "kill-before", note });
    return JSON.parse(readFileSync(note, "utf8")).length;
  };
  const counted = (steps: number) => Array.from({ length: steps }, (_, n) => n + 1);

  const withMail = () => {
    const home = aHome();
    aTeam(home);
    home.write(inboxOf("bob"), [lately("alice", "one")]);
    return home;
  };
  const read = (home: Home, fault?: object) =>
    startHook(home, "user-prompt-submit", { session_id: "s-bob", prompt: "go" }, { env: as("bob"), fault });

  test(
    "a reader: what it had claimed comes before what its sender wrote since",
    async () => {
      const orders: Record<number, string[]> = {};
      const first = withMail();
      const count = await stepsOf(first, (fault) => read(first, fault));
      await inLanes(LANES, counted(count), async (from) => {
        const home = withMail();
        const shown = shownIn(
          (await read(home, { root: home.path(".claude"), from, act: "kill-before" })).stdout,
        );
        ageLocks(home);
        await startVerb(home, ["send", "bob", "two"], { env: as("alice") });
        for (let n = 0; n < 2; n++) shown.push(...shownIn((await read(home)).stdout));
        orders[from] = [...new Set(shown)];
      });
      expect(orders).toEqual(Object.fromEntries(counted(count).map((from) => [from, ["one", "two"]])));
    },
    3 * MINUTE,
  );

  test(
    "a sender that merges the spool: what was accepted is there once, whatever became of its own",
    async () => {
      const prepared = () => {
        const home = aHome();
        aTeam(home);
        for (const [n, text] of ["one", "two"].entries())
          home.write(`.claude/teams/${TEAM}/spool/bob/00000000000${n + 1}-x${n}.json`, {
            messages: [lately("alice", text)],
          });
        return home;
      };
      const send = (home: Home, fault?: object) =>
        startVerb(home, ["send", "bob", "three"], { env: as("alice"), fault });
      const first = prepared();
      const count = await stepsOf(first, (fault) => send(first, fault));
      const outcomes = new Set<string>();
      await inLanes(LANES, counted(count), async (from) => {
        const home = prepared();
        await send(home, { root: home.path(".claude"), from, act: "kill-before" });
        ageLocks(home);
        expect(textsFor(home, "bob").slice(0, 2)).toEqual(["one", "two"]);
        await startVerb(home, ["send", "bob", "four"], { env: as("alice") });
        outcomes.add(textsFor(home, "bob").join());
        expect(home.json(inboxOf("bob")).length).toBe(textsFor(home, "bob").length);
      });
      expect([...outcomes].sort()).toEqual(["one,two,four", "one,two,three,four"]);
    },
    3 * MINUTE,
  );
});
