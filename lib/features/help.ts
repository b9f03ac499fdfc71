// The verbs of `swarm`, one line each, in the order in which a newcomer meets them.

export const VERBS: readonly (readonly [string, string])[] = [
  ["demo", "a lead and two teammates go through a day, in a temporary home"],
  ["onboard", "two agents that talk, in five minutes: the steps, and which is next"],
  ["create", "make a team; the session that asks leads it"],
  ["join", "become a member of a team"],
  ["spawn", "open a teammate: a real client in a pane, a window or without a screen"],
  ["suspend", "end the teammates and keep everything they have"],
  ["resume", "bring a team back, each member with its conversation, tasks and mail"],
  ["kill", "end one teammate, or all"],
  ["cleanup", "end a team for good: its files go to the archive"],
  ["list-teams", "every team, the client's own and the archived ones too"],
  ["session", "list, show and check sessions"],
  ["journal", "what was decided, and what happened"],
  ["config", "every setting, its value and where it comes from"],
  ["event", "tell the lifecycle log about an agent that is no Claude Code session"],
  ["version", "the version of this plugin"],
  ["help", "this page"],
];
