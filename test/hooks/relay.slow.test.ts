// Relays of sessions that have nothing to do with ATM: nothing is written, nothing is sent.
import { connect } from "node:net";
import { expect, test, vi } from "vitest";
import { runHook } from "../support/run-built.ts";
import { ATM, aDaemon, aProject, LOG, SOCKET } from "./atm-daemon.ts";

const anything = { session_id: "s-3", tool_name: "Bash", notification_type: "idle_prompt" };

test.each(["teammate-idle", "session-start", "session-end", "permission-request", "stop", "notification"])(
  "%s outside ATM: nothing is written, nothing is sent",
  async (script) => {
    const home = aProject("");
    const heard = await aDaemon(home);
    expect(runHook(home, script, { ...anything, teammate_name: "bob" }).exitCode).toBe(0);
    connect(home.path(SOCKET)).end('"the next"\n'); // what was sent before it is heard before it
    await vi.waitFor(() => expect(heard).toContain("the next"));
    expect(heard).toEqual(["the next"]);
    expect(home.has(LOG)).toBe(false);
  },
);

test.each(["teammate-idle", "session-start", "session-end"])(
  "%s with ATM's variables but no .atm.toml: nothing is written, nothing is sent",
  async (script) => {
    const home = aProject("");
    const heard = await aDaemon(home);
    runHook(home, script, { ...anything, teammate_name: "bob" }, { env: ATM });
    connect(home.path(SOCKET)).end('"the next"\n'); // what was sent before it is heard before it
    await vi.waitFor(() => expect(heard).toContain("the next"));
    expect(heard).toEqual(["the next"]);
    expect(home.has(LOG)).toBe(false);
  },
);
