// What other verbs do differently in a relayed team. Without a relay this is one look at a path, and nothing else is loaded.
import type { Answer } from "../run/command.ts";
import { type Places, whyNotSegment } from "../store/paths.ts";
import { isRelayed } from "./store/paths.ts";

interface Calling {
  places: Places;
  ownRoot: string;
}

const load = () => require("./relayed.ts") as typeof import("./relayed.ts");

const has = (places: Places, team: string | undefined): team is string =>
  team !== undefined && !whyNotSegment(team) && isRelayed(places, team);

const ONLY_READ = new Set(["list", "show"]);

export function withRelayedTasks<T>(
  calling: Calling,
  team: string | undefined,
  action: string,
  run: () => T,
): T {
  return has(calling.places, team) && !ONLY_READ.has(action) ? load().withTasks(calling, team, run) : run();
}

export function withRelayedLead<T>(
  calling: Calling,
  team: string | undefined,
  isForced: boolean,
  run: () => T,
): T {
  return has(calling.places, team) ? load().withLead(calling, team, isForced, run) : run();
}

/** Who leads a relayed team, where that is on another machine. */
export function shownLead(places: Places, team: string | undefined, answer: Answer): Answer {
  const lead = has(places, team) ? load().leadElsewhere(places, team) : undefined;
  if (!lead) return answer;
  const { agent, machine, token } = lead;
  return { text: `${team} is led by ${agent} on ${machine} (token ${token})`, data: { team, lead } };
}

/** A team that goes to the archive here would come back from the relay. */
export function refuseRelayed(places: Places, team: string): void {
  if (has(places, team))
    throw new Error(
      `${team} is on a relay: \`swarm relay leave --team ${team}\` takes this machine out first`,
    );
}
