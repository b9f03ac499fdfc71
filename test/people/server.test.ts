// Who may talk to the live view, asked over a real socket: every way in is tried with one thing wrong.
import { type OutgoingHttpHeaders, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { MOST_BROWSERS, makeFeed } from "../../lib/people/view/feed.ts";
import { type Given, startServer } from "../../lib/people/view/server.ts";
import type { EntryView } from "../../lib/people/view/snapshot.ts";

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

async function aServer(more: Partial<Given> = {}) {
  const sent: string[][] = [];
  const feed = makeFeed();
  const came = vi.fn();
  const server = await startServer({
    port: 0,
    title: "<b>team</b>",
    since: "24h",
    feed,
    came,
    send: (...words) => {
      if (words[1] === "nobody") throw new Error("there is no nobody");
      sent.push(words);
      return "queued";
    },
    pause: (agent) => {
      sent.push(["pause", agent ?? "all"]);
      return "paused";
    },
    unpause: (agent) => {
      sent.push(["unpause", agent ?? "all"]);
      return "unpaused";
    },
    ...more,
  });
  onTestFinished(() => server.end());
  const { port, pathname } = new URL(server.url);
  const ask = (path: string, headers: OutgoingHttpHeaders = {}, method = "GET", body = "") =>
    new Promise<Answer>((resolve, reject) => {
      let isRead = false;
      const asked = request(
        {
          ...{ host: "127.0.0.1", port, path, method, headers: { host: `127.0.0.1:${port}`, ...headers } },
          signal: AbortSignal.timeout(5_000),
        },
        (response) => {
          let text = "";
          response.on("data", (chunk) => {
            text += chunk;
            isRead = text.includes("event: entries");
            if (isRead) asked.destroy();
          });
          response.on("close", () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
          );
        },
      );
      asked.on("error", (error) => (isRead ? undefined : reject(error)));
      asked.end(body);
    });
  const page = await ask(pathname);
  const csrf = page.body.match(/name="csrf" content="([\w-]+)"/)?.[1] ?? "";
  const own = {
    origin: `http://127.0.0.1:${port}`,
    "content-type": "application/json",
    "x-csrf-token": csrf,
  };
  const post = (
    more: OutgoingHttpHeaders,
    body: unknown = { team: "t", to: "bob", text: "hi" },
    path = `${pathname}send`,
  ) =>
    ask(
      path,
      Object.fromEntries(Object.entries({ ...own, ...more }).filter(([, value]) => value !== undefined)),
      "POST",
      typeof body === "string" ? body : JSON.stringify(body),
    );
  return { url: server.url, port, path: pathname, ask, post, page, sent, feed, csrf, came, server };
}

test("the page: nothing of it is kept, framed, sniffed or passed on, and its title is text", async () => {
  const { page, csrf, path } = await aServer();
  expect(page.status).toBe(200);
  expect(page.headers).toMatchObject({
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
  });
  expect(page.headers["content-security-policy"]).toMatch(
    /default-src 'none';.*script-src 'sha256-[^']+';.*frame-ancestors 'none'/,
  );
  expect(page.headers["content-security-policy"]).not.toMatch(/unsafe|\*/);
  expect(page.body).toContain("<h1>&lt;b&gt;team&lt;/b&gt;</h1>");
  expect(path.length).toBeGreaterThan(32);
  expect(path).not.toContain(csrf);
});

