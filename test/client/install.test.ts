// What a user gets: a valid marketplace, an install that needs no network and no packages, hooks that fire.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { run } from "./support/run.ts";
import { errorsOf, sessionsOf } from "./support/state.ts";
import { PLUGIN, ROOT, type World } from "./support/world.ts";

const MEGABYTE = 1024 * 1024;
/** A proxy that nobody answers at: whatever asks the network fails. */
const OFFLINE = {
  HTTPS_PROXY: "http://127.0.0.1:9",
  HTTP_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1",
};
const scripts = { hi: [{ text: "hello there" }] };

const filesIn = (dir: string) =>
  readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(dir, name)).isFile(),
  );

/** The block under "Install" in README, with this checkout for `<…>`. */
const INSTALL = (
  /^## Install\n+```sh\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, "README.md"), "utf8"))?.[1] ?? ""
)
  .split("\n")
  .filter(Boolean)
  .map((line) => line.replace(/<[^>]*>/, ROOT).split(" "));

async function install(world: World): Promise<string> {
  expect(INSTALL.map(([program]) => program)).toEqual(["claude", "claude"]);
  for (const [, ...words] of INSTALL) expect(await world.cli(...words)).toMatchObject({ code: 0 });
  const cache = join(world.configDir, "plugins/cache/swarm/swarm");
  const [version = ""] = readdirSync(cache);
  return join(cache, version);
}

describe.each(CLIENTS)("the %s client", (client) => {
  test.each([".claude-plugin/marketplace.json", "plugin", "plugin-review"])(
    "finds nothing to say against %s",
    async (path) => {
      const world = await aWorld({ client });
      expect(await world.cli("plugin", "validate", "--strict", join(ROOT, path))).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("Validation passed"),
      });
    },
  );

  test.skipIf(client === "old")("fits the directory's profile", async () => {
    const world = await aWorld({ client });
    const { code, stdout } = await world.cli(
      ...["plugin", "validate", "--profile", "directory", "--json", PLUGIN],
    );
    const { success, directory } = JSON.parse(stdout);
    expect({ code, success, findings: directory.findings, undecided: directory.undecided }).toEqual({
      code: 0,
      success: true,
      findings: [],
      undecided: [],
    });
  });

  test("installs offline, brings no packages, and the hooks fire", async () => {
    const world = await aWorld({ client, plugins: [], env: OFFLINE, scripts });
    const copy = await install(world);
    const names = filesIn(copy);
    expect(names).toContain("hooks.json");
    expect(names.filter((name) => /node_modules|package(-lock)?\.json/.test(name))).toEqual([]);
    expect(names.reduce((size, name) => size + statSync(join(copy, name)).size, 0)).toBeLessThan(
      4.25 * MEGABYTE,
    );

    await world.print("say [[hi]]");
    expect(world.seen("hi")[0]).toContain("(starting fresh)");

    const elsewhere = await aWorld({ client, plugins: [copy], scripts });
    await elsewhere.print("say [[hi]]");
    expect(sessionsOf(elsewhere)).toHaveLength(1);
    expect(errorsOf(elsewhere)).toBe("");
  });

  test("an uninstall after `swarm gc --all` leaves the settings as they were and no file of Swarm", async () => {
    const mine = { type: "command", command: "echo mine" };
    const settings = { statusLine: mine, permissions: { allow: ["Bash(ls:*)"] } };
    const world = await aWorld({ client, plugins: [], settings, scripts });
    const copy = await install(world);
    const installed = JSON.parse(readFileSync(join(world.configDir, "settings.json"), "utf8"));
    const swarm = (...words: string[]) =>
      run(process.execPath, [join(copy, "bin/swarm"), ...words], { cwd: world.project, env: world.env });
    for (const words of ["statusline install", "setup permissions", "setup path", "create alpha"])
      expect(await swarm(...words.split(" "))).toMatchObject({ code: 0 });
    await world.print("say [[hi]]");
    const launcher = join(world.home, ".local/bin/swarm");
    expect(existsSync(launcher)).toBe(true);

    expect((await swarm("gc", "--all")).stdout).toContain("Nothing was removed");
    expect((await swarm("gc", "--all", "--yes")).stdout).toMatch(/Removed \d+ files/);
    expect(JSON.parse(readFileSync(join(world.configDir, "settings.json"), "utf8"))).toEqual(installed);
    expect(existsSync(launcher)).toBe(false);
    expect(await world.cli("plugin", "uninstall", "swarm@swarm")).toMatchObject({ code: 0 });
    // The client keeps its copy of a plugin for some days, and conversations.
    const isClients = (path: string) => /^\.claude\/(plugins\/cache|projects)\//.test(path);
    const left = filesIn(world.home).filter((path) => /swarm/.test(path) && !isClients(path));
    expect(left).toEqual([]);
  });
});
