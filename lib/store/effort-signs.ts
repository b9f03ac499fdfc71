// Whether there is anything to do at all: one look at the disk, before any of the engine is loaded.
import { existsSync } from "node:fs";
import { activeEffortsDir, effortWindowsDir, type Places } from "./paths.ts";

/** Somebody in this client's session works on an effort. */
export const hasWindow = (places: Places, session: string): boolean =>
  session !== "" && existsSync(effortWindowsDir(places, session));

export const hasActiveEfforts = (places: Places): boolean => existsSync(activeEffortsDir(places));
