// Verbs of git that change neither files nor the index nor what is checked out. In another agent's tree anything else is a change.

const READS =
  "status log diff show blame annotate ls-files ls-tree ls-remote rev-parse rev-list cat-file describe shortlog grep reflog remote fetch var help version name-rev merge-base merge-tree for-each-ref show-ref show-branch diff-tree diff-index diff-files count-objects fsck archive bundle check-ignore check-attr check-mailmap check-ref-format whatchanged range-diff cherry difftool push notes format-patch config hash-object write-tree commit-tree mktree verify-commit verify-tag verify-pack stripspace interpret-trailers request-pull credential maintenance gc repack prune pack-refs bugreport diagnose branch tag";

/** Of other verbs, the first words that only show something. */
const SHOWS =
  /^(worktree list|stash (list|show)|submodule (status|summary)|bisect log|sparse-checkout list)$/;

let reads: ReadonlySet<string> | undefined;

export function isGitRead(verb: string, args: readonly string[]): boolean {
  reads ??= new Set(READS.split(" "));
  return verb === "" || reads.has(verb) || SHOWS.test(`${verb} ${args[0]}`);
}
