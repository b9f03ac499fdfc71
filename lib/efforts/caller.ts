// What every verb of `swarm effort` needs to know: which effort, which project, and which agent's shell this is.

import { dirname } from "node:path";
import { badCall, type Call } from "../cli/command.ts";
import { realPath } from "../core/files.ts";
import { shownAs } from "../hook/context.ts";
import { readSession } from "../sessions/store/sessions.ts";
import type { EFFORT_FLAGS } from "./commands.ts";
import { findEffort, linksOf } from "./sessions.ts";
import { type Effort, readEffort, readEffortSession } from "./store/efforts.ts";
import { mainAgentOf, readCall, readLink, type WindowAgent, windowAgents } from "./store/windows.ts";

export type EffortCall = Call<typeof EFFORT_FLAGS>;

export function textOf(call: EffortCall, what: string, longest = Number.POSITIVE_INFINITY): string {
  const words = call.words.slice(1).join(" ");
  const text = (words === "-" ? call.stdin() : words).trim();
  if (text === "") throw badCall(`${what}? give the text, or - to read it from stdin`);
  if (text.length > longest) throw badCall(`${what}? at most ${longest} characters, not ${text.length}`);
  return text;
}

export function numberOf(value: string | undefined, flag: string): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw badCall(`--${flag} is a whole number`);
  return Number(value);
}

export function projectOf({ projectDir, session, paths, cwd }: EffortCall): string {
  const record = session ? readSession(paths, { session }) : undefined;
  return realPath(projectDir ?? record?.project ?? record?.cwd ?? cwd);
}

export function effortHere(call: EffortCall, id = call.flags.effort): Effort | undefined {
  const number = numberOf(id, "effort");
  if (number === undefined) return activeEffort(call);
  const effort = readEffort(call.paths, number);
  if (!effort) throw new Error(`there is no effort ${number}; swarm effort list --all shows them`);
  return effort;
}

/** The one of this session, else of the nearest directory upwards. */
export function activeEffort(call: EffortCall): Effort | undefined {
  const asking = { paths: call.paths, fleetId: call.fleetId, identity: call.subject };
  return findEffort(asking, linksOf(call.paths, call.session), upwardsFrom(projectOf(call)));
}

const upwardsFrom = (directory: string): string[] =>
  directory === dirname(directory) ? [directory] : [directory, ...upwardsFrom(dirname(directory))];

export function theEffort(call: EffortCall): Effort {
  const effort = effortHere(call);
  if (!effort) throw new Error("there is no active effort here; begin one with: swarm effort start <skill>");
  if (effort.lifecycle === "finished") throw new Error(`effort ${effort.id} is finished`);
  return effort;
}

const NOTE_HOLDS_MS = 60_000;

/** A shell does not know its agent: the hook before it left a note, which the command's text identifies. */
function callingAgent({ paths, session, now }: EffortCall, text: string): WindowAgent | undefined {
  if (!session) return undefined;
  const noted = windowAgents(paths, session).flatMap((agent) => {
    const call = readCall(paths, agent);
    if (!call || Math.abs(now.getTime() - call.at) > NOTE_HOLDS_MS) return []; // also where the clock was set back
    return [{ agent, at: call.at, isSame: text !== "" && call.command.includes(text) }];
  });
  noted.sort((a, b) => Number(b.isSame) - Number(a.isSame) || b.at - a.at);
  return noted[0]?.agent ?? mainAgentOf(session);
}

/** By its name in the effort's files, and its window if that works on this effort. A person has none, also with `--session-id`. */
export function callerOf(call: EffortCall, effort: Effort, text = "") {
  const { identity, session, paths } = call;
  const agent = identity.kind === "person" ? undefined : callingAgent(call, text);
  const link = agent && readLink(paths, agent);
  if (!agent || link?.effort !== effort.id)
    return { name: shownAs(identity, session, effort.owner.team), window: undefined };
  const { agentType } = readEffortSession(paths, effort.id, link.session) ?? {};
  return { name: agentType ?? effort.owner.agent ?? agent.voice, window: { agent, link } };
}
