// The live view in a real browser, from the built script: fed by files that change, quiet, and proof against what messages say.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { writeProcess } from "../../lib/system/processes.ts";
import { answer, append, mainFile } from "../people/transcripts.ts";
import { aDay, DAY_TEAM } from "../support/a-day.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { cleanEnv, ROOT, runSwarm } from "../support/run-built.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));
const FLAGS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
if (!CHROMIUM) console.warn("test/browser is skipped: there is no chromium here (Debian package chromium)");

let browser: BrowserContext;
let profile: string;
beforeAll(async () => {
  if (!CHROMIUM) return;
  profile = mkdtempSync(join(tmpdir(), "swarm-browser-"));
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args: FLAGS.split(" "),
  });
});
afterAll(async () => {
  await browser?.close();
  if (profile) rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

interface Served {
  url: string;
  pid: number;
  ended: Promise<number | null>;
}

async function serve(home: Home, args: string[] = ["--team", DAY_TEAM]): Promise<Served> {
  const child = spawn(process.execPath, [join(ROOT, "plugin", "bin", "swarm"), "serve", "--json", ...args], {
    env: cleanEnv(home),
    cwd: home.project,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk) => resolve(JSON.parse(String(chunk)).url));
    child.stderr.on("data", (chunk) => reject(new Error(String(chunk))));
  });
  return { url, pid: child.pid ?? 0, ended };
}

async function open(
  url: string,
  size = { width: 1180, height: 900 },
): Promise<{ page: Page; noise: string[] }> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const noise: string[] = [];
  page.on("console", (message) => noise.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    noise.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (asked) => {
    if (!asked.url().startsWith(url)) noise.push(`request: ${asked.url()}`);
  });
  await page.setViewportSize(size);
  await page.goto(url);
  await page.waitForSelector("html[data-ready]");
  await expect.poll(() => page.locator("#live").textContent()).toBe("live");
  return { page, noise };
}

const HOSTILE = [
  "</script><script>alert(1)</script>",
  '<img src=x onerror="alert(2)">',
  "<!-- <script> ]]> -->",
  "\u202egnp.exe \u0000\u001b[31mred",
  '"><svg onload=alert(3)>',
  "{{constructor.constructor('alert(4)')()}} ${alert(5)} javascript:alert(6)",
  "\u2028\u2029 \r\n\r\nevent: agents\ndata: [] &lt;b&gt;",
];

