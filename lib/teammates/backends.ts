// Where a teammate's client runs: in a tmux pane or session, in a kitty window, or headless.

import { dirname } from "node:path";
import type { Environment } from "../hook/environment.ts";
import { openWindow } from "../system/kitty.ts";
import { startOf } from "../system/processes.ts";
import { startInBackground } from "../system/programs.ts";
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
  type ClientOptions,
  headlessArguments,
  identityVariables,
  interactiveArguments,
  missingEnvironment,
  SESSION_VARIABLES,
  type TeammateIdentity,
  wholeEnvironment,
} from "./client.ts";
import { isWider } from "./policy.ts";
import { filePrompt, isLong } from "./prompts.ts";
import { memberLogPath, promptPath, writeFirstPrompt } from "./store/member-files.ts";

const BACKENDS = ["tmux", "kitty", "headless"] as const;
export type Backend = (typeof BACKENDS)[number];
export const isBackend = (name: string | undefined): name is Backend =>
  BACKENDS.some((backend) => backend === name);

export interface Available {
  /** By flag, or by SWARM_MULTIPLEXER. */
  asked: string | undefined;
  insideTmux: boolean;
  kittySocket: string | undefined;
  hasTmux: boolean;
  hasKitty: boolean;
}

/** Throws where the backend that is asked for cannot be used. */
export function chooseBackend({ asked, insideTmux, kittySocket, hasTmux, hasKitty }: Available): Backend {
  if (asked === undefined || asked === "auto") {
    if (insideTmux && hasTmux) return "tmux";
    if (kittySocket && hasKitty) return "kitty";
    return hasTmux ? "tmux" : "headless";
  }
  if (asked === "headless" || asked === "in-process") return "headless";
  if (asked !== "tmux" && asked !== "kitty")
    throw new Error(`unknown backend ${JSON.stringify(asked)}; the backends are tmux, kitty and headless`);
  if (asked === "tmux" && !hasTmux)
    throw new Error("tmux is not on the PATH; install it, or use --backend headless");
  if (asked === "kitty" && !hasKitty)
    throw new Error("kitty is not on the PATH; use --backend tmux or --backend headless");
  if (asked === "kitty" && !kittySocket)
    throw new Error(
      "KITTY_LISTEN_ON is not set: kitty needs `allow_remote_control yes` and `listen_on unix:/tmp/kitty` in kitty.conf",
    );
  return asked;
}

export interface ClientLaunch {
  environment: Environment;
  backend: Backend;
  member: TeammateIdentity;
  options: ClientOptions;
  /** The permission mode of its lead, which its own may differ from. */
  leadMode: string;
  prompt: string;
  cwd: string;
  /** Its status is shown on its pane's border. */
  bordered: boolean;
}

export interface Opened {
  /** Its process and its window, in the fields of its member's entry. */
  process: Pick<Member, "pid" | "pidStartedAt" | "paneId" | "socket" | "log">;
  /** How a person can look at it. */
  look: string;
  /** What a person should know about the start. */
  notes: string[];
}

export const windowMark = ({ team, agent, agentId }: Pick<TeammateIdentity, "team" | "agent" | "agentId">) =>
  `${agent}@${team}:${agentId}`;

export function openClient(request: ClientLaunch): Opened {
  const open = { tmux: inTmux, kitty: inKitty, headless }[request.backend];
  const opened = open(request);
  const { pid } = opened.process;
  const mode = request.options.permissionMode;
  if (isWider(mode, request.leadMode))
    opened.notes.unshift(`it runs in permission mode ${mode}, its lead in ${request.leadMode}`);
  return { ...opened, process: { ...opened.process, pidStartedAt: pid ? startOf(pid) : undefined } };
}

export type Preview = ReturnType<typeof previewClient>;

/** How a client would be started, without starting it. */
export function previewClient(request: ClientLaunch) {
  const { backend, cwd, options, environment } = request;
  const own = identityVariables(request.member);
  const isHeadless = backend === "headless";
  const args = isHeadless ? headlessArguments(options) : asOpening(request, { isPreview: true }).args;
  return {
    backend,
    cwd,
    command: [options.command[0] ?? "", ...args],
    environment: {
      set: own,
      removed: SESSION_VARIABLES,
      /** Names: their values are those of the calling process. */
      inherited: Object.keys(wholeEnvironment(environment.env, {})).filter((name) => !(name in own)),
    },
    ...(isHeadless ? { stdin: request.prompt } : {}),
  };
}

function inTmux(request: ClientLaunch): Opened {
  const { environment, member } = request;
  const server: Server = {
    socket: environment.tmux ? socketOf(environment.tmux) : undefined,
    env: wholeEnvironment(environment.env, {}),
  };
  const opening = asOpening(request);
  const room = LONGEST_COMMAND_BYTES - sizeOf(opening);
  const own = identityVariables(member);
  const { set, leftOut } = missingEnvironment(environment.env, own, readServerEnvironment(server), room);
  const place = placeFor(request, server);
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
function placeFor({ environment, member, bordered }: ClientLaunch, server: Server): Place {
  const { team, agent } = member;
  const panes = readPanes(server);
  for (const pane of panes)
    if (pane.dead && pane.mark.startsWith(`${agent}@${team}:`)) closePane(server, pane.id);
  if (!environment.tmux || !environment.pane) return { kind: "session", name: `swarm-${team}-${agent}` };
  const isTeam = (mark: string) => mark.includes(`@${team}:`);
  const last = panes.findLast((pane) => !pane.dead && isTeam(pane.mark) && pane.id !== environment.pane);
  return { kind: "beside", pane: last?.id ?? environment.pane, down: last !== undefined, bordered };
}

function inKitty(request: ClientLaunch): Opened {
  const { socket = "", mode } = request.environment.kitty;
  const set = wholeEnvironment(request.environment.env, identityVariables(request.member));
  const unset = [...SESSION_VARIABLES, "TMUX", "TMUX_PANE"];
  const { id, pid } = openWindow(socket, mode, { ...asOpening(request), set, unset });
  return { process: { paneId: id, pid, socket }, look: `kitty window ${id}`, notes: [] };
}

/** A long prompt is written to a file that the teammate is asked to read; a preview only names the file. */
function asOpening(request: ClientLaunch, { isPreview = false } = {}): Opening {
  const { options, member, cwd, prompt } = request;
  const { paths } = request.environment;
  const file = isLong(prompt) ? promptPath(paths, member.team, member.agent) : undefined;
  if (file && !isPreview) writeFirstPrompt(paths, member.team, member.agent, prompt);
  const readable = file && dirname(file);
  return {
    program: options.command[0] ?? "",
    args: interactiveArguments({ ...options, readable }, file ? filePrompt(file, prompt) : prompt),
    cwd,
    title: options.title,
    set: {},
    unset: SESSION_VARIABLES,
    mark: windowMark(member),
  };
}

function headless({ environment, options, member, prompt, cwd }: ClientLaunch): Opened {
  const input = writeFirstPrompt(environment.paths, member.team, member.agent, prompt);
  const log = memberLogPath(environment.paths, member.team, member.agent);
  const pid = startInBackground({
    program: options.command[0] ?? "",
    args: headlessArguments(options),
    cwd,
    env: wholeEnvironment(environment.env, identityVariables(member)),
    input,
    log,
  });
  return { process: { pid, log }, look: `without a screen, output in ${log}`, notes: [] };
}
