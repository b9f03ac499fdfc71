// Whether there is anything to do at all: one look at the disk, before any of the engine is loaded.
import { existsSync } from "node:fs";
import { activeEffortsDir, effortWindowsDir, type Paths } from "../../core/paths.ts";

/** Somebody in this client's session works on an effort. */
export const hasWindow = (paths: Paths, session: string): boolean =>
  session !== "" && existsSync(effortWindowsDir(paths, session));

export const hasActiveEfforts = (paths: Paths): boolean => existsSync(activeEffortsDir(paths));
