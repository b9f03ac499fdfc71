// A team of two hundred for the bench: records, mail and what the status lines have seen.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type HookCase, ROOT } from "./hooks.ts";

const MEMBERS = 200;

export function boardCase(root: string): HookCase {
  const home = join(root, "crowd");
  const now = new Date().toISOString();
  const write = (path: string, content: unknown) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), JSON.stringify(content));
  };
  const names = Array.from({ length: MEMBERS }, (_, n) => `agent-${n}`);
  write(".claude/teams/crowd/config.json", {
    name: "crowd",
    members: names.map((name) => ({
      name,
      agentId: `${name}@crowd`,
      sessionId: `s-${name}`,
      status: "active",
    })),
  });
  for (const name of names) {
    write(`.claude/teams/crowd/inboxes/${name}.json`, [
      { id: "m", from: "x", text: "y", timestamp: now, read: false },
    ]);
    write(`.claude/swarm/context/s-${name}/status-line.json`, { window: 200_000, tokens: 50_000, at: now });
    write(`.claude/swarm/sessions/s-${name}/session.json`, {
      session: `s-${name}`,
      team: "crowd",
      agent: name,
      state: "active",
      status: "working",
      pid: process.pid,
      startedAt: now,
      lastSeen: now,
    });
  }
  return {
    name: `swarm status, ${MEMBERS} members`,
    argv: [process.execPath, join(ROOT, "plugin/bin/swarm"), "status", "--team", "crowd"],
    input: "",
    env: { HOME: home },
    target: 1.5,
    extraMs: 50,
  };
}