describe("a look is refused", () => {
  test.each<[string, (path: string, port: string) => [string, OutgoingHttpHeaders], number]>([
    ["without the token", () => ["/", {}], 404],
    [
      "with a wrong token",
      (path) => [path.startsWith("/_") ? `/-${path.slice(2)}` : `/_${path.slice(2)}`, {}],
      404,
    ],
    ["with a part of it", (path) => [path.slice(0, -5), {}], 404],
    ["by another name of this machine", (path, port) => [path, { host: `evil.example:${port}` }], 421],
    ["by the right name on another port", (path) => [path, { host: "127.0.0.1:80" }], 421],
    [
      "by a name that only begins like ours",
      (path, port) => [path, { host: `127.0.0.1.evil.example:${port}` }],
      421,
    ],
    ["by a name alone", (path) => [path, { host: "127.0.0.1" }], 421],
    ["from another origin", (path) => [path, { origin: "http://evil.example" }], 403],
    ["from an origin that hides itself", (path) => [path, { origin: "null" }], 403],
    [
      "from another site, by what the browser says",
      (path) => [path, { "sec-fetch-site": "cross-site" }],
      403,
    ],
    ["from another port of this machine", (path) => [path, { "sec-fetch-site": "same-site" }], 403],
    ["of what is not there", (path) => [`${path}../secrets`, {}], 404],
  ])("%s", async (_, made, status) => {
    const { ask, path, port } = await aServer();
    for (const place of ["", "events"]) {
      const [asked, headers] = made(`${path}${place}`, port);
      const answer = await ask(asked, headers);
      expect(answer.status).toBe(status);
      expect(answer.body).not.toContain("csrf");
    }
  });

  test("by localhost it is not", async () => {
    const { ask, path, port } = await aServer();
    expect((await ask(path, { host: `localhost:${port}`, "sec-fetch-site": "none" })).status).toBe(200);
  });

  test("from another address of this machine: nothing listens there", async () => {
    const { port } = await aServer();
    const others = Object.values(networkInterfaces()).flatMap((all) =>
      (all ?? []).filter((one) => !one.internal && one.family === "IPv4"),
    );
    for (const { address } of others) {
      const refused = await new Promise<boolean>((resolve) => {
        connect(Number(port), address, () => resolve(false)).on("error", () => resolve(true));
      });
      expect(refused).toBe(true);
    }
  });
});

describe("a message is sent", () => {
  test("from the page", async () => {
    const { post, sent } = await aServer();
    expect(await post({})).toMatchObject({ status: 200, body: '{"text":"queued"}' });
    expect(sent).toEqual([["t", "bob", "hi"]]);
  });
  test.each<[string, OutgoingHttpHeaders, unknown, number]>([
    ["without the page's own key", { "x-csrf-token": undefined }, undefined, 403],
    ["with a wrong key", { "x-csrf-token": "x".repeat(32) }, undefined, 403],
    ["without an origin", { origin: undefined }, undefined, 403],
    ["from another origin", { origin: "http://evil.example" }, undefined, 403],
    ["from the same name on another port", { origin: "http://127.0.0.1:1" }, undefined, 403],
    ["as a form would", { "content-type": "application/x-www-form-urlencoded" }, undefined, 415],
    ["as text, which needs no leave", { "content-type": "text/plain" }, undefined, 415],
    ["that is no JSON", {}, "{", 400],
    ["that is something else", {}, "null", 400],
    ["without a text", {}, { team: "t", to: "bob", text: "" }, 400],
    ["with a text that is none", {}, { team: "t", to: "bob", text: { a: 1 } }, 400],
    ["to nobody", {}, { team: "t", to: "nobody", text: "x" }, 400],
    ["of any length", {}, { team: "t", to: "bob", text: "x".repeat(750_000) }, 413],
  ])("not %s", async (_, headers, body, status) => {
    const { post, sent } = await aServer();
    expect((await post(headers, body)).status).toBe(status);
    expect(sent).toEqual([]);
  });
  test("and the answer carries no hidden characters", async () => {
    const { post } = await aServer({ send: () => "queued for b\u202eob" });
    expect(await post({})).toMatchObject({ status: 200, body: '{"text":"queued for bob"}' });
  });
  test("not in something that is no JSON, and says so", async () => {
    const { post } = await aServer();
    expect(await post({}, "{")).toMatchObject({ status: 400, body: '{"error":"this is no JSON"}' });
  });
  test("up to a length", async () => {
    const { post, sent } = await aServer();
    const rest = JSON.stringify({ team: "t", to: "bob", text: "" }).length;
    for (const length of [700_000, 700_001])
      expect((await post({}, { team: "t", to: "bob", text: "x".repeat(length - rest) })).status).toBe(
        length === 700_000 ? 200 : 413,
      );
    expect(sent).toHaveLength(1);
  });
  test.each(["\u8a9e", "\u0001"])("as long as the page's field, also of the sign %j", async (sign) => {
    const { page, post, sent } = await aServer();
    const text = sign.repeat(Number(page.body.match(/maxlength="(\d+)"/)?.[1]));
    expect((await post({}, { team: "t", to: "bob", text })).status).toBe(200);
    expect(sent).toEqual([["t", "bob", text]]);
  });
  test("not of any length where it is not said beforehand", async () => {
    const { post, sent } = await aServer();
    const long = { team: "t", to: "bob", text: "x".repeat(750_000) };
    expect((await post({ "transfer-encoding": "chunked" }, long)).status).toBe(413);
    expect(sent).toEqual([]);
  });
  test.each(["PUT", "DELETE", "OPTIONS", "PATCH"])("not by %s", async (method) => {
    const { ask, path, sent } = await aServer();
    expect((await ask(`${path}send`, {}, method)).status).toBe(405);
    expect(sent).toEqual([]);
  });
});

