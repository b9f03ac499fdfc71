// A team's day on disk, as hooks and commands would have left it: for the report, its tests and a look at it.
import type { Home } from "./a-home.ts";

export const DAY_TEAM = "harbour";
const MINUTE = 60_000;

interface Unconfirmed {
  /** Minutes since the morning. */
  at: number;
  agent: string;
  [detail: string]: unknown;
}

const states = (agent: string, ...moves: [number, string, string?][]): Unconfirmed[] =>
  moves.map(([at, state, failure]) => ({ at, agent, feature: "sessions", what: "state", state, failure }));
const task = (
  at: number,
  agent: string,
  id: string,
  subject: string,
  what: string,
  owner: string,
): Unconfirmed => ({
  at,
  agent,
  feature: "tasks",
  event: "command",
  what: `task-${what}`,
  list: DAY_TEAM,
  task: id,
  subject,
  status: what === "completed" ? "completed" : what === "created" ? "pending" : "in_progress",
  owner,
});
const decision = (
  at: number,
  agent: string,
  what: string,
  feature: string,
  rule: string,
  reason: string,
) => ({
  at,
  agent,
  feature,
  what,
  rule,
  reason,
  tool: "Bash",
  input: '{"command":"…"}',
});
const level = (at: number, agent: string, share: number): Unconfirmed => ({
  at,
  agent,
  feature: "context-budget",
  what: "context-level",
  level: share >= 80 ? 2 : 1,
  share,
});

const LINES: Unconfirmed[] = [
  ...states("team-lead", [1, "working"], [14, "idle"], [52, "working"], [61, "idle"], [118, "working"]),
  ...states("team-lead", [131, "idle"], [188, "working"], [204, "idle"], [236, "working"], [247, "idle"]),
  ...states("alice", [6, "working"], [48, "idle"], [57, "working"], [97, "waiting"], [104, "working"]),
  ...states("alice", [139, "idle"], [151, "working"], [214, "idle"]),
  ...states(
    "bob",
    [8, "working"],
    [39, "idle"],
    [66, "working"],
    [88, "failed", "rate_limit"],
    [112, "working"],
  ),
  ...states("bob", [162, "idle"], [190, "working"], [229, "idle"]),
  ...states("carol", [71, "working"], [125, "idle"], [134, "working"], [171, "failed", "server_error"]),
  ...states("carol", [176, "working"], [201, "idle"]),
  task(4, "team-lead", "1", "Write the lexer", "created", "alice"),
  task(5, "team-lead", "2", "Write the parser", "created", "bob"),
  task(6, "team-lead", "3", "Error messages with line and column", "created", "carol"),
  task(7, "team-lead", "4", "Fuzz both for an hour", "created", ""),
  task(7, "alice", "1", "Write the lexer", "claimed", "alice"),
  task(9, "bob", "2", "Write the parser", "claimed", "bob"),
  task(46, "alice", "1", "Write the lexer", "completed", "alice"),
  task(72, "carol", "3", "Error messages with line and column", "claimed", "carol"),
  task(160, "bob", "2", "Write the parser", "completed", "bob"),
  task(191, "bob", "4", "Fuzz both for an hour", "claimed", "bob"),
  decision(
    33,
    "alice",
    "deny",
    "command-guard",
    "delete-outside",
    "It would delete files outside the project.",
  ),
  decision(
    84,
    "bob",
    "deny",
    "command-guard",
    "kill-by-name",
    "It kills every process that happens to match.",
  ),
  decision(96, "alice", "ask", "command-guard", "force-push", "It rewrites what others have pulled."),
  decision(120, "team-lead", "deny", "spawn-gate", "orchestrator-named", "An orchestrator needs a name."),
  decision(186, "carol", "deny", "scratchpad", "page", "The page lacks: Unresolved."),
  level(92, "alice", 61),
  level(158, "alice", 82),
  level(196, "alice", 91),
  level(150, "bob", 63),
];

