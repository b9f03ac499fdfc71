// The report page in a real browser, from the built script: drawn, quiet, answering to keys, and proof against what messages say.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { aDay, DAY_TEAM } from "../support/a-day.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { runSwarm } from "../support/run-built.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));
const FLAGS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
if (!CHROMIUM) console.warn("test/browser is skipped: there is no chromium here (Debian package chromium)");

let browser: BrowserContext;
let profile: string;
beforeAll(async () => {
  if (!CHROMIUM) return;
  profile = mkdtempSync(join(tmpdir(), "swarm-browser-"));
  const args = FLAGS.split(" ");
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args,
  });
});
afterAll(async () => {
  await browser?.close();
  if (profile) rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

interface Opened {
  page: Page;
  /** Everything the console said, and everything that was asked for besides the file itself. */
  noise: string[];
}

async function open(path: string, size = { width: 1180, height: 900 }): Promise<Opened> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const noise: string[] = [];
  page.on("console", (message) => noise.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    noise.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== `file://${path}`) noise.push(`request: ${request.url()}`);
  });
  await page.setViewportSize(size);
  await page.goto(`file://${path}`);
  await page.waitForSelector("html[data-ready]");
  return { page, noise };
}

function written(home: Home, args: string[] = ["--team", DAY_TEAM]): string {
  const out = home.path("report.html");
  const { exitCode, stderr } = runSwarm(home, ["report", "--out", out, ...args]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return out;
}

function aReport(): string {
  const home = aHome();
  aDay(home);
  const ended = new Date(Date.now() - 3_600_000).toISOString();
  const files = ["src/lexer/heredoc.ts", "src/lexer/token.ts", "test/lexer/heredoc.test.ts"];
  const run = { began: ended, ended, tree: "/t", agent: "bob", session: "s-bob", team: DAY_TEAM };
  const command = "npm test -- --run test/lexer/heredoc.test.ts --reporter=dot";
  home.write(
    ".claude/swarm/repositories/r/runs.jsonl",
    `${JSON.stringify({ ...run, id: "r-mabcdef-1", command, exitCode: 1, isWhole: true, others: [{ by: "alice", files }] })}\n`,
  );
  return written(home);
}

const HOSTILE = [
  "</script><script>alert(1)</script>",
  '<img src=x onerror="alert(2)">',
  "<!-- <script> ]]> -->",
  "\u202egnp.exe \u0000\u001b[31mred",
  '"><svg onload=alert(3)>',
  "{{constructor.constructor('alert(4)')()}} ${alert(5)} javascript:alert(6)",
  "\u2028\u2029 &lt;b&gt; &amp; </textarea></style>",
];

describe.skipIf(!CHROMIUM)("the report page", () => {
  test("is drawn, says nothing to the console and asks nobody for anything", async () => {
    const { page, noise } = await open(aReport());
    expect(await page.locator("#picture rect.s-working").count()).toBeGreaterThan(10);
    expect(await page.locator("#picture .mail line").count()).toBe(14);
    expect(await page.locator(".label b").allTextContents()).toEqual(["team-lead", "alice", "bob", "carol"]);
    expect(await page.locator("#log li").count()).toBeGreaterThan(60);
    expect(noise).toEqual([]);
  });

  test("a day on which no agent was active has a log all the same", async () => {
    const home = aHome();
    const at = new Date(Date.now() - 60_000).toISOString();
    home.write(`.claude/teams/${DAY_TEAM}/inboxes/bob.json`, [
      { id: "m", from: "person", text: "hi", timestamp: at, read: false },
    ]);
    const { page, noise } = await open(written(home, ["--all"]));
    expect(await page.locator("#timeline").textContent()).toContain("No agent was active");
    expect(await page.locator("#log li").count()).toBe(1);
    expect(noise).toEqual([]);
  });

  test("its policy lets nothing in: not a picture, not a style, not a script, not a request", async () => {
    const { page } = await open(aReport());
    const blocked = await page.evaluate(async () => {
      const doc = (globalThis as any).document;
      const seen: string[] = [];
      doc.addEventListener("securitypolicyviolation", (event: any) => seen.push(event.effectiveDirective));
      for (const [tag, key, value] of [
        ["script", "textContent", "window.bad = 1"],
        ["style", "textContent", "body { display: none }"],
        ["img", "src", "https://example.invalid/x.png"],
      ] as const)
        doc.body.append(Object.assign(doc.createElement(tag), { [key]: value }));
      await fetch("https://example.invalid/").catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { seen: [...new Set(seen)].sort(), bad: (globalThis as any).bad };
    });
    expect(blocked.bad).toBeUndefined();
    expect(blocked.seen).toEqual(["connect-src", "img-src", "script-src-elem", "style-src-elem"]);
  });

  test("what a message says stays text, wherever it stands", async () => {
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
    home.write(`.claude/tasks/${DAY_TEAM}/9.json`, {
      subject: HOSTILE[0],
      description: "",
      status: '"><script>alert(7)</script>',
      owner: HOSTILE[1],
      blocks: [],
      blockedBy: [],
    });
    const { page, noise } = await open(written(home));
    await page.locator("#words").fill("alert(");
    await expect.poll(() => page.locator("#log li").count()).toBe(4);
    for (const summary of await page.locator("#log summary").all()) await summary.click();
    expect(await page.locator("#log pre").first().textContent()).toContain("<script>alert(1)</script>");
    expect(
      await page.locator("img, script:not(#data):not(body > script), #log svg, iframe, object").count(),
    ).toBe(0);
    expect(await page.locator("body > script").count()).toBe(2);
    expect(noise).toEqual([]);
  });

  test("everything can be reached and done by keys alone", async () => {
    const { page } = await open(aReport());
    const focused = () => page.evaluate(() => (globalThis as any).document.activeElement.id);
    await page.keyboard.press("/");
    expect(await focused()).toBe("words");
    await page.keyboard.type("heredoc");
    await expect.poll(() => page.locator("#log li").count()).toBe(3);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("#log li").count()).toBeGreaterThan(60);
    await page.locator("#scrub").focus();
    for (let n = 0; n < 10; n++) await page.keyboard.press("Shift+ArrowLeft");
    expect(await page.locator("#scrub").getAttribute("aria-valuetext")).toMatch(/\d working/);
    await page.keyboard.press("Enter");
    const first = await page.evaluate(() => (globalThis as any).document.activeElement.textContent);
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate(() => (globalThis as any).document.activeElement.textContent)).not.toBe(first);
    await page.locator("#log summary").first().focus();
    await page.keyboard.press("Enter");
    expect(await page.locator("#log details[open]").count()).toBe(1);
    const chip = page.locator('[data-kind="decision"]');
    await chip.focus();
    await page.keyboard.press("Space");
    expect(await chip.getAttribute("aria-pressed")).toBe("true");
    expect(await page.locator("#log li").count()).toBe(5);
    // Rows that cannot be opened are reached as well.
    await page.keyboard.press("Space");
    await page.locator('[data-kind="state"]').press("Space");
    await page.locator("#words").focus();
    await page.keyboard.press("Tab");
    expect(
      await page
        .locator("#log .row")
        .first()
        .evaluate((row) => row.matches(":focus")),
    ).toBe(true);
  });

  test("keys of the browser stay the browser's", async () => {
    const { page } = await open(aReport());
    await page.evaluate(() => {
      const { document } = globalThis as any;
      document.addEventListener("keydown", (event: any) => {
        document.title = String(event.defaultPrevented);
      });
    });
    for (const [place, key] of [
      ["#scrub", "Alt+ArrowLeft"],
      ["#scrub", "Alt+Home"],
      ["#log summary", "Control+k"],
      ["#log summary", "Alt+ArrowDown"],
      ["#log summary", "Control+/"],
    ] as const) {
      await page.locator(place).first().press(key);
      expect(`${key} ${await page.title()}`).toBe(`${key} false`);
    }
    await page.locator("#scrub").press("ArrowLeft");
    expect(await page.title()).toBe("true");
  });

  test.each(["light", "dark"] as const)(
    "a phone in the %s needs no scrolling sideways",
    async (colorScheme) => {
      const { page, noise } = await open(aReport(), { width: 360, height: 740 });
      await page.emulateMedia({ colorScheme });
      for (const summary of (await page.locator("#log summary").all()).slice(0, 5)) await summary.click();
      const wide = await page.evaluate(() => (globalThis as any).document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(360);
      const paper = await page.evaluate(
        () => (globalThis as any).getComputedStyle((globalThis as any).document.body).backgroundColor,
      );
      expect(paper).toBe(colorScheme === "dark" ? "rgb(19, 21, 25)" : "rgb(247, 246, 242)");
      expect(noise).toEqual([]);
    },
  );

  test("without its script it shows all but the log, and offers nothing that would not answer", async () => {
    const [report, own] = [aReport(), mkdtempSync(join(tmpdir(), "swarm-browser-"))];
    onTestFinished(() => rmSync(own, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
    const plain = await chromium.launchPersistentContext(own, {
      ...{ executablePath: CHROMIUM, headless: true, args: FLAGS.split(" "), javaScriptEnabled: false },
    });
    onTestFinished(() => plain.close());
    const page = await plain.newPage();
    await page.goto(`file://${report}`);
    expect(await page.locator("#picture rect.s-working").count()).toBeGreaterThan(10);
    expect(await page.locator("noscript p").isVisible()).toBe(true);
    expect(await page.locator("button:visible, select:visible, input:visible, kbd:visible").count()).toBe(0);
    expect(await page.locator("[tabindex], [role=slider]").count()).toBe(0);
  });

  test.each([1180, 360])("no name runs out of its cell at %i pixels", async (width) => {
    const home = aHome();
    aDay(home);
    const { page } = await open(written(home, ["--all"]), { width, height: 900 });
    const cells = await page
      .locator("th, td")
      .evaluateAll((all) =>
        all.flatMap((one: any) => (one.scrollWidth > one.clientWidth ? [one.textContent] : [])),
      );
    expect(await page.locator(".square th").allTextContents()).toContain(`team-lead@${DAY_TEAM}`);
    expect(cells).toEqual([]);
  });

  test("ten thousand events weigh no more on the page than two hundred", async () => {
    const home = aHome();
    const start = aDay(home).getTime();
    const names = ["team-lead", "alice", "bob", "carol"];
    const day = new Date(start).toISOString().slice(0, 10);
    const lines = Array.from({ length: 10_000 }, (_, n) => ({
      id: `many-${n}`,
      at: new Date(start + n * 1_400).toISOString(),
      event: "hook",
      session: `s-${names[n % 4]}`,
      agent: "main",
      ...[
        { feature: "sessions", what: "state", state: n % 8 < 4 ? "working" : "idle" },
        { feature: "command-guard", what: "deny", rule: `rule-${n % 50}`, reason: `reason ${n}` },
      ][Math.floor(n / 4) % 2],
    }));
    const path = home.path(`.claude/swarm/journal/${day}.jsonl`);
    const before = readFileSync(path, "utf8");
    home.write(
      `.claude/swarm/journal/${day}.jsonl`,
      before + lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    const { page, noise } = await open(written(home));
    const count = () => page.evaluate(() => (globalThis as any).document.querySelectorAll("*").length);
    expect(await page.locator("#count").textContent()).toMatch(/^1–200 of 10\d\d\d$/);
    expect(await count()).toBeLessThan(6_000);
    // A long task is one that makes a page stutter; typing into the search may cost a few frames, not a second.
    const slowest = await page.evaluate(async () => {
      const doc = (globalThis as any).document;
      const scrub = doc.getElementById("scrub");
      const times: number[] = [];
      for (let n = 0; n < 100; n++) {
        const at = performance.now();
        scrub.dispatchEvent(new (globalThis as any).KeyboardEvent("keydown", { key: "ArrowLeft" }));
        times.push(performance.now() - at);
      }
      return times.sort((a, b) => a - b)[50] ?? 0;
    });
    const parse = await page.evaluate(() => {
      const text = (globalThis as any).document.getElementById("data").textContent;
      const at = performance.now();
      JSON.parse(text);
      return performance.now() - at;
    });
    expect(slowest).toBeLessThan(Math.max(10, parse));
    for (let n = 0; n < 3; n++) await page.locator("#later").click();
    expect(await page.locator("#count").textContent()).toMatch(/^601–800 of/);
    expect(await count()).toBeLessThan(6_000);
    expect(noise).toEqual([]);
  });
});
