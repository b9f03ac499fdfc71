// `swarm notify`: how the person is called, and whether it works.
import type { Call } from "../../cli/command.ts";
import { age } from "../../core/time.ts";
import {
  hasFailed,
  LOOK,
  labelOf,
  noteOutcomes,
  type Outcome,
  readMoments,
  readTargets,
} from "../store/moments.ts";
import { logFailure } from "./look.ts";
import { desktopOf, runNotifier, TEST } from "./runner.ts";
import { sendToAll } from "./targets.ts";

type NotifyCall = Call<Record<"session-id", "text">>;

export async function notifyVerb(call: NotifyCall) {
  const [action] = call.words;
  if (action === undefined) return shown(call);
  if (action === "test") return tested(call);
  await runNotifier().catch((error: Error) => {
    logFailure(call.paths, call.now, error);
    throw error;
  });
  return undefined;
}

const HOW =
  'notify.targets in your settings.toml is empty: [notify] targets = ["desktop"] calls you on this screen';

async function tested(call: NotifyCall) {
  const targets = call.loaded.values["notify.targets"];
  if (targets.length === 0) throw new Error(HOW);
  const desktop = desktopOf(call, [{ tmux: call.tmux, pid: process.ppid }]);
  const outcomes = await sendToAll(targets, TEST, desktop);
  noteOutcomes(call.paths, outcomes, call.now);
  const line = ({ target, error }: Outcome) =>
    `${target}: ${error === undefined ? "sent" : `failed: ${error}`}`;
  return {
    text: outcomes.map(line).join("\n"),
    data: {
      targets: outcomes.map(({ target, error }) => ({
        target,
        ok: error === undefined,
        ...(error ? { error } : {}),
      })),
    },
    exitCode: outcomes.some(({ error }) => error !== undefined) ? 1 : 0,
  };
}

function shown({ loaded, paths, now }: NotifyCall) {
  const settings = loaded.values;
  const targets = settings["notify.targets"].map(labelOf);
  const states = readTargets(paths);
  const waiting = readMoments(paths).filter(({ key }) => key !== LOOK);
  const data = {
    targets,
    states,
    waiting: waiting.map(({ event, text, due }) => ({ event, text, due: new Date(due).toISOString() })),
  };
  if (targets.length === 0) return { text: HOW, data };
  const outcome = (target: string) => {
    const state = states[target] ?? {};
    if (hasFailed(state)) return `failed ${age(state.failed, now)} ago: ${state.error ?? "no reason given"}`;
    return state.ok ? `worked ${age(state.ok, now)} ago` : "not used yet";
  };
  const quiet = settings["notify.quiet"] ? `, quiet ${settings["notify.quiet"]}` : "";
  return {
    text: [
      ...targets.map((target) => `${target}: ${outcome(target)}`),
      `after ${settings["notify.after_s"]} s${quiet}, for ${settings["notify.events"].join(", ")}`,
      ...waiting.map(({ text, due }) => `waits: ${text} (due ${new Date(due).toISOString()})`),
    ].join("\n"),
    data,
  };
}
