// A courier in this process.
import { onTestFinished } from "vitest";
import { within } from "../../lib/machines/connection.ts";
import { runCourier } from "../../lib/machines/courier.ts";
import { startOf } from "../../lib/system/processes.ts";
import type { Home } from "./a-home.ts";
import { TEAM } from "./a-team.ts";

export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (const end = Date.now() + 8_000; Date.now() < end; ) {
    const found = await look();
    if (found) return found;
    await new Promise((wake) => setTimeout(wake, 5));
  }
  throw new Error(`not within 8 s: ${what}`);
}

/** A session of the team that lives as long as this process. */
export const living = (home: Home, more: object = {}) =>
  home.write(".claude/swarm/sessions/s-1/session.json", {
    ...{ session: "s-1", team: TEAM, state: "idle", status: "done", startedAt: "2026-02-20T12:00:00Z" },
    ...{ lastSeen: new Date().toISOString(), pid: process.pid, pidStartedAt: startOf(process.pid), ...more },
  });

/** Ended by the handler that it has for a signal. The supervisor it starts only fills the file `started`, if the test has made one:
 *  a process that may still be starting when the home is removed writes nothing there. */
export function aCourier(home: Home): { over: Promise<boolean>; end: () => Promise<boolean> } {
  home.write(
    "bin/swarm",
    `require("node:fs").writeFileSync(${JSON.stringify(home.path("started"))}, process.argv.slice(2).join(" "), { flag: "r+" })`,
  );
  const before = new Set(process.listeners("SIGTERM"));
  const over = runCourier({ paths: home.paths, ownRoot: home.root });
  const end = () => {
    for (const listener of process.listeners("SIGTERM"))
      if (!before.has(listener) && listener.name === "onEnd") {
        listener("SIGTERM");
        process.off("SIGTERM", listener).off("SIGINT", listener);
      }
    return within(8_000, over, "it does not end");
  };
  onTestFinished(async () => void (await end().catch(() => {})));
  return { over, end };
}
