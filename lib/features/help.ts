// The verbs of `swarm`, one line each, in the order in which a newcomer meets them.

export const VERBS: readonly (readonly [string, string])[] = [
  ["demo", "a lead and two teammates go through a day, in a temporary home"],
  ["session", "list, show and check sessions"],
  ["effort", "work that survives its sessions: start, phase, log, dehydrate, finish"],
  ["journal", "what was decided, and what happened"],
  ["config", "every setting, its value and where it comes from"],
  ["event", "tell the lifecycle log about an agent that is no Claude Code session"],
  ["version", "the version of this plugin"],
  ["help", "this page"],
];