const MAIL: [number, string, string, string, string][] = [
  [
    10,
    "team-lead",
    "alice",
    "Lexer first. The grammar is in docs/grammar.md; ask if a rule is unclear.",
    "answered",
  ],
  [11, "team-lead", "bob", "Parser, please. Alice gives you the token types within the hour.", "answered"],
  [38, "bob", "alice", "Which type does a heredoc get? I would like to keep it one token.", "answered"],
  [40, "alice", "bob", "HEREDOC, with its body as the value.\n\nNested ones are a list of tokens.", "shown"],
  [
    47,
    "alice",
    "team-lead",
    "The lexer is done, 41 tests. Two corner cases are listed in docs/open.md.",
    "shown",
  ],
  [58, "team-lead", "alice", "Good. Go on with positions: carol needs line and column.", "answered"],
  [
    70,
    "team-lead",
    "carol",
    "Error messages: see task 3. Alice knows where the positions come from.",
    "shown",
  ],
  [76, "carol", "alice", "Do columns count from zero or from one?", "answered"],
  [78, "alice", "carol", "From one, as editors do.", "shown"],
  [
    138,
    "alice",
    "team-lead",
    "alice has used 82 % of its context window. Let it finish its present step.",
    "shown",
  ],
  [161, "bob", "team-lead", "The parser passes everything in test/cases. Fuzzing is next.", "shown"],
  [189, "team-lead", "bob", "Take task 4. An hour is enough.", "answered"],
  [
    203,
    "carol",
    "team-lead",
    "Messages name line, column and what was expected. Left: the German ones.",
    "shown",
  ],
  [230, "bob", "team-lead", "One crash found and fixed: an empty heredoc at the end of the file.", "queued"],
];

const TASKS: [string, string, string, string, string[]][] = [
  ["1", "Write the lexer", "completed", "alice", []],
  ["2", "Write the parser", "completed", "bob", ["1"]],
  ["3", "Error messages with line and column", "in_progress", "carol", []],
  ["4", "Fuzz both for an hour", "in_progress", "bob", ["2"]],
  ["5", "Write the manual", "pending", "", ["3", "4"]],
];

const AGENTS: [string, string][] = [
  ["team-lead", "lead"],
  ["alice", "developer"],
  ["bob", "developer"],
  ["carol", "writer"],
];

const session = (agent: string) => `s-${agent}`;

/** The day ends at `now`; it lasted a little over four hours. Returns the moment it began. */
export function aDay(home: Home, now = new Date()): Date {
  const start = new Date(now.getTime() - 250 * MINUTE);
  const time = (minutes: number) => new Date(start.getTime() + minutes * MINUTE).toISOString();
  const starts = AGENTS.map(
    ([agent], n): Unconfirmed => ({
      at: n === 3 ? 65 : n,
      agent,
      feature: "sessions",
      what: "session-start",
      kind: "named",
    }),
  );
  const lines = [...starts, ...LINES]
    .sort((a, b) => a.at - b.at)
    .map(({ at, agent, ...rest }, n) => ({
      id: `day-${n}`,
      at: time(at),
      event: "hook",
      session: session(agent),
      agent: rest["event"] === "command" ? agent : "main",
      ...(rest["feature"] === "sessions" ? { team: DAY_TEAM, name: agent } : {}),
      ...rest,
    }));
  for (const day of new Set(lines.map(({ at }) => at.slice(0, 10))))
    home.write(
      `.claude/swarm/journal/${day}.jsonl`,
      lines
        .filter(({ at }) => at.startsWith(day))
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    );
  writeTeam(home, time);
  return start;
}

function writeTeam(home: Home, time: (minutes: number) => string): void {
  home.write(`.claude/teams/${DAY_TEAM}/config.json`, {
    name: DAY_TEAM,
    leadAgentId: `team-lead@${DAY_TEAM}`,
    members: AGENTS.map(([name, agentType]) => ({ name, agentId: `${name}@${DAY_TEAM}`, agentType })),
  });
  for (const [agent] of AGENTS) {
    home.write(`.claude/swarm/sessions/${session(agent)}/session.json`, {
      session: session(agent),
      team: DAY_TEAM,
      agent,
      state: "idle",
      status: "done",
      startedAt: time(0),
      lastSeen: time(249),
    });
    const mail = MAIL.flatMap(([at, from, to, text, state], n) =>
      to === agent
        ? [{ id: `mail-${n}`, from, text, timestamp: time(at), read: state !== "queued", state }]
        : [],
    );
    home.write(`.claude/teams/${DAY_TEAM}/inboxes/${agent}.json`, mail);
  }
  for (const [id, subject, status, owner, blockedBy] of TASKS)
    home.write(`.claude/tasks/${DAY_TEAM}/${id}.json`, {
      id,
      subject,
      description: "",
      status,
      ...(owner ? { owner } : {}),
      blocks: [],
      blockedBy,
    });
}
