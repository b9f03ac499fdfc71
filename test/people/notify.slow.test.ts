// A call to the person by the whole way: from the built hook through the detached helper, which waits by the real clock.
import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { aHome } from "../support/a-home.ts";
import { processesOf } from "../support/processes-of-a-home.ts";
import { payload, startHook } from "../support/run-built.ts";
import { until } from "../support/until.ts";
import { aServer, notifySettings } from "./a-server.ts";

test("a permission prompt is said to every target, and the helper ends", async () => {
  const home = aHome();
  const { url, got } = await aServer();
  notifySettings(home, [`targets = ["webhook:${url}/hook", "ntfy:${url}/topic"]`, "after_s = 0"]);
  const input = { ...payload("PermissionRequest-Bash"), session_id: "s-1", transcript_path: "" };
  const ran = await startHook(home, "permission-request", input, { CLAUDE_PID: String(process.pid) }).done;
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  const isOver = () => got.length === 2 && processesOf(home.root).length === 0;
  await until(isOver, { what: "the helper" });
  expect(readdirSync(home.path(".claude/swarm/notify/pending"))).toEqual([]);
  expect(existsSync(home.path(".claude/swarm/notify/runner.lock"))).toBe(false);
  expect(got.map(({ path }) => path).sort()).toEqual(["/hook", "/topic"]);
});
