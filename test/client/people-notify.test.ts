// The person is called when a real client shows a permission prompt: once, and not when it was answered by yes.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { bash } from "./support/tools.ts";

async function aServer() {
  const got: string[] = [];
  const server = createServer((request, response) => {
    request.on("data", (chunk) => got.push(JSON.parse(String(chunk)).text));
    request.on("end", () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

describe.each(CLIENTS)("the %s client", (client) => {
  test("calls for an answer that does not come, and only then", async () => {
    const { url, got } = await aServer();
    const asking = (name: string) => [{ tools: [bash(`touch ${name}`)] }, { text: `done ${name}` }];
    const scripts = { granted: asking("granted"), ignored: asking("ignored") };
    const world = await aWorld({ client, scripts });
    const swarm = join(world.configDir, "swarm");
    mkdirSync(swarm, { recursive: true });
    writeFileSync(
      join(swarm, "settings.toml"),
      `[notify]\ntargets = ["webhook:${url}"]\nafter_s = 8\nevents = ["waiting"]\n`,
    );
    const waiting = () =>
      existsSync(join(swarm, "notify/pending")) ? readdirSync(join(swarm, "notify/pending")) : [];
    const isQuiet = () => waiting().length === 0 && !existsSync(join(swarm, "notify/runner.lock"));
    const statusOf = () => {
      const directory = join(world.configDir, "sessions");
      const files = existsSync(directory)
        ? readdirSync(directory).filter((name) => name.endsWith(".json"))
        : [];
      return files.map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")).status as string);
    };
    const screen = await world.tui("--permission-mode", "default");
    /** The client's own file says when it waits and when it is idle again: the screen is drawn before it takes keys. */
    const asksFor = async (name: string) => {
      await screen.type(`go [[${name}]]`);
      await until(() => statusOf().includes("waiting"), {
        what: `${name} to wait`,
        onTimeout: screen.screen,
      });
      await until(() => waiting().length === 1, { what: "the moment" });
    };
    await asksFor("granted");
    await until(() => !statusOf().includes("waiting") || void screen.keys("Enter"), {
      what: "yes to be taken",
      everyMs: 1_000,
    });
    await screen.wait(/done granted/);
    await until(isQuiet, { what: "the end of the helper" });
    expect(got).toEqual([]);
    await until(() => statusOf().every((status) => status === "idle"), { what: "the client to be idle" });
    await asksFor("ignored");
    await until(() => got.length > 0, { what: "the call" });
    await until(isQuiet, { what: "the end of the helper" });
    expect(got).toEqual([expect.stringMatching(/^swarm\n.* waits for your permission \(Bash\)$/)]);
  });
});