describe("agents are paused", () => {
  test.each<[string, unknown, string[]]>([
    ["pause", { agent: "bob" }, ["pause", "bob"]],
    ["pause", { all: true }, ["pause", "all"]],
    ["unpause", { agent: "bob" }, ["unpause", "bob"]],
    ["unpause", { all: true }, ["unpause", "all"]],
  ])("from the page: %s %j", async (action, body, expected) => {
    const { post, sent, path } = await aServer();
    expect((await post({}, body, `${path}${action}`)).status).toBe(200);
    expect(sent).toEqual([expected]);
  });
  test.each<[string, OutgoingHttpHeaders, unknown, number]>([
    ["without the page's own key", { "x-csrf-token": undefined }, { all: true }, 403],
    ["from another origin", { origin: "http://evil.example" }, { all: true }, 403],
    ["as a form would", { "content-type": "application/x-www-form-urlencoded" }, { all: true }, 415],
    ["all of them where nothing is said", {}, {}, 400],
    ["all of them by null", {}, "null", 400],
    ["all of them by a list", {}, "[]", 400],
    ["by something else than a name", {}, { agent: ["bob"] }, 400],
  ])("not %s", async (_, headers, body, status) => {
    const { post, sent, path } = await aServer();
    for (const action of ["pause", "unpause"])
      expect((await post(headers, body, `${path}${action}`)).status).toBe(status);
    expect(sent).toEqual([]);
  });
});

test("what breaks is an answer too, and after its beginning an end", async () => {
  const broken = () => {
    throw new Error("broken");
  };
  const feed = { ...makeFeed(), browsers: broken };
  const { ask, path } = await aServer({ feed });
  expect(await ask(`${path}events`)).toMatchObject({ status: 500, body: '{"error":"it broke"}' });
  const later = await aServer({ came: broken });
  expect(await later.ask(`${later.path}events`)).toMatchObject({ status: 200, body: "retry: 2000\n\n" });
});

test("a port that is taken is said", async () => {
  const { port } = await aServer();
  await expect(aServer({ port: Number(port) })).rejects.toThrow("EADDRINUSE");
});

test("it ends with its streams open", async () => {
  const { ask, path, url, came, server } = await aServer();
  const isThere = new Promise<void>((resolve) => void came.mockImplementation(resolve));
  const stream = request(`${url}events`, (response) => response.resume().on("error", () => {}));
  stream.on("error", () => {}).end();
  await isThere;
  await server.end();
  stream.destroy();
  await expect(ask(path)).rejects.toThrow("ECONNREFUSED");
});

