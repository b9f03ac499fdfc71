// The verbs of `swarm`, one line each, in the order in which a newcomer meets them.

export const VERBS: readonly (readonly [string, string])[] = [
  ["demo", "a lead and two teammates go through a day, in a temporary home"],
  ["session", "list, show and check sessions"],
  ["send", "a message to a member of the team"],
  ["broadcast", "a message to everybody else in the team"],
  ["inbox", "unread mail; --all the read too"],
  ["outbox", "what became of the messages you sent"],
  ["task", "the shared task list: create, claim, finish, hand back"],
  ["journal", "what was decided, and what happened"],
  ["explain", "why something was denied, asked or warned about, and what changes it"],
  ["lead", "who leads a team; take the lead when the old one is gone"],
  ["config", "every setting, its value and where it comes from"],
  ["event", "tell the lifecycle log about an agent that is no Claude Code session"],
  ["version", "the version of this plugin"],
  ["help", "this page"],
];
