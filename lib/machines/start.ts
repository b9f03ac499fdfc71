// The two processes of a relayed team, each started detached from who starts it.
import type { Paths } from "../core/paths.ts";
import { startHelper } from "../system/programs.ts";

/** Where this program and its files are. */
export interface Calling {
  paths: Paths;
  ownRoot: string;
}

export const startCourier = (calling: Calling): void => start(calling, "courier");
export const startSupervisor = (calling: Calling): void => start(calling, "supervise");

function start({ paths, ownRoot }: Calling, action: string): void {
  startHelper(ownRoot, ["relay", action], paths.base);
}
