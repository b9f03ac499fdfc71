// A home with a tmux server of its own and a stand-in for the client: what `swarm spawn` opens really runs.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { aHome, type Home } from "./a-home.ts";
import { endProcessesOf } from "./processes-of-a-home.ts";
import { ROOT, runHook, runSwarm } from "./run-built.ts";

export const STAND_IN = join(ROOT, "test", "support", "stand-in-client.cjs");

export interface Screens {
  home: Home;
  env: Record<string, string>;
  tmux: (...words: string[]) => string;
  swarm: (...args: string[]) => ReturnType<typeof runSwarm>;
  /** How the stand-in of that name was started. */
  started: (name: string) => {
    argv: string[];
    env: Record<string, string>;
    stdin?: string;
    cwd: string;
    pid: number;
    session: string;
  };
  config: (team: string) => any;
  member: (team: string, name: string) => any;
}

/** For `swarm spawn` where the screen is not the subject. */
export const HEADLESS = ["--backend", "headless"];
export const LEAD_SESSION = "11111111-1111-4111-8111-111111111111";

/** `outside`: no tmux environment, as in a plain terminal. */
export function aTeamHome({ outside = false, env: more = {} as Record<string, string> } = {}): Screens {
  const home = aHome();
  mkdirSync(home.path("notes"));
  const socket = home.path("tmux.sock");
  const tmux = (...words: string[]) =>
    spawnSync("tmux", ["-S", socket, ...words], { encoding: "utf8", env: serverEnv(home) }).stdout;
  if (!outside) tmux("-f", "/dev/null", "new-session", "-d", "-x", "200", "-y", "60", "sleep", "1000");
  const env = {
    STAND_IN_NOTES: home.path("notes"),
    CLAUDE_CODE_TEAMMATE_COMMAND: STAND_IN,
    CLAUDE_CODE_SESSION_ID: LEAD_SESSION,
    TMUX_TMPDIR: home.path("tmp"),
    ...(outside ? {} : { TMUX: `${socket},1,0`, TMUX_PANE: "%0" }),
    ...more,
  };
  const opened = home.path("tmp", `tmux-${process.getuid?.()}`, "default"); // by a `swarm` outside tmux
  onTestFinished(async () => {
    for (const one of [socket, opened])
      if (existsSync(one)) spawnSync("tmux", ["-S", one, "kill-server"], { env: serverEnv(home) });
    await endProcessesOf(home.root);
  });
  const config = (team: string) => home.json(`.claude/teams/${team}/config.json`);
  return {
    home,
    env,
    tmux,
    swarm: (...args) => runSwarm(home, args, { env }),
    started: (name) => home.json(`notes/${name}.json`),
    config,
    member: (team, name) => config(team).members.find((one: { name: string }) => one.name === name),
  };
}

const serverEnv = (home: Home) => ({ PATH: process.env["PATH"] ?? "", HOME: home.root });

/** The lead's own session starts, as the client would have it, and makes the team. */
export function aLeadWithTeam(team: string, options: Parameters<typeof aTeamHome>[0] = {}): Screens {
  const screens = aTeamHome(options);
  runHook(
    screens.home,
    "session-start",
    { session_id: LEAD_SESSION, source: "startup" },
    { env: screens.env },
  );
  const made = screens.swarm("create", team);
  if (made.exitCode !== 0) throw new Error(made.stderr);
  return screens;
}
