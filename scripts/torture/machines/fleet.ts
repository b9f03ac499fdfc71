// Machines on one host: a home each, a cable to the relay each, a courier each, all of them to be killed at any moment.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { joinRelay } from "../../../lib/machines/membership.ts";
import { syncTeams } from "../../../lib/machines/sync.ts";
import { ensureInbox } from "../../../lib/mail/store/mailbox-files.ts";
import { startOf } from "../../../lib/system/processes.ts";
import { updateTeam } from "../../../lib/teams/store/config.ts";
import { aServer, type Server } from "../../../test/support/a-nats-server.ts";
import { aRelay } from "../../../test/support/a-relay.ts";
import { aTeam, TEAM } from "../../../test/support/a-team.ts";
import { type Home, homeAt } from "../../../test/support/home-at.ts";
import { cleanEnv, ROOT } from "../../../test/support/run-built.ts";
import { aCable, type Cable } from "./proxy.ts";

export interface Box {
  name: string;
  home: Home;
  agents: string[];
  cable: Cable;
  /** Runs until `end`; a killed one is started again as the next session's hook would. */
  courier: () => ChildProcess | undefined;
  killCourier: () => void;
}

export interface Fleet {
  server: Server;
  boxes: Box[];
  end: () => Promise<void>;
}

export async function aFleet(agents: Record<string, string[]>, delayMs = 0): Promise<Fleet> {
  const server = await aServer();
  const isOver = { now: false };
  const boxes: Box[] = [];
  for (const [name, names] of Object.entries(agents))
    boxes.push(await aBox(server, name, names, boxes.length === 0, delayMs, isOver));
  for (const { home } of boxes) await syncTeams(home.paths, [TEAM]);
  for (const { home } of boxes) await syncTeams(home.paths, [TEAM]);
  return {
    server,
    boxes,
    end: async () => {
      isOver.now = true;
      for (const box of boxes) {
        box.courier()?.kill("SIGKILL");
        box.cable.close();
      }
      await server.remove();
      for (const { home } of boxes)
        rmSync(home.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

async function aBox(
  server: Server,
  name: string,
  agents: string[],
  isFirst: boolean,
  delayMs: number,
  isOver: { now: boolean },
): Promise<Box> {
  const home = homeAt(mkdtempSync(join(tmpdir(), "swarm-machine-")));
  const cable = await aCable(() => server.port, delayMs);
  if (isFirst) aTeam(home, ["team-lead", ...agents]);
  await joinRelay(home.paths, aRelay(`nats://127.0.0.1:${cable.port}`, name));
  if (!isFirst)
    updateTeam(
      home.paths,
      TEAM,
      (team) =>
        team && {
          ...team,
          members: [
            ...team.members,
            ...agents.map((agent) => ({ name: agent, agentId: `${agent}@${name}`, status: "active" })),
          ],
        },
    );
  for (const agent of agents) ensureInbox(home.paths, TEAM, agent);
  let child: ChildProcess | undefined;
  const courier = () => {
    if (!isOver.now && (!child || child.exitCode !== null || child.signalCode !== null)) {
      child = spawn(process.execPath, [join(ROOT, "plugin/bin/swarm"), "relay", "courier"], {
        env: cleanEnv(home),
        stdio: "ignore",
      });
      child.on("exit", () => setTimeout(courier, 500));
    }
    return child;
  };
  home.write(".claude/swarm/sessions/s/session.json", {
    session: "s",
    team: TEAM,
    agent: agents[0],
    state: "idle",
    status: "done",
    pid: process.pid,
    pidStartedAt: startOf(process.pid),
    startedAt: new Date().toISOString(),
    lastSeen: new Date().toISOString(),
  });
  return { name, home, agents, cable, courier, killCourier: () => child?.kill("SIGKILL") };
}
