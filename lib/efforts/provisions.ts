// `swarm effort preload`, `inject` and `guard`: what an effort's agents will be shown or denied.

import { resolve } from "node:path";
import { badCall } from "../cli/command.ts";
import { realPath } from "../core/files.ts";
import { newId } from "../core/journal.ts";
import { plainLines } from "../core/text.ts";
import { type EffortCall, numberOf, textOf, theEffort } from "./caller.ts";
import { addInjection } from "./injections.ts";
import { inProject } from "./steps.ts";
import { type Effort, type GuardRule, updateEffort } from "./store/efforts.ts";
import { readPreload } from "./store/project-files.ts";

const MOST_PRELOADS = 16;
const MOST_GUARDS = 50;
const LONGEST_TEXT = 6_000;
const ID = /^[A-Za-z0-9][\w.-]{0,63}$/;

export function preload(call: EffortCall) {
  const effort = theEffort(call);
  const paths = call.words
    .slice(1)
    .map((path) => inProject(effort.project, realPath(resolve(call.cwd, path))));
  if (paths.length === 0) return listed("preloads", effort.preloads);
  if (!call.flags.remove) for (const path of paths) mustBeReadable(call, effort, path);
  const others = (stored: Effort) => stored.preloads.filter((path) => !paths.includes(path));
  const changed = updateEffort(call.paths, effort.id, (stored) => {
    const preloads = call.flags.remove ? others(stored) : [...others(stored), ...paths];
    if (preloads.length > MOST_PRELOADS) throw badCall(`at most ${MOST_PRELOADS} files are preloaded`);
    return { ...stored, preloads };
  });
  return listed("preloads", changed?.preloads ?? []);
}

function mustBeReadable({ paths }: EffortCall, { project }: Effort, path: string): void {
  const { why } = readPreload([project, paths.home], project, path, 1);
  if (why) throw badCall(`${path} cannot be preloaded: ${why}`);
}

const listed = (name: string, values: string[]) => ({
  text: plainLines(values) || `no ${name}`,
  data: { [name]: values },
});

export function inject(call: EffortCall) {
  const text = textOf(call, "which text");
  if (text.length > LONGEST_TEXT) throw badCall(`at most ${LONGEST_TEXT} characters; preload a file instead`);
  const effort = theEffort(call);
  const id = call.flags.id ?? newId(call.now);
  if (!ID.test(id)) throw badCall("--id is made of letters, digits, dots and dashes");
  addInjection(call.paths, effort.id, { id, text, at: call.now.toISOString() });
  return {
    text: `${id} waits; the agent on effort ${effort.id} gets it once, with its next tool call or prompt`,
    data: { effort: effort.id, id },
  };
}

export function guard(call: EffortCall) {
  const effort = theEffort(call);
  const id = call.words[1];
  if (id === undefined) return shown(effort.metadata.guards);
  if (!ID.test(id)) throw badCall("a rule's name is made of letters, digits, dots and dashes");
  const rule = call.flags.remove ? undefined : ruleOf(call, id);
  const changed = updateEffort(call.paths, effort.id, (stored) => {
    const others = stored.metadata.guards.filter((one) => one.id !== id);
    if (call.flags.remove && others.length === stored.metadata.guards.length)
      throw new Error(`effort ${effort.id} has no rule ${id}`);
    if (rule && others.length >= MOST_GUARDS) throw badCall(`at most ${MOST_GUARDS} rules`);
    return { ...stored, metadata: { ...stored.metadata, guards: rule ? [...others, rule] : others } };
  });
  return shown(changed?.metadata.guards ?? []);
}

function ruleOf({ flags }: EffortCall, id: string): GuardRule {
  const { tool, input, phase, message } = flags;
  const heartbeat = numberOf(flags.heartbeat, "heartbeat");
  const context = numberOf(flags.context, "context");
  if ([tool, input, phase, heartbeat, context].every((one) => one === undefined))
    throw badCall("when? give --tool, --input, --phase, --heartbeat or --context");
  if (!message) throw badCall("--message is what the agent reads");
  if (flags.deny === flags.warn) throw badCall("either --deny or --warn");
  return { id, tool, input, phase, heartbeat, context, message, action: flags.deny ? "deny" : "warn" };
}

const shown = (guards: GuardRule[]) => ({
  text: plainLines(guards.map(guardLine)) || "no guard rules",
  data: { guards },
});

export function guardLine({ id, action, message, ...rule }: GuardRule): string {
  const when = (["tool", "input", "phase", "heartbeat", "context"] as const).flatMap((key) =>
    rule[key] === undefined ? [] : `${key}=${JSON.stringify(rule[key])}`,
  );
  return `${id}: ${action} when ${when.join(" ")}: ${message}`;
}
