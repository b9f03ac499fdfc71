// Ends members: asked first, made to after a while, and only where the process or the window is proven to be the one we started.

import { plainLines } from "../core/text.ts";
import { elapsedMs, sleepSync } from "../core/time.ts";
import { closeWindow, readWindows } from "../system/kitty.ts";
import { type Life, lifeOf, signal, startOf } from "../system/processes.ts";
import { closePane, readPanes } from "../system/tmux.ts";
import type { Member } from "../teams/store/config.ts";
import { markOf } from "./opening.ts";
import { isSpawned, lifeOfMember } from "./roster.ts";

export interface Ended {
  name: string;
  how: "ended" | "was not running" | "left alone";
  why?: string;
}

const GRACE_MS = 5_000;
const KILLED_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 50;

interface Target {
  name: string;
  process: { pid?: number; startedAt?: string };
  window?: { id: string; close: () => void };
  leftAlone?: string;
}

export function endMembers(team: string, members: Member[], graceMs = GRACE_MS): Ended[] {
  const targets = members.map((member) => targetOf(team, member));
  const ours = targets.filter((target) => !target.leftAlone);
  const asked = ours.filter(({ process }) => signal(process, "SIGTERM"));
  waitFor(asked, graceMs);
  for (const { process, window } of ours) {
    signal(process, "SIGKILL");
    window?.close();
  }
  waitFor(asked, KILLED_WITHIN_MS);
  return targets.map((target) => outcomeOf(target, asked.includes(target)));
}

function waitFor(targets: Target[], ms: number): void {
  const giveUp = elapsedMs() + ms;
  while (targets.some(isAlive) && elapsedMs() < giveUp) sleepSync(LOOK_EVERY_MS);
}

const isAlive = ({ process }: Target) => lifeOf(process) === "alive";

function outcomeOf({ name, leftAlone, window }: Target, asked: boolean): Ended {
  if (leftAlone) return { name, how: "left alone", why: leftAlone };
  return { name, how: asked || window ? "ended" : "was not running" };
}

function targetOf(team: string, member: Member): Target {
  const { name, pid, pidStartedAt } = member;
  const life = lifeOfMember(member);
  if (!isSpawned(member))
    return isOver(member, life)
      ? { name, process: {} }
      : { name, process: {}, leftAlone: `${name} joined by itself; its session goes on` };
  const window = windowOf(team, member);
  if (life === "alive") return { name, process: { pid, startedAt: pidStartedAt }, window };
  // Where start times are unknown, our mark on the window proves the process in it.
  if (window?.pid) return { name, process: { pid: window.pid, startedAt: startOf(window.pid) }, window };
  if (window || life === "gone" || !pid) return { name, process: {}, window };
  return { name, process: {}, leftAlone: `process ${pid} is not proven to be ours` };
}

/** Its process is gone, or its own end was seen. */
const isOver = ({ status }: Member, life: Life) =>
  life === "gone" || (status === "offline" && life !== "alive");

function windowOf(team: string, member: Member) {
  const { name, backend, socket, paneId, agentId = "" } = member;
  const mark = markOf({ team, agent: name, agentId });
  if (backend === "tmux") {
    const pane = readPanes({ socket }).find((one) => one.mark === mark);
    const close = () => pane && closePane({ socket }, pane.id);
    return pane && { id: pane.id, pid: pane.dead ? undefined : pane.pid, close };
  }
  if (backend !== "kitty" || !socket) return undefined;
  // A window that a person opened with a copy of its environment has the mark too, and another number.
  const window = readWindows(socket).find((one) => one.mark === mark && one.id === paneId);
  return window && { id: window.id, pid: window.pid, close: () => closeWindow(socket, window.id) };
}

/** Alive, by its process or, where start times are unknown, by our mark on its window. */
export function isThere(team: string, member: Member): boolean {
  const life = lifeOfMember(member);
  return life === "alive" || (life === "unknown" && windowOf(team, member)?.pid !== undefined);
}

export const endedText = (ended: Ended[]): string =>
  plainLines(ended.map(({ name, how, why }) => `  ${name}: ${how}${why ? ` (${why})` : ""}`));
