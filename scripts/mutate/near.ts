// Where the tests are that should notice a domain's mutants: in its folder (for machines also those against real servers), and those of
// its built verbs and hooks; last those of all foreign text, which notice a missing escape.
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  efforts: ["test/cli/effort", "test/hooks/effort"],
  hook: ["test/hooks/every-payload", "test/hooks/guard"],
  mail: ["test/cli/mail", "test/cli/wake", "test/hooks/mail"],
  ops: ["test/cli/bug-report", "test/cli/doctor", "test/cli/gc", "test/cli/report"],
  scratchpad: ["test/hooks/scratchpad"],
  sessions: ["test/cli/speaker", "test/hooks/every-payload"],
  tasks: ["test/cli/task", "test/hooks/tasks"],
  teams: ["test/cli/status", "test/cli/teams"],
  teammates: ["test/cli/lead", "test/cli/resume", "test/cli/spawn", "test/cli/teams"],
  worktrees: [
    "test/cli/spawn-worktree",
    "test/hooks/commits",
    "test/hooks/forecast",
    "test/hooks/shared-checkout",
  ],
  machines: ["test/hooks/relay"],
};

/** Beginnings of paths. */
export const testsOf = (domain: string): string[] => [
  `test/${domain}/`,
  ...(ELSEWHERE[domain] ?? []),
  "test/foreign-text",
];
