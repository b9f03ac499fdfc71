// Teammates in windows of the real kitty, on a display of their own. Without kitty or Xvfb there is nothing to prove.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { aLeadWithTeam, type Screens } from "../support/a-tmux-team.ts";
import { until } from "../support/until.ts";

const missing = ["kitty", "Xvfb"].filter((program) => spawnSync("which", [program]).status !== 0);
if (missing.length > 0) console.log(`kitty's test is skipped: no ${missing.join(" and no ")} on the PATH`);

/** Its number comes when it is ready. */
async function aDisplay(): Promise<string> {
  const server = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => ended(server));
  const [number] = await once(server.stdout, "data");
  return `:${String(number).trim()}`;
}

async function ended(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

interface Window {
  id: number;
  pid: number;
  title: string;
  env: Record<string, string>;
}

async function aKitty(screens: Screens) {
  const { home } = screens;
  const socket = `unix:${home.path("kitty.sock")}`;
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home.root,
    DISPLAY: await aDisplay(),
    LIBGL_ALWAYS_SOFTWARE: "1",
  };
  const settings = ["allow_remote_control=yes", "update_check_interval=0", "confirm_os_window_close=0"];
  const words = ["--config", "NONE", ...settings.flatMap((one) => ["-o", one]), "--listen-on", socket];
  const terminal = spawn("kitty", [...words, "sleep", "1000"], { env, stdio: "ignore" });
  onTestFinished(() => ended(terminal));
  const ask = (...given: string[]) =>
    spawnSync("kitty", ["@", "--to", socket, ...given], { env, encoding: "utf8" });
  await until(() => ask("ls").status === 0, { what: "kitty to answer", everyMs: 200 });
  const windows = (): Window[] =>
    JSON.parse(ask("ls").stdout)
      .flatMap((one: { tabs: { windows: Window[] }[] }) => one.tabs)
      .flatMap((tab: { windows: Window[] }) => tab.windows);
  screens.env["KITTY_LISTEN_ON"] = socket;
  screens.env["KITTY_WINDOW_ID"] = String(windows()[0]?.id);
  return { ask, windows, socket };
}

test.skipIf(missing.length > 0)(
  "split, tab and window: opened with their words and variables, found, ended; what is not ours stays",
  async () => {
    const screens = aLeadWithTeam("alpha", { outside: true });
    const { swarm, started, member, home } = screens;
    const { ask, windows, socket } = await aKitty(screens);
    const prompt = 'it\'s "so" $(touch pwned) `touch pwned`\n--x; 👩🏽‍💻';
    const modes = { ada: "split", bob: "tab", cyd: "window" };
    for (const [name, mode] of Object.entries(modes)) {
      screens.env["SWARM_KITTY_MODE"] = mode;
      const spawned = swarm("spawn", name, `--prompt=${prompt}`);
      expect(spawned).toMatchObject({ exitCode: 0, stderr: "" });
      expect(spawned.stdout).toMatch(new RegExp(`^${name} is up: kitty window \\d+`));
      const { argv, env, pid } = started(name);
      expect(argv.at(-1)).toBe(prompt);
      expect(member("alpha", name)).toMatchObject({ backend: "kitty", socket, pid });
      const [window] = windows().filter((one) => String(one.id) === member("alpha", name).paneId);
      expect(window).toMatchObject({ pid, title: expect.stringContaining(name) });
      expect(env).toMatchObject({
        CLAUDE_CODE_AGENT_NAME: name,
        KITTY_WINDOW_ID: String(window?.id),
        SWARM_WINDOW: `${name}@alpha:${member("alpha", name).agentId}`,
      });
      expect(env).not.toHaveProperty("CLAUDE_CODE_SESSION_ID");
    }
    expect(windows()).toHaveLength(4);
    expect(home.has("project/pwned")).toBe(false);

    const copy = `--env=SWARM_WINDOW=${started("ada").env["SWARM_WINDOW"]}`;
    const persons = ask("launch", "--type=tab", copy, "--", "sleep", "1000").stdout.trim();
    expect(swarm("kill", "ada").stdout).toContain("ada: ended");
    expect(swarm("suspend", "--team", "alpha").exitCode).toBe(0);
    await until(() => windows().length === 2, { what: "our windows to close", everyMs: 200 });
    expect(windows().map(({ id }) => String(id))).toEqual([screens.env["KITTY_WINDOW_ID"], persons]);
  },
);
