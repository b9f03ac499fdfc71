// Where a teammate lives: a tmux pane or session, a kitty window, or without a screen.

import { dirname } from "node:path";
import type { Environment } from "../hook/environment.ts";
import { startInBackground } from "../system/background.ts";
import { openWindow } from "../system/kitty.ts";
import { startOf } from "../system/processes.ts";
import {
  closePane,
  LONGEST_COMMAND_BYTES,
  type Opening,
  openPane,
  type Place,
  readPanes,
  readServerEnvironment,
  type Server,
  socketOf,
} from "../system/tmux.ts";
import { headlessWords, interactiveWords, type Start } from "./client.ts";
import { type Member, missingEnvironment, OF_A_SESSION, wholeEnvironment } from "./environment.ts";
import { isLong, pointer } from "./prompts.ts";
import { memberLogPath, writeFirstPrompt } from "./store/member-files.ts";

export type Backend = "tmux" | "kitty" | "headless";

export interface Around {
  /** By flag, or by SWARM_MULTIPLEXER. */
  asked: string | undefined;
  insideTmux: boolean;
  kittySocket: string | undefined;
  hasTmux: boolean;
  hasKitty: boolean;
}

export type Choice = { backend: Backend } | { refusal: string };

export function whichBackend(environment: Around): Choice {
  const { asked, insideTmux, kittySocket, hasTmux, hasKitty } = environment;
  if (asked !== undefined && asked !== "auto") return asFar(asked, environment);
  if (insideTmux && hasTmux) return { backend: "tmux" };
  if (kittySocket && hasKitty) return { backend: "kitty" };
  return { backend: hasTmux ? "tmux" : "headless" };
}

function asFar(asked: string, { hasTmux, hasKitty, kittySocket }: Around): Choice {
  if (asked === "headless" || asked === "in-process") return { backend: "headless" };
  if (asked === "tmux")
    return hasTmux
      ? { backend: "tmux" }
      : { refusal: "tmux is not on the PATH; install it, or use --backend headless" };
  if (asked !== "kitty")
    return { refusal: `there is no backend ${JSON.stringify(asked)}; there are tmux, kitty and headless` };
  if (!hasKitty) return { refusal: "kitty is not on the PATH; use --backend tmux or --backend headless" };
  if (!kittySocket)
    return {
      refusal:
        "KITTY_LISTEN_ON is not set: kitty needs `allow_remote_control yes` and `listen_on unix:/tmp/kitty` in kitty.conf",
    };
  return { backend: "kitty" };
}

// Opens a client where the choice fell: a tmux pane, a kitty window, or a process without a screen.
export interface Request {
  environment: Environment;
  backend: Backend;
  member: Member;
  own: Record<string, string>;
  start: Start;
  prompt: string;
  cwd: string;
}

export interface Opened {
  backend: Backend;
  session: string;
  pid?: number;
  pidStartedAt?: string;
  paneId?: string;
  socket?: string;
  /** What a headless one prints. */
  log?: string;
  /** How a person gets to see it. */
  look: string;
  leftOut: string[];
}

type Where = Omit<Opened, "session">;

export const markOf = ({ team, agent, agentId }: Pick<Member, "team" | "agent" | "agentId">) =>
  `${agent}@${team}:${agentId}`;

export function openClient(request: Request): Opened {
  const open = { tmux: inTmux, kitty: inKitty, headless }[request.backend];
  const opened = open(request);
  const pidStartedAt = opened.pid ? startOf(opened.pid) : undefined;
  return { ...opened, session: request.start.session, pidStartedAt };
}

function inTmux(request: Request): Where {
  const { environment, own, member } = request;
  const server: Server = {
    socket: environment.tmux ? socketOf(environment.tmux) : undefined,
    env: wholeEnvironment(environment.env, {}),
  };
  const opening = asOpening(request);
  const room = LONGEST_COMMAND_BYTES - sizeOf(opening);
  const { set, leftOut } = missingEnvironment(environment.env, own, readServerEnvironment(server), room);
  const place = placeFor(environment, server, member);
  const pane = openPane(server, place, { ...opening, set });
  const look = place.kind === "session" ? `tmux attach -t ${place.name}` : `tmux pane ${pane.id}`;
  return { backend: "tmux", paneId: pane.id, pid: pane.pid, socket: pane.socket, look, leftOut };
}

function sizeOf({ cwd, program, args, unset }: Opening): number {
  const words = [cwd, program, ...args, ...unset.flatMap((name) => ["-u", name])];
  return words.reduce((sum, word) => sum + Buffer.byteLength(word) + 1, 0);
}

/** Beside the lead; the next ones below each other. Leftovers of this very member make room first. */
function placeFor(environment: Environment, server: Server, { team, agent }: Member): Place {
  const panes = readPanes(server);
  for (const pane of panes)
    if (pane.dead && pane.mark.startsWith(`${agent}@${team}:`)) closePane(server, pane.id);
  if (!environment.tmux || !environment.pane) return { kind: "session", name: `swarm-${team}-${agent}` };
  const isTeam = (mark: string) => mark.includes(`@${team}:`);
  const last = panes.findLast((pane) => !pane.dead && isTeam(pane.mark) && pane.id !== environment.pane);
  return { kind: "beside", pane: last?.id ?? environment.pane, down: last !== undefined };
}

function inKitty(request: Request): Where {
  const { socket = "", mode } = request.environment.kitty;
  const set = wholeEnvironment(request.environment.env, request.own);
  const unset = [...OF_A_SESSION, "TMUX", "TMUX_PANE"];
  const { id, pid } = openWindow(socket, mode, { ...asOpening(request), set, unset });
  return { backend: "kitty", paneId: id, pid, socket, look: `kitty window ${id}`, leftOut: [] };
}

function asOpening(request: Request): Opening {
  const { start, member, cwd } = request;
  const { prompt, readable } = carried(request);
  return {
    program: start.command[0] ?? "",
    args: interactiveWords({ ...start, readable }, prompt),
    cwd,
    title: start.title,
    set: {},
    unset: OF_A_SESSION,
    mark: markOf(member),
  };
}

/** A long prompt goes by file: the teammate is told where it is and may read it there. */
function carried({ environment, member, prompt }: Request): { prompt: string; readable?: string } {
  if (!isLong(prompt)) return { prompt };
  const path = writeFirstPrompt(environment.paths, member.team, member.agent, prompt);
  return { prompt: pointer(path, prompt), readable: dirname(path) };
}

function headless({ environment, start, member, own, prompt, cwd }: Request): Where {
  const input = writeFirstPrompt(environment.paths, member.team, member.agent, prompt);
  const log = memberLogPath(environment.paths, member.team, member.agent);
  const pid = startInBackground({
    program: start.command[0] ?? "",
    args: headlessWords(start),
    cwd,
    env: wholeEnvironment(environment.env, own),
    input,
    log,
  });
  return { backend: "headless", pid, log, look: log, leftOut: [] };
}