describe("the stream", () => {
  const aBrowser = (writableLength = 0) =>
    ({ write: vi.fn(), on: vi.fn(), destroy: vi.fn(), writableLength }) as unknown as ServerResponse;
  const entry = (key: string, head: string): EntryView => ({ key, at: 1, kind: "message", agent: "a", head });
  test("gives a browser everything, then only what changed; a text cannot begin an event of its own", async () => {
    const { feed, ask, path } = await aServer();
    feed.section("quota", ["a\n\nevent: agents\ndata: []"]);
    feed.entries([entry("k1", "one")]);
    const { body, headers } = await ask(`${path}events`);
    expect(headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    expect(body.match(/^event: \w+$/gm)?.[0]).toBe("event: quota");
    expect(body).not.toMatch(/^event: agents/m);
    expect(JSON.parse(body.match(/^event: entries\ndata: (.*)$/m)?.[1] ?? "")).toEqual({
      whole: true,
      entries: [entry("k1", "one")],
    });
  });

  test("carries no hidden characters, which could turn a text around or hide a part of it", async () => {
    const { feed, ask, path } = await aServer();
    feed.section("quota", ["a\u202eb\u200b"]);
    feed.entries([entry("k1", "one\u202e\u001b[2J")]);
    const { body } = await ask(`${path}events`);
    expect(body).toContain('event: quota\ndata: ["ab"]\n');
    expect(body).toContain('"head":"one[2J"');
  });

  test("who comes is a reason to look, and hears how long to wait before coming again", async () => {
    const { ask, path, came } = await aServer();
    expect((await ask(`${path}events`)).body).toMatch(/^retry: 2000\n\n/);
    expect(came).toHaveBeenCalledTimes(1);
    expect((await ask(`${path}events`, {}, "HEAD")).status).toBe(404);
    expect((await ask(path, {}, "HEAD")).status).toBe(200);
    expect(came).toHaveBeenCalledTimes(1);
  });

  test("has room for so many windows", async () => {
    const { ask, path, feed } = await aServer();
    for (let n = 1; n < MOST_BROWSERS; n++) feed.add(aBrowser());
    expect((await ask(`${path}events`)).status).toBe(200);
    await vi.waitFor(() => expect(feed.browsers()).toBe(MOST_BROWSERS - 1), { interval: 1 }); // one has gone
    feed.add(aBrowser());
    expect(await ask(`${path}events`)).toMatchObject({ status: 503 });
  });

  test("lets go who does not read, and forgets who has gone", () => {
    const feed = makeFeed();
    const [slow, quick] = [aBrowser(33 * 1024 * 1024), aBrowser()];
    for (const one of [slow, quick]) feed.add(one);
    for (const one of [slow, quick]) vi.mocked(one.write).mockClear();
    feed.section("quota", ["x"]);
    const calls = [slow, quick].map(({ write, destroy }) =>
      [write, destroy].map((one) => vi.mocked(one).mock.calls.length),
    );
    expect(calls).toEqual([
      [0, 1],
      [1, 0],
    ]);
    const gone = vi.mocked(slow.on).mock.calls[0] as unknown as [string, () => void];
    expect(gone[0]).toBe("close");
    gone[1]();
    expect(feed.browsers()).toBe(1);
  });

  test("says nothing where nothing changed", () => {
    const feed = makeFeed();
    const written: string[] = [];
    feed.add({ write: (text: string) => written.push(text), on: () => {}, writableLength: 0 } as never);
    written.length = 0;
    feed.entries([entry("k1", "one"), entry("k2", "two")]);
    feed.entries([entry("k1", "one"), entry("k2", "two")]);
    feed.section("quota", ["x"]);
    feed.section("quota", ["x"]);
    feed.entries([entry("k2", "changed")]);
    const data = (text: string | undefined) => JSON.parse(text?.split("data: ")[1] ?? "");
    expect(written).toHaveLength(3);
    expect(data(written[0])).toEqual({ entries: [entry("k1", "one"), entry("k2", "two")], gone: [] });
    expect(data(written[2])).toEqual({ entries: [entry("k2", "changed")], gone: ["k1"] });
  });
});
