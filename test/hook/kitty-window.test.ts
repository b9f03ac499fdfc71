// A session in a window that another program opened for a member: found by the window's variables, at its start only.
import { chmodSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { SessionStart, Stop } from "../../lib/hook/events.ts";
import { memberOfWindow } from "../../lib/hook/kitty-window.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam, TEAM } from "../support/a-team.ts";

afterEach(() => vi.unstubAllEnvs());

/** A kitty that lists one window with these variables. */
function aKitty(home: Home, user_vars: object): void {
  const windows = [{ tabs: [{ windows: [{ id: 7, pid: 1, env: {}, user_vars }] }] }];
  chmodSync(home.write("bin/kitty", `#!/bin/sh\necho '${JSON.stringify(windows)}'\n`), 0o755);
  vi.stubEnv("PATH", `${home.path("bin")}:/usr/bin:/bin`);
}

const inWindow = { KITTY_LISTEN_ON: "unix:/tmp/k", KITTY_WINDOW_ID: "7" };
const identityAt = (home: Home, event: any, env: Record<string, string> = inWindow) => {
  const { team, agent, evidence } = aContext(home, event, { session_id: "s-9" }, { env }).identity;
  return { team, agent, evidence };
};
const NATIVE = "session-0a1b2c3d";
const NOBODY = { team: undefined, agent: undefined, evidence: [] };

test.each<[string, object, object]>([
  [
    "a member",
    { swarm_team: TEAM, swarm_agent: "bob" },
    { team: TEAM, agent: "bob", evidence: ["kitty window"] },
  ],
  ["no member of the team", { swarm_team: TEAM, swarm_agent: "eve" }, NOBODY],
  ["a team that is not there", { swarm_team: "nope", swarm_agent: "bob" }, NOBODY],
  ["a path for a team", { swarm_team: "../x", swarm_agent: "bob" }, NOBODY],
  ["no variables", {}, NOBODY],
  ["a team alone", { swarm_team: TEAM }, NOBODY],
  ["an agent alone", { swarm_agent: "bob" }, NOBODY],
  ["a team of the client's own", { swarm_team: NATIVE, swarm_agent: "bob" }, NOBODY],
])("the window of %s", (_, variables, expected) => {
  const home = aHome();
  aTeam(home);
  home.write(`.claude/teams/${NATIVE}/config.json`, { name: NATIVE, members: [{ name: "bob" }] });
  aKitty(home, variables);
  expect(identityAt(home, SessionStart)).toEqual(expected);
});

test("better evidence goes before it, and later events do not ask", () => {
  const home = aHome();
  aTeam(home);
  aKitty(home, { swarm_team: TEAM, swarm_agent: "bob" });
  expect(identityAt(home, SessionStart, { ...inWindow, ...as("alice") })).toMatchObject({ agent: "alice" });
  expect(identityAt(home, Stop)).toEqual(NOBODY);
  expect(identityAt(home, SessionStart, { KITTY_WINDOW_ID: "8", KITTY_LISTEN_ON: "unix:/tmp/k" })).toEqual(
    NOBODY,
  );
});

test.each<[string, string | undefined, Partial<Record<"socket" | "window", string>>]>([
  ["no socket", TEAM, { window: "7" }],
  ["no window", TEAM, { socket: "unix:/tmp/k" }],
  ["no team of ours", NATIVE, { socket: "unix:/tmp/k", window: "7" }],
])("with %s kitty is not asked", (_, team, kitty) => {
  const home = aHome();
  home.write(`.claude/teams/${team}/config.json`, { name: team, members: [{ name: "bob" }] });
  aKitty(home, { swarm_team: TEAM, swarm_agent: "bob" });
  chmodSync(home.write("bin/kitty", `#!/bin/sh\ntouch ${home.path("asked")}\n`), 0o755);
  const { paths } = aContext(home, SessionStart);
  memberOfWindow({ paths, kitty: { socket: undefined, mode: undefined, window: undefined, ...kitty } });
  expect(home.has("asked")).toBe(false);
});
