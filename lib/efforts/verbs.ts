// `swarm effort …`: how an agent, or a person in a terminal, moves an effort and looks at it.
import { type Answer, badCall } from "../cli/command.ts";
import type { EffortCall } from "./command.ts";
import { guard, inject, preload } from "./provisions.ts";
import { list, show } from "./showing.ts";
import { start } from "./starting.ts";
import { dehydrate, finish, log, phase } from "./steps.ts";

const STEPS: Record<string, (call: EffortCall) => Answer> = {
  start,
  phase,
  log,
  dehydrate,
  finish,
  show,
  list,
  preload,
  inject,
  guard,
};

export function effortVerb(call: EffortCall): Answer {
  const name = call.words[0] ?? "show";
  const step = Object.hasOwn(STEPS, name) ? STEPS[name] : undefined;
  if (!step) throw badCall(`${Object.keys(STEPS).join(", ")}; not ${JSON.stringify(name)}`);
  return step(call);
}
