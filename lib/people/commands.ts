// The verbs of `swarm` that belong to this domain.
import { command } from "../cli/command.ts";
import { costVerb, notifyVerb, pauseVerb, serveVerb, unpauseVerb } from "./verbs.ts" with { loading: "lazy" };

const PAUSE_FLAGS = { team: "text", all: "switch", why: "text", "session-id": "text" } as const;

export const commands = [
  command({
    name: "cost",
    summary: "tokens and money by agent, task, model, team and day",
    usage: `swarm cost [--team T] [--since 8h|3d] [--by agent|task|model|day|team]
Tokens and money of every session, subagent and teammate, each message counted once. Without --team all transcripts of this config
directory count, also of sessions that Swarm never saw. --since counts back from now (m, h, d, w) or names a day.
Prices are a dated table; cost.prices in your settings goes before it. A later run reads only what is new.`,
    flags: { team: "text", since: "text", by: "text", "session-id": "text" },
    run: (call) => costVerb(call),
  }),
  command({
    name: "serve",
    summary: "the team live in a browser on this machine",
    usage: `swarm serve [--port N] [--team TEAM] [--since 8h|3d]
A live page of your team, or of this machine, in a browser here: agents, tasks, mail, cost and decisions; you can write to an agent.
It listens on loopback only, the address it prints is the key, and it ends with this terminal.`,
    flags: { port: "text", team: "text", since: "text", "session-id": "text" },
    run: (call) => serveVerb(call),
  }),
  command({
    name: "pause",
    summary: "stop agents at their next tool call; they go on with unpause",
    usage: `swarm pause [AGENT … | --team TEAM | --all] [--why TEXT]
From now on every tool call of these agents is refused and their turns end. Mail, tasks and claims wait; restarts change nothing.
AGENT is a name, name@team or the beginning of a session's id; a subagent stops with its parent. A lead may pause its own team.
Without arguments it shows what is paused and where each agent stopped.`,
    flags: PAUSE_FLAGS,
    words: "any",
    run: (call) => pauseVerb(call),
  }),
  command({
    name: "unpause",
    summary: "let paused agents go on",
    usage: `swarm unpause AGENT … | --team TEAM | --all
Lifts pauses and wakes the agents that were stopped: each hears where it was. --team includes its members, --all everything.
What a person has paused only a person lifts. Exit code 1 where one of them was not woken: its line says what to do.`,
    flags: PAUSE_FLAGS,
    words: "any",
    team: "data",
    run: (call) => unpauseVerb(call),
  }),
  command({
    name: "notify",
    summary: "how you are called when an agent needs you; test tries it",
    usage: `swarm notify [test]
How you are called, for what, and how the last calls went; test sends one to every target of notify.targets and says what became of it.
run is the helper that hooks start: it says what is due and ends.`,
    flags: { "session-id": "text" },
    words: { test: 0, run: 0 },
    run: (call) => notifyVerb(call),
  }),
];
