// Programs that few commands use, and the packs. A lazy part: loading their tables costs a plain command 0.1 of a node start.
import { BASH } from "../commands/bash.ts";
import { CHMOD } from "../commands/chmod.ts";
import { CONSOLES } from "../commands/consoles.ts";
import { DISK_AND_POWER } from "../commands/disk-and-power.ts";
import { EDITORS_AND_MAKE } from "../commands/editors-and-make.ts";
import { FIND } from "../commands/find.ts";
import { KILL } from "../commands/kill.ts";
import { RM } from "../commands/rm.ts";
import { RUN_OPTIONS } from "../commands/run-options.ts";
import { SSH_AND_DOCKER } from "../commands/ssh-and-docker.ts";
import { TMUX } from "../commands/tmux.ts";
import { WRAPPERS } from "../commands/wrappers.ts";
import { isInPack, packFindings } from "../packs/pack.ts";
import { type Handler, joined } from "./programs.ts";
import type { Shell } from "./state.ts";

const RARE = joined([
  RM,
  FIND,
  BASH,
  WRAPPERS,
  CHMOD,
  KILL,
  TMUX,
  DISK_AND_POWER,
  SSH_AND_DOCKER,
  RUN_OPTIONS,
  EDITORS_AND_MAKE,
  CONSOLES,
]);

export const rareHandler = (program: string): Handler | undefined => RARE.get(program);
export const rareNames = (): string[] => RARE.names();
export const isRare = (program: string): boolean => RARE.get(program) !== undefined || isInPack(program);
export const inPacks = (program: string, args: readonly string[], shell: Shell) =>
  packFindings(program, args, shell);
