// `swarm` commands about one repository with many agents.
import { command } from "../cli/command.ts";
import { WORKTREE_VERB_FLAGS, worktreeVerb } from "./worktree-verb.ts";

export const commands = [
  command({
    name: "worktree",
    summary: "the worktrees of teammates: list, path, remove",
    usage: `swarm worktree [list [--all]] | path NAME | remove NAME [--force] [--team TEAM]
list shows each worktree that \`swarm spawn --worktree\` made in this repository (--all: in every one), with the work in it that
is nowhere else. path prints where it is. remove takes it away when it is clean and all its commits are on another branch, a tag or
a remote; otherwise it says what would be lost. --force then saves a patch first and keeps the branch.`,
    flags: WORKTREE_VERB_FLAGS,
    words: { list: 0, path: 1, remove: 1 },
    run: worktreeVerb,
  }),
];