describe.skipIf(!CHROMIUM)("the live view", () => {
  test("shows agents, tasks, cost, mail and decisions, and says nothing to the console", async () => {
    const home = aHome();
    aDay(home);
    append(
      home,
      mainFile("s-alice"),
      answer({ id: "m1", session: "s-alice", at: new Date().toISOString(), input: 1_000_000 }),
    );
    const { page, noise } = await open((await serve(home)).url);
    expect(await page.locator("#agents .a-agent b").allTextContents()).toEqual([
      "team-lead",
      "alice",
      "bob",
      "carol",
    ]);
    expect(await page.locator("#tasks tr").count()).toBe(5);
    expect(await page.locator("#n-tasks").textContent()).toBe("2/5");
    expect(await page.locator("#costs tr").allTextContents()).toEqual([
      expect.stringMatching(/^alice10\$3\.00$/),
    ]);
    expect(await page.locator("#log .k-message").count()).toBe(14);
    expect(await page.locator("#log .k-decision").count()).toBe(5);
    expect(noise).toEqual([]);
  });

  test("follows the files: mail, tasks, states", async () => {
    const home = aHome();
    aDay(home);
    writeProcess(home.paths, { pid: process.pid, session: "s-bob" }); // as at its start
    const { page, noise } = await open((await serve(home)).url);
    expect(runSwarm(home, ["send", `bob@${DAY_TEAM}`, "from a terminal"]).exitCode).toBe(0);
    await expect.poll(() => page.locator("#log li").first().textContent()).toContain("from a terminal");
    expect(runSwarm(home, ["task", "create", "One more", "--team", DAY_TEAM]).exitCode).toBe(0);
    await expect.poll(() => page.locator("#tasks tr").count()).toBe(6);
    const path = ".claude/swarm/sessions/s-bob/session.json";
    home.write(path, {
      ...home.json(path),
      state: "tool_active",
      status: "working",
      tool: { name: "Bash", since: new Date().toISOString() },
      lastSeen: new Date().toISOString(),
    });
    await expect.poll(() => page.locator('#agents tr[data-agent="bob"] .tone').textContent()).toBe("working");
    expect(noise).toEqual([]);
  });

  test("shows the trees of a repository that agents share", async () => {
    const home = aHome();
    aDay(home);
    home.write("project/.git/HEAD", "ref: refs/heads/main\n");
    for (const directory of ["objects", "refs"]) home.write(`project/.git/${directory}/x`, "");
    const made = { from: home.project, commonDir: home.path("project/.git"), base: "1a2b3c4" };
    const tree = {
      team: DAY_TEAM,
      agent: "bob",
      path: home.path("trees/bob"),
      branch: HOSTILE[0] ?? "",
      ...made,
    };
    home.write(`.claude/swarm/trees/${DAY_TEAM}/bob.json`, { ...tree, at: new Date().toISOString() });
    const config = home.json(`.claude/teams/${DAY_TEAM}/config.json`);
    for (const member of config.members) member.cwd = home.project;
    home.write(`.claude/teams/${DAY_TEAM}/config.json`, config);
    const { page, noise } = await open((await serve(home)).url);
    expect(await page.locator("#trees tr").allTextContents()).toEqual([expect.stringMatching(/^bob/)]);
    expect(await page.locator("#where").isVisible()).toBe(true);
    expect(noise).toEqual([]);
  });

  test("lets the person pause and let go on, one agent or all, by mouse and by keys", async () => {
    const home = aHome();
    aDay(home);
    const { page, noise } = await open((await serve(home)).url);
    const state = (agent: string) => page.locator(`#agents tr[data-agent="${agent}"] .tone`).textContent();
    const before = await state("bob");
    await page.getByRole("button", { name: "Pause bob" }).click();
    await expect.poll(() => state("bob")).toBe("paused");
    expect(await page.locator("#held").textContent()).toContain("paused bob@harbour");
    expect(await state("team-lead")).not.toBe("paused");
    await page.getByRole("button", { name: "Let go on bob" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => state("bob")).toBe(before);
    await page.getByRole("button", { name: "Pause all" }).click();
    await expect.poll(() => state("team-lead")).toBe("paused");
    expect(await page.getByRole("button", { name: "Let go on bob" }).count()).toBe(0);
    expect(runSwarm(home, ["unpause", "--team", DAY_TEAM]).exitCode).toBe(0); // from a terminal, and the page follows
    await expect.poll(() => state("bob")).toBe(before);
    expect(home.has(".claude/swarm/pauses.json")).toBe(false);
    expect(noise).toEqual([]);
  });

  test("can be used without seeing it: every control has a name, every table its heads, what changes is announced", async () => {
    const home = aHome();
    aDay(home);
    const { page } = await open((await serve(home)).url);
    const nameless = await page.evaluate(() =>
      [...(globalThis as any).document.querySelectorAll("button, input, select, textarea, a")]
        .filter((one: any) => one.offsetParent !== null)
        .filter((one: any) => !(one.labels?.[0] ?? one).textContent.trim() && !one.getAttribute("aria-label"))
        .map((one: any) => one.outerHTML),
    );
    expect(nameless).toEqual([]);
    expect(await page.locator("table:not(:has(th[scope=col]))").count()).toBe(0);
    expect(await page.locator('[role="status"]').count()).toBeGreaterThanOrEqual(4);
    expect(await page.evaluate(() => (globalThis as any).document.documentElement.lang)).toBe("en");
    expect(await page.locator("h1").count()).toBe(1);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => (globalThis as any).document.activeElement.className)).toBe("skip");
  });

  test("lets the person write, by mouse and by keys alone", async () => {
    const home = aHome();
    aDay(home);
    const { page } = await open((await serve(home)).url);
    await page.getByRole("button", { name: "Write to carol" }).click();
    await page.locator("#text").fill("hello <b>carol</b>");
    await page.locator("#send").click();
    await expect.poll(() => page.locator("#said").textContent()).toMatch(/to carol: queued/);
    await page.locator("#to").focus();
    await page.keyboard.type("alice");
    await page.keyboard.press("Tab");
    await page.keyboard.type("by keys");
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => page.locator("#said").textContent()).toMatch(/to alice: queued/);
    const inbox = (name: string) => home.json(`.claude/teams/${DAY_TEAM}/inboxes/${name}.json`).at(-1);
    expect(inbox("carol")).toMatchObject({ from: "person", text: "hello <b>carol</b>", read: false });
    expect(inbox("alice")).toMatchObject({ from: "person", text: "by keys" });
    await expect.poll(() => page.locator("#log li").first().textContent()).toContain("by keys");
    await page.locator("#send").focus();
    await page.keyboard.press("/");
    expect(await page.evaluate(() => (globalThis as any).document.activeElement.id)).toBe("words");
    await page.keyboard.type("by keys");
    await expect.poll(() => page.locator("#log li").count()).toBe(1);
  });

  test("what others write stays text everywhere", async () => {
    const home = aHome();
    aDay(home);
    const timestamp = new Date(Date.now() - 60_000).toISOString();
    home.write(
      `.claude/teams/${DAY_TEAM}/inboxes/alice.json`,
      HOSTILE.map((text, n) => ({
        id: `h-${n}`,
        from: text,
        text: `${text}\n${text}`,
        timestamp,
        read: false,
      })),
    );
    const tasks = HOSTILE.map((text, n) => ({
      id: String(n + 10),
      subject: text,
      description: "",
      status: text,
      owner: text,
      blocks: [],
      blockedBy: [text],
    }));
    for (const task of tasks) home.write(`.claude/tasks/${DAY_TEAM}/${task.id}.json`, task);
    const config = home.json(`.claude/teams/${DAY_TEAM}/config.json`);
    config.members.push(...HOSTILE.map((name) => ({ name, agentId: name, agentType: name })));
    home.write(`.claude/teams/${DAY_TEAM}/config.json`, config);
    const path = ".claude/swarm/sessions/s-bob/session.json";
    home.write(path, { ...home.json(path), statusText: HOSTILE[0], role: HOSTILE[1] });
    append(
      home,
      mainFile("s-bob"),
      answer({ id: "x", session: "s-bob", model: HOSTILE[0], at: timestamp, input: 5 }),
    );
    const { page, noise } = await open((await serve(home)).url);
    for (const summary of await page.locator("#log summary").all()) await summary.click();
    expect(await page.locator("#log pre").allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining("<script>alert(1)</script>")]),
    );
    expect(await page.locator("img, svg, iframe, object, main script").count()).toBe(0);
    expect(await page.locator("script").count()).toBe(1);
    expect(await page.locator("#agents tr").count()).toBe(4 + HOSTILE.length);
    expect(noise).toEqual([]);
  });

  test("its policy lets nothing in: not a picture, not a style, not a script, not a request elsewhere", async () => {
    const home = aHome();
    aDay(home);
    const { page } = await open((await serve(home)).url);
    const blocked = await page.evaluate(async () => {
      const doc = (globalThis as any).document;
      const seen: string[] = [];
      doc.addEventListener("securitypolicyviolation", (event: any) => seen.push(event.effectiveDirective));
      doc.body.append(Object.assign(doc.createElement("style"), { textContent: "body { display: none }" }));
      doc.body.append(Object.assign(doc.createElement("img"), { src: "https://example.invalid/x.png" }));
      await fetch("https://example.invalid/").catch(() => {});
      let markup = "set";
      try {
        doc.body.innerHTML = "<b>x</b>";
      } catch {
        markup = "refused";
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { seen: [...new Set(seen)].sort(), markup };
    });
    expect(blocked.markup).toBe("refused");
    expect(blocked.seen).toEqual(expect.arrayContaining(["connect-src", "img-src", "style-src-elem"]));
  });

  test("a page of another site gets nothing and changes nothing, even where it knows the address", async () => {
    const home = aHome();
    aDay(home);
    const { url } = await serve(home);
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto("about:blank");
    const before = home.read(`.claude/teams/${DAY_TEAM}/inboxes/bob.json`);
    const tried = await page.evaluate(async (address) => {
      const attempt = async (work: () => Promise<Response>) => {
        try {
          return (await work()).status;
        } catch {
          return "refused";
        }
      };
      const body = JSON.stringify({ team: "harbour", to: "bob", text: "evil" });
      return [
        await attempt(() => fetch(address)),
        await attempt(() => fetch(`${address}events`)),
        await attempt(() => fetch(`${address}send`, { method: "POST", mode: "no-cors", body })),
        await attempt(() =>
          fetch(`${address}send`, {
            method: "POST",
            headers: { "content-type": "application/json", "x-csrf-token": "x" },
            body,
          }),
        ),
      ];
    }, url);
    expect(tried.filter((status) => status === 200)).toEqual([]);
    expect(home.read(`.claude/teams/${DAY_TEAM}/inboxes/bob.json`)).toBe(before);
  });

  test.each(["light", "dark"] as const)(
    "a phone in the %s needs no scrolling sideways",
    async (colorScheme) => {
      const home = aHome();
      aDay(home);
      const { page, noise } = await open((await serve(home)).url, { width: 360, height: 740 });
      await page.emulateMedia({ colorScheme });
      const wide = await page.evaluate(() => (globalThis as any).document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(360);
      expect(noise).toEqual([]);
    },
  );

  test("200 agents and 10,000 events stay smooth", async () => {
    const home = aHome();
    const start = aDay(home).getTime();
    const day = new Date().toISOString().slice(0, 10);
    const config = home.json(`.claude/teams/${DAY_TEAM}/config.json`);
    for (let n = 0; n < 196; n++) {
      const name = `worker-${n}`;
      config.members.push({
        name,
        agentId: `${name}@${DAY_TEAM}`,
        agentType: "worker",
        sessionId: `s-${name}`,
      });
      home.write(`.claude/swarm/sessions/s-${name}/session.json`, {
        session: `s-${name}`,
        team: DAY_TEAM,
        agent: name,
        state: "idle",
        status: "done",
        startedAt: new Date(start).toISOString(),
        lastSeen: new Date().toISOString(),
      });
    }
    home.write(`.claude/teams/${DAY_TEAM}/config.json`, config);
    const lines = Array.from({ length: 10_000 }, (_, n) => ({
      id: `many-${n}`,
      at: new Date(Date.now() - 10_000 * 200 + n * 200).toISOString(),
      event: "hook",
      session: "s-alice",
      agent: "main",
      feature: "command-guard",
      what: "deny",
      rule: `rule-${n % 50}`,
      reason: `reason ${n}`,
    }));
    home.write(
      `.claude/swarm/journal/${day}.jsonl`,
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    const { page, noise } = await open((await serve(home)).url);
    expect(await page.locator("#agents tr").count()).toBe(200);
    await expect.poll(() => page.locator("#count").textContent()).toMatch(/^100 of \d{4,5}$/);
    expect(await page.evaluate(() => (globalThis as any).document.querySelectorAll("*").length)).toBeLessThan(
      5_000,
    );
    await page.evaluate(() => {
      const scope = globalThis as any;
      scope.slow = [];
      new scope.PerformanceObserver((list: any) =>
        scope.slow.push(...list.getEntries().map((one: any) => one.duration)),
      ).observe({ entryTypes: ["longtask"] });
    });
    for (let n = 0; n < 5; n++) {
      const path = `.claude/swarm/sessions/s-worker-${n}/session.json`;
      home.write(path, {
        ...home.json(path),
        state: "tool_active",
        status: "working",
        tool: { name: "Bash", since: new Date().toISOString() },
        lastSeen: new Date().toISOString(),
      });
      await expect
        .poll(() => page.locator(`#agents tr[data-agent="worker-${n}"] .tone`).textContent(), {
          timeout: 15_000,
        })
        .toBe("working");
    }
    await page.locator("#words").fill("reason 99");
    await expect.poll(() => page.locator("#count").textContent()).toMatch(/of 1\d\d$|of \d\d$/);
    const slow: number[] = await page.evaluate(() => (globalThis as any).slow);
    // A long task keeps the page from answering: one of a quarter of a second is felt.
    expect(Math.max(0, ...slow)).toBeLessThan(250);
    expect(noise).toEqual([]);
  });

  test("a window left open goes on after the server is back, and says that it is gone", async () => {
    const home = aHome();
    aDay(home);
    const served = await serve(home);
    const { page } = await open(served.url);
    process.kill(served.pid);
    expect(await served.ended).toBe(0);
    await expect.poll(() => page.locator("#live").textContent()).toMatch(/no connection|ended/);
  });
});

test("it ends with the process that started it", async () => {
  const home = aHome();
  aDay(home);
  const shell = spawn(
    "sh",
    [
      "-c",
      `'${process.execPath}' '${join(ROOT, "plugin", "bin", "swarm")}' serve --json & echo pid $!; wait`,
    ],
    {
      env: cleanEnv(home),
      cwd: home.project,
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  let said = "";
  shell.stdout.on("data", (chunk) => {
    said += String(chunk);
  });
  await expect.poll(() => said).toMatch(/pid \d+[\s\S]*"url"|"url"[\s\S]*pid \d+/);
  const { url } = JSON.parse(said.match(/\{.*\}/)?.[0] ?? "{}");
  shell.kill("SIGKILL");
  const isUp = () =>
    new Promise<boolean>((resolve) => {
      request(url, (response) => {
        response.resume();
        resolve(true);
      })
        .on("error", () => resolve(false))
        .end();
    });
  await expect.poll(isUp, { timeout: 10_000 }).toBe(false);
});
