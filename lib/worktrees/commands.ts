// `swarm` commands about one repository with many agents.
import { command } from "../cli/command.ts";
import { claimsVerb, claimVerb, releaseVerb, runsVerb, worktreeVerb } from "./verbs.ts" with {
  loading: "lazy",
};

// The code of the verbs is a lazy part, which takes only types from here.
export const CLAIM_FLAGS = { for: "text", why: "text", as: "text" } as const;
export const RELEASE_FLAGS = { as: "text" } as const;
export const RUNS_FLAGS = { all: "switch", last: "text" } as const;

export const WORKTREE_VERB_FLAGS = {
  team: "text",
  all: "switch",
  force: "switch",
  "if-due": "switch",
  "session-id": "text",
} as const;

export const commands = [
  command({
    name: "worktree",
    summary: "the worktrees of teammates: list, path, remove; forecast of merge conflicts",
    usage: `swarm worktree [list [--all]] | path NAME | remove NAME [--force] [--team TEAM] | forecast
list shows each worktree that \`swarm spawn --worktree\` made in this repository (--all: in every one), with the work in it that
is nowhere else. path prints where it is. remove takes it away when it is clean and all its commits are on another branch, a tag or
a remote; otherwise it says what would be lost. --force then saves a patch first and keeps the branch.
forecast merges the state of all trees in which live agents work, uncommitted changes included, pair by pair and without touching
the repository, and names the files that would conflict. It runs by itself after a turn, at most every two minutes.`,
    flags: WORKTREE_VERB_FLAGS,
    team: "data", // a worktree outlives its team
    words: { list: 0, path: 1, remove: 1, forecast: 0 },
    run: worktreeVerb,
  }),
  command({
    name: "runs",
    summary: "the last test and build runs, and whether others changed files during them",
    usage: `swarm runs [--last N] [--all]
Each run of an agent in this repository (--all: in every one): its id, the exit code, a fingerprint of the tree (the commit, and a
hash of what was not committed), and \`clean\` or \`void\`: others changed files of the tree while it ran. Which commands count: worktrees.runs.`,
    flags: RUNS_FLAGS,
    run: runsVerb,
  }),
  command({
    name: "claim",
    summary: "ask others to leave files alone for a while",
    usage: `swarm claim PATH|GLOB… [--for 30m] [--why TEXT] [--as NAME]
Other agents' writes to these files, by tool or shell, are then put to the person, or refused where nobody can answer. A claim ends
with its time, when you release it, or when your session is proven to have ended; a person's after an hour. Patterns are compared
one path segment at a time: \`*\` stays inside a segment, \`**\` does not; a directory stands for all below it. Exit code 1 when it overlaps
with another's claim. --as NAME in an in-process teammate, which shares its lead's shell.`,
    flags: CLAIM_FLAGS,
    words: "any",
    run: claimVerb,
  }),
  command({
    name: "claims",
    summary: "which files are claimed in this repository, and by whom",
    usage: `swarm claims
Claims by \`swarm claim\`, and the files of tasks that somebody works on.`,
    run: claimsVerb,
  }),
  command({
    name: "release",
    summary: "end your claims",
    usage: `swarm release [PATH|GLOB…] [--as NAME]
Those that are named, or all of yours in this repository.`,
    flags: RELEASE_FLAGS,
    words: "any",
    run: releaseVerb,
  }),
];
