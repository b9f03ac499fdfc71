// Mail between real processes: many at once, and killed at the worst moment.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { aFullPipe } from "../support/a-full-pipe.ts";
import { aHome } from "../support/a-home.ts";
import { aMessage, as, aTeam, inboxOf, member } from "../support/a-team.ts";
import { cleanEnv, ROOT, runHook, startHook, startScript } from "../support/run-built.ts";

const names = (count: number) => Array.from({ length: count }, (_, n) => `member-${n}`);
const contents = (text: string) =>
  [...text.matchAll(/<content>(.*?)<\/content>/gs)].map((found) => found[1] ?? "");
const fresh = () => ({ timestamp: new Date().toISOString() });

test("sixteen members end at the same moment: sixteen messages, sixteen marks", async () => {
  const home = aHome();
  const all = names(16);
  aTeam(home, ["team-lead", ...all]);
  const end = (name: string) => ({ session_id: name, cwd: home.project, reason: "other" });
  const ended = await Promise.all(
    all.map((name) => startHook(home, "session-end", end(name), as(name)).done),
  );
  expect(ended.map(({ exitCode, stderr }) => `${exitCode}${stderr}`)).toEqual(Array(16).fill("0"));
  // Where the lock was not to be had in time, message and mark are in the spool until the lead's next hook.
  const lead = { session_id: "lead", source: "startup" };
  const { stdout } = runHook(home, "session-start", lead, { env: as("team-lead") });
  const leavers = contents(stdout).map((text) => text.split(" session ended")[0]);
  expect(leavers.sort()).toEqual([...all].sort());
  expect(all.map((name) => member(home, name).status)).toEqual(Array(16).fill("offline"));
}, 60_000);

test("many senders and a reader at one inbox: nothing lost, nothing twice, each sender's order kept", async () => {
  const home = aHome();
  const senders = names(8);
  const each = 6;
  aTeam(home, ["team-lead", ...senders]);
  const prompt = { session_id: "lead", cwd: home.project, prompt: "go on" };
  let writing = true;
  const read: string[] = [];
  const reader = (async () => {
    for (let more = true; more; ) {
      more = writing;
      const { done } = startHook(home, "user-prompt-submit", prompt, as("team-lead"));
      read.push(...contents((await done).stdout));
    }
  })();
  const send = async (name: string) => {
    for (let n = 0; n < each; n++) {
      const words = ["send", "team-lead", `${name} ${n}`];
      const { done } = startScript(join(ROOT, "plugin/bin/swarm"), words, home, "", as(name));
      expect((await done).exitCode).toBe(0);
    }
  };
  await Promise.all(senders.map(send));
  writing = false;
  await reader;
  for (const name of senders)
    expect(read.filter((text) => text.startsWith(`${name} `))).toEqual(
      Array.from({ length: each }, (_, n) => `${name} ${n}`),
    );
  expect(read).toHaveLength(senders.length * each);
}, 120_000);

describe("killed between claim and mark", () => {
  test.each([
    ["SIGKILL", "at once, since its process is gone"],
    ["SIGSTOP", "after its lease, since its process may still show it"],
  ] as const)("by %s: the message comes again %s", async (signal, _how) => {
    const home = aHome();
    aTeam(home);
    home.write(inboxOf("bob"), [aMessage("alice", "hello", fresh())]);
    const child = spawn(process.execPath, [join(ROOT, "plugin/dist/hooks/user-prompt-submit.cjs")], {
      env: cleanEnv(home, as("bob")),
      stdio: ["pipe", aFullPipe(home), "ignore"],
    });
    const gone = new Promise((resolve) => child.on("close", resolve));
    child.stdin?.end(JSON.stringify({ session_id: "s-1", cwd: home.project, prompt: "go" }));
    const isClaimed = () =>
      home.json(inboxOf("bob"))[0].state === "claimed" && !home.has(`${inboxOf("bob")}.lock`);
    for (let n = 0; !isClaimed(); n++) {
      expect(n).toBeLessThan(500);
      await pause(20);
    }
    child.kill(signal);
    onTestFinished(() => void child.kill("SIGKILL"));
    if (signal === "SIGKILL") await gone;

    const prompt = () => runHook(home, "user-prompt-submit", { prompt: "go" }, { env: as("bob") }).stdout;
    if (signal === "SIGSTOP") {
      expect(contents(prompt())).toEqual([]);
      const [entry] = home.json(inboxOf("bob"));
      const lapsed = new Date(Date.now() - 31_000).toISOString();
      home.write(inboxOf("bob"), [{ ...entry, claim: { ...entry.claim, at: lapsed } }]);
    }
    expect(contents(prompt())).toEqual(["hello"]);
    expect(contents(prompt())).toEqual([]);
  });
});
