// `swarm event`: other adapters speak the same envelope as our hooks, so one reader understands them all (seed 000).
import { badCall, type Call } from "../cli/command.ts";
import { newId } from "../core/journal.ts";
import { whyNotSegment } from "../core/paths.ts";
import {
  appendLifecycle,
  hookEventRequest,
  type LifecycleEvent,
  lifecycleLine,
  offerToDaemon,
  SOURCE_KINDS,
  type SourceKind,
} from "./store/lifecycle.ts";
import { readSession } from "./store/sessions.ts";

type Flags = Record<"agent" | "team" | "session-id" | "source" | "payload", { type: "string" }>;

export function emitEvent(call: Call<Flags>) {
  if (!call.loaded.projectFile)
    throw new Error(
      "there is no .atm.toml in this project, and the lifecycle log is kept only where there is one",
    );
  const event = asLifecycle(call);
  appendLifecycle(call.paths, event);
  offerToDaemon(call.paths, hookEventRequest(event, newId(call.now)));
  return { text: `${event.event} of ${event.agent}@${event.team} is in the log`, data: lifecycleLine(event) };
}

function asLifecycle(call: Call<Flags>): LifecycleEvent {
  const event = call.words[0]?.replaceAll("-", "_");
  if (!event || !/^[a-z][a-z0-9_]{0,63}$/.test(event))
    throw badCall("which event? for example session_start");
  const agent = call.flags.agent ?? call.identity.agent;
  const team = call.flags.team ?? call.identity.team;
  if (!agent || !team || !call.session) throw badCall("--agent, --team and --session-id are needed here");
  const bad = whyNotSegment(agent) ?? whyNotSegment(team);
  if (bad) throw badCall(`a name ${bad}`);
  if (call.sessionId && call.session !== call.sessionId && readSession(call.paths, { session: call.session }))
    throw new Error(`session ${call.session} reports its own events; this is session ${call.sessionId}`);
  return {
    event,
    agent,
    team,
    session: call.session,
    at: call.now,
    source: sourceKind(call.flags.source),
    pid: call.clientPid,
    payload: payloadOf(call),
  };
}

function sourceKind(given = "unknown"): SourceKind {
  const kind = SOURCE_KINDS.find((one) => one === given);
  if (!kind) throw badCall(`--source is one of ${SOURCE_KINDS.join(", ")}`);
  return kind;
}

function payloadOf(call: Call<Flags>): unknown {
  const text = call.flags.payload === "-" ? call.stdin() : (call.flags.payload ?? "{}");
  try {
    return JSON.parse(text);
  } catch {
    throw badCall("--payload is not JSON");
  }
}
