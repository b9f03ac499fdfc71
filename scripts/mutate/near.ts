// Where the tests are that should notice a domain's mutants: in its folder (for machines also those against real servers), and those of
// its built verbs and hooks.
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  teammates: ["test/cli/lead", "test/cli/resume", "test/cli/spawn", "test/cli/teams"],
  worktrees: ["test/cli/spawn-worktree", "test/hooks/commits", "test/hooks/forecast"],
  machines: ["test/hooks/relay"],
};

/** Beginnings of paths. */
export const testsOf = (domain: string): string[] => [`test/${domain}/`, ...(ELSEWHERE[domain] ?? [])];
