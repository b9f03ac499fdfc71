// A project that names an ATM team, and the daemon of ATM that the relays report to.
import { mkdirSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { onTestFinished } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";

export const LOG = ".claude/daemon/hooks/events.jsonl";
export const SOCKET = ".claude/daemon/atm-daemon.sock";
const TOML = '[core]\ndefault_team = "atm-dev"\nidentity = "arch-ctm"\n';
export const ATM = { ATM_TEAM: "env-team", ATM_IDENTITY: "env-agent" };

export function aProject(toml = TOML): Home {
  const home = aHome();
  if (toml) home.write("project/.atm.toml", toml);
  return home;
}

/** A daemon; with `isMute` it takes every connection, reads nothing and never answers. */
export async function aDaemon(home: Home, isMute = false) {
  const heard: any[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    if (isMute) return void socket.pause();
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () =>
      heard.push(
        ...text
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      ),
    );
  });
  mkdirSync(dirname(home.path(SOCKET)), { recursive: true });
  await new Promise<void>((ready) => server.listen(home.path(SOCKET), ready));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return heard;
}
