// One line at session start while the relay cannot be reached. Loaded only in a relayed team.
import type { Places } from "../store/paths.ts";
import { readText } from "../store/read-text.ts";
import { statusPath } from "./store/paths.ts";

const LONGEST = 300;

export function relayProblem(places: Places, team: string): string | undefined {
  try {
    const { error } = JSON.parse(readText(statusPath(places, team)) ?? "{}") as { error?: unknown };
    if (typeof error !== "string" || error === "") return undefined;
    const why = error.replace(/[<>&\u0000-\u001f\u007f]+/g, " ").slice(0, LONGEST);
    return `The relay of team ${team} was not reachable when last tried: ${why}. Mail to other machines waits here.`;
  } catch {
    return undefined; // being written, or damaged: the courier writes it anew
  }
}
