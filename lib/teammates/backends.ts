// Where a teammate's client runs: in a tmux pane or session, in a kitty window, or headless.

import { openWindow } from "../system/kitty.ts";
import { startOf } from "../system/processes.ts";
import { findProgram, startInBackground } from "../system/programs.ts";
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
import type { Member } from "../teams/store/config.ts";
import {
  commandLine,
  identityVariables,
  type Launch,
  missingEnvironment,
  SESSION_VARIABLES,
  wholeEnvironment,
} from "./client.ts";
import type { StartCall } from "./commands.ts";
import { isWider } from "./policy.ts";
import { isLong } from "./prompts.ts";
import { memberLogPath, writeFirstPrompt } from "./store/member-files.ts";

const BACKENDS = ["tmux", "kitty", "headless"] as const;
export type Backend = (typeof BACKENDS)[number];
export const isBackend = (name: string | undefined): name is Backend =>
  BACKENDS.some((backend) => backend === name);

/** `asked` for by flag, or by SWARM_MULTIPLEXER. */
export function chooseBackend(
  { tmux, pane, kitty, env }: Pick<StartCall, "tmux" | "pane" | "kitty" | "env">,
  asked = "auto",
): Backend {
  const hasTmux = findProgram("tmux", env["PATH"]) !== undefined;
  const hasKitty = findProgram("kitty", env["PATH"]) !== undefined;
  if (asked === "auto") {
    if (tmux && pane && hasTmux) return "tmux";
    if (kitty.socket && hasKitty) return "kitty";
    return hasTmux ? "tmux" : "headless";
  }
  if (asked === "headless" || asked === "in-process") return "headless";
  if (asked !== "tmux" && asked !== "kitty")
    throw new Error(`unknown backend ${JSON.stringify(asked)}; the backends are tmux, kitty and headless`);
  if (asked === "tmux" && !hasTmux)
    throw new Error("tmux is not on the PATH; install it, or use --backend headless");
  if (asked === "kitty" && !hasKitty)
    throw new Error("kitty is not on the PATH; use --backend tmux or --backend headless");
  if (asked === "kitty" && !kitty.socket)
    throw new Error(
      "KITTY_LISTEN_ON is not set: kitty needs `allow_remote_control yes` and `listen_on unix:/tmp/kitty` in kitty.conf",
    );
  return asked;
}

export interface Opened {
  /** Its process and its window, in the fields of its member's entry. */
  process: Pick<Member, "pid" | "pidStartedAt" | "paneId" | "socket" | "log">;
  /** How a person can look at it. */
  look: string;
  notes: string[];
}

export const windowMark = (team: string, { name, agentId = "" }: Member) => `${name}@${team}:${agentId}`;

export function openClient(call: StartCall, launch: Launch): Opened {
  const { team, name, backend, prompt, permissionMode, leadMode } = launch;
  if (backend === "headless" || isLong(prompt)) writeFirstPrompt(call.paths, team, name, prompt);
  const opened = { tmux: inTmux, kitty: inKitty, headless }[backend](call, launch);
  const { pid } = opened.process;
  if (isWider(permissionMode, leadMode))
    opened.notes.unshift(`it runs in permission mode ${permissionMode}, its lead in ${leadMode}`);
  return { ...opened, process: { ...opened.process, pidStartedAt: pid ? startOf(pid) : undefined } };
}

function inTmux(call: StartCall, launch: Launch): Opened {
  const server: Server = {
    socket: call.tmux ? socketOf(call.tmux) : undefined,
    env: wholeEnvironment(call.env, {}),
  };
  const opening = openingOf(launch);
  const room = LONGEST_COMMAND_BYTES - sizeOf(opening);
  const own = identityVariables(launch);
  const { set, leftOut } = missingEnvironment(call.env, own, readServerEnvironment(server), room);
  const place = placeFor(call, launch, server);
  const { id, pid, socket } = openPane(server, place, { ...opening, set });
  const look = place.kind === "session" ? `tmux attach -t ${place.name}` : `tmux pane ${id}`;
  const left = `these environment variables did not fit into tmux's 16 KB: ${leftOut.join(", ")}`;
  return { process: { paneId: id, pid, socket }, look, notes: leftOut.length > 0 ? [left] : [] };
}

function sizeOf({ cwd, program, args, unset }: Opening): number {
  const words = [cwd, program, ...args, ...unset.flatMap((name) => ["-u", name])];
  return words.reduce((sum, word) => sum + Buffer.byteLength(word) + 1, 0);
}

/** The first pane opens beside the lead, each next one below the last. Dead panes of this member are closed first. */
function placeFor({ tmux, pane: own, loaded }: StartCall, { team, name }: Launch, server: Server): Place {
  const panes = readPanes(server) ?? [];
  for (const pane of panes)
    if (pane.dead && pane.mark.startsWith(`${name}@${team}:`)) closePane(server, pane.id);
  if (!tmux || !own) return { kind: "session", name: `swarm-${team}-${name}` };
  const last = panes.findLast(({ dead, mark, id }) => !dead && mark.includes(`@${team}:`) && id !== own);
  const { "display.pane_color": shownOn, "display.pane_style": style } = loaded.values;
  const bordered = shownOn !== "off" && style === "border";
  return { kind: "beside", pane: last?.id ?? own, down: last !== undefined, bordered };
}

function inKitty({ env, kitty }: StartCall, launch: Launch): Opened {
  const { socket = "", mode } = kitty;
  const set = wholeEnvironment(env, identityVariables(launch));
  const unset = [...SESSION_VARIABLES, "TMUX", "TMUX_PANE"];
  const { id, pid } = openWindow(socket, mode, { ...openingOf(launch), set, unset });
  return { process: { paneId: id, pid, socket }, look: `kitty window ${id}`, notes: [] };
}

function openingOf(launch: Launch): Opening {
  const { team, name, cwd } = launch;
  const [program = "", ...args] = commandLine(launch);
  const mark = windowMark(team, launch);
  return { program, args, cwd, title: `${name}@${team}`, set: {}, unset: SESSION_VARIABLES, mark };
}

function headless({ paths, env: inherited }: StartCall, launch: Launch): Opened {
  const { team, name, cwd, promptFile: input } = launch;
  const [program = "", ...args] = commandLine(launch);
  const env = wholeEnvironment(inherited, identityVariables(launch));
  const log = memberLogPath(paths, team, name);
  const pid = startInBackground({ program, args, cwd, env, input, log });
  return { process: { pid, log }, look: `without a screen, output in ${log}`, notes: [] };
}
