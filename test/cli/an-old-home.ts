// A home with old files of each kind, some of which may go.
import { existsSync, mkdirSync, utimesSync } from "node:fs";
import { aHome, type Home } from "../support/a-home.ts";
import { aTeam } from "../support/a-team.ts";

const DAY_S = 86_400;
export const aged = (home: Home, path: string, days: number, content: unknown = "{}") => {
  const at = Date.now() / 1000 - days * DAY_S;
  utimesSync(home.write(path, content), at, at);
  return home.path(path);
};

export function anOldHome() {
  const home = aHome();
  aTeam(home, [{ name: "team-lead", sessionId: "s-resting" }]);
  const record = (session: string) => ({
    session,
    state: "ended",
    status: "done",
    startedAt: "x",
    lastSeen: "x",
    endedAt: "x",
  });
  const old = [
    aged(home, ".claude/swarm/journal/2020-01-01.jsonl", 40, "{}\n"),
    aged(home, ".claude/swarm/sessions/s-old/session.json", 40, record("s-old")),
    aged(home, ".claude/swarm/agents/s-old/a1.json", 40),
    aged(home, ".claude/swarm/sessions/x.json.corrupt-1", 40),
    aged(home, ".claude/swarm/processes/4194300.json", 0, {
      pid: 4_194_300,
      startedAt: "1",
      session: "s-old",
    }),
    aged(home, "tmp/swarm-heartbeat-atm-dev-bob", 40, ""),
  ];
  const wanted = [aged(home, ".claude/teams/atm-dev/logs/bob.jsonl", 40)];
  mkdirSync(home.path(".claude/archives/gone-20200101T000000Z"), { recursive: true });
  utimesSync(home.path(".claude/archives/gone-20200101T000000Z"), 1, 1);
  wanted.push(home.path(".claude/archives/gone-20200101T000000Z"));
  const kept = [
    aged(home, ".claude/swarm/journal/2020-01-02.jsonl", 20, "{}\n"),
    aged(home, ".claude/swarm/sessions/s-resting/session.json", 400, record("s-resting")),
    aged(home, ".claude/swarm/errors.jsonl", 400, ""),
    aged(home, ".claude/swarm/efforts/1/effort.json", 400),
    aged(home, ".claude/teams/atm-dev/inboxes/bob.json", 400, "[]"),
    home.path(".claude/teams/atm-dev/config.json"),
  ];
  const there = (files: string[]) => files.filter((path) => existsSync(path));
  return { home, old, wanted, kept, there };
}
