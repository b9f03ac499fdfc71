// What a git command takes or moves, from its words alone, and which uncommitted files that concerns.
import { expect, test } from "vitest";
import { type Changed, concerned } from "../../lib/worktrees/checkout.ts";
import { type Intent, intentOf } from "../../lib/worktrees/git-commands.ts";

const FILES = new Set(["a.ts", "b.ts", "src", "."]);
const PROBE = { isPath: (word: string) => FILES.has(word), branch: "main" };

/** A word, or a text in single quotes. */
const wordsIn = (command: string) =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

function intentIn(command: string): Intent | undefined {
  const [verb = "", ...args] = wordsIn(command);
  return intentOf(verb, args, PROBE);
}

const files = (...paths: string[]): Intent => ({ kind: "files", paths });
const MOVE: Intent = { kind: "move" };
const SOME = "\uE003";
const stage = (tracked: boolean, ...paths: string[]): Intent => ({ kind: "stage", tracked, paths });

test.each<[string, Intent | undefined]>([
  ["add", undefined],
  ["add a.ts", stage(false, "a.ts")],
  ["stage a.ts", stage(false, "a.ts")],
  ["add -A", stage(false)],
  ["add --all", stage(false)],
  ["add --no-ignore-removal", stage(false)],
  ["add -u", stage(true)],
  ["add --update src", stage(true, "src")],
  ["add -p", stage(true)],
  ["add --patch", stage(true)],
  ["add -i", stage(false)],
  ["add -e", stage(false)],
  ["add -n .", undefined],
  ["add --dry-run .", undefined],
  ["add --refresh .", undefined],
  ["add --chmod +x a.ts", stage(false, "a.ts")],
  ["add --chmod=+x a.ts", stage(false, "a.ts")],
  ["add -- -A", stage(false, "-A")],
  ["add - a.ts", stage(false, "-", "a.ts")],
  ["add --help", undefined],
  ["add --interactive", stage(false)],
  ["add --edit", stage(false)],
  ["add --pathspec-from-file=list", stage(false, SOME)],
  ["add --pathspec-from-file list", stage(false, SOME)],
  ["checkout --pathspec-from-file=list", files(SOME)],
  ["reset --pathspec-from-file=list", files(SOME)],
  ["restore --pathspec-from-file=-", files(SOME)],
  ["stash push --pathspec-from-file=list", files(SOME)],
  ["checkout -p", files(":/")],
  ["restore -p", files(":/")],
  ["restore -p a.ts", files("a.ts")],
  ["update-index --add a.ts", stage(false, "a.ts")],
  ["update-index --stdin", stage(false, ":/")],
  ["update-index --again", stage(false, ":/")],
  ["update-index -q --refresh", undefined],
  ["update-index --skip-worktree a.ts", undefined],
  ["update-ref HEAD topic", MOVE],
  ["update-ref refs/heads/main topic", MOVE],
  ["update-ref refs/heads/topic main", undefined],
  ["clean -fdx", { kind: "clean", paths: [], ignored: "too" }],
  ["clean -fdX", { kind: "clean", paths: [], ignored: "only" }],
  ["add -h", undefined],
  ["checkout -b new", MOVE],
  ["checkout -B new main", MOVE],
  ["checkout --orphan new", MOVE],
  ["checkout --detach", MOVE],
  ["checkout -d", MOVE],
  ["checkout -t origin/x", MOVE],
  ["checkout --track origin/x", MOVE],
  ["checkout", undefined],
  ["checkout -f", MOVE],
  ["checkout --force", MOVE],
  ["checkout main", undefined],
  ["checkout -f main", { kind: "move", to: "main" }],
  ["checkout topic", { kind: "move", to: "topic" }],
  ["checkout topic --", { kind: "move", to: "topic" }],
  ["checkout main --", undefined],
  ["checkout --", files()],
  ["checkout -- a.ts", files("a.ts")],
  ["checkout topic -- a.ts", files("a.ts")],
  ["checkout a.ts", files("a.ts")],
  ["checkout a.ts b.ts", files("a.ts", "b.ts")],
  ["checkout topic b.ts", files("b.ts")],
  ["checkout --conflict merge a.ts", files("a.ts")],
  ["switch main", undefined],
  ["switch topic", { kind: "move", to: "topic" }],
  ["switch -f main", { kind: "move", to: "main" }],
  ["switch --force main", { kind: "move", to: "main" }],
  ["switch --discard-changes main", { kind: "move", to: "main" }],
  ["switch -c main", MOVE],
  ["switch -C main", MOVE],
  ["switch --create main", MOVE],
  ["switch --force-create main", MOVE],
  ["switch --orphan main", MOVE],
  ["switch -d", MOVE],
  ["switch --detach", MOVE],
  ["reset", MOVE],
  ["reset --hard", MOVE],
  ["reset --soft HEAD~1", MOVE],
  ["reset --mixed a.ts", MOVE],
  ["reset --keep a.ts", MOVE],
  ["reset --merge a.ts", MOVE],
  ["reset topic", MOVE],
  ["reset a.ts", files("a.ts")],
  ["reset a.ts b.ts", files("a.ts", "b.ts")],
  ["reset HEAD a.ts", files("a.ts")],
  ["reset --mixed HEAD a.ts", files("a.ts")],
  ["reset -- a.ts", files("a.ts")],
  ["reset HEAD --", MOVE],
  ["restore a.ts", files("a.ts")],
  ["restore -s topic a.ts", files("a.ts")],
  ["restore --source topic a.ts", files("a.ts")],
  ["rm a.ts", files("a.ts")],
  ["rm -n a.ts", undefined],
  ["mv --dry-run a.ts z.ts", undefined],
  ["mv a.ts z.ts", files("a.ts", "z.ts")],
  ["stash", MOVE],
  ["stash push", MOVE],
  ["stash pop", MOVE],
  ["stash pop a.ts", MOVE],
  ["stash push a.ts", files("a.ts")],
  ["stash push -m wip a.ts", files("a.ts")],
  ["stash -- a.ts", files("a.ts")],
  ["stash push -- a.ts", files("a.ts")],
  ["stash list", undefined],
  ["stash show", undefined],
  ["stash drop", undefined],
  ["clean -fd", { kind: "clean", paths: [] }],
  ["clean -f -e x src", { kind: "clean", paths: ["src"] }],
  ["clean -n", undefined],
  ["clean --dry-run", undefined],
  ["rebase topic", MOVE],
  ["rebase --continue", { kind: "staged" }],
  ["rebase --show-current-patch", undefined],
  ["rebase --edit-todo", undefined],
  ["merge topic", MOVE],
  ["merge --abort", { kind: "staged" }],
  ["cherry-pick topic", undefined],
  ["cherry-pick --skip", { kind: "staged" }],
  ["revert --quit", { kind: "staged" }],
  ["am --continue", { kind: "staged" }],
  ["symbolic-ref HEAD", undefined],
  ["symbolic-ref HEAD refs/heads/x", MOVE],
  ["bisect", undefined],
  ["bisect log", undefined],
  ["bisect start", MOVE],
  ["sparse-checkout", undefined],
  ["sparse-checkout list", undefined],
  ["sparse-checkout set src", MOVE],
  ["pull", MOVE],
  ["read-tree x", MOVE],
  ["worktree remove ../x", { kind: "tree", path: "../x" }],
  ["worktree move ../x ../y", { kind: "tree", path: "../x" }],
  ["worktree remove", { kind: "tree", path: "" }],
  ["worktree list", undefined],
  ["worktree", undefined],
  ["push", undefined],
])("git %s", (command, intent) => expect(intentIn(command)).toEqual(intent));

// The options of the call without -a and the names: the command that is spelled out has names of its own.
test.each<[string, boolean, boolean, string[], string]>([
  ["commit -m x", false, false, [], "-m x"],
  ["commit -a -m x", true, false, [], "-m x"],
  ["commit -am 'x y'", true, false, [], "-m x y"],
  ["commit --all -m x", true, false, [], "-m x"],
  ["commit -am -a", true, false, [], "-m -a"],
  ["commit -a --message -a", true, false, [], "--message -a"],
  ["commit -a --message=-a", true, false, [], "--message=-a"],
  ["commit -va", true, false, [], "-v"],
  ["commit -m x a.ts", false, true, ["a.ts"], "-m x"],
  ["commit -o -m x -- a.ts", false, true, ["a.ts"], "-m x"],
  ["commit --only -m x a.ts", false, true, ["a.ts"], "-m x"],
  ["commit -i -m x a.ts", false, false, ["a.ts"], "-m x"],
  ["commit --include -m x a.ts", false, false, ["a.ts"], "-m x"],
  ["commit --fixup HEAD a.ts", false, true, ["a.ts"], "--fixup HEAD"],
  ["commit --amend", false, false, [], "--amend"],
  ["commit -m x -s", false, false, [], "-m x -s"],
  ["commit -a -mfeat", true, false, [], "-m feat"],
  ["commit '-amx y a'", true, false, [], "-m x y a"],
  ["commit -qam x", true, false, [], "-q -m x"],
  ["commit -uall -Sabc -m x", false, false, [], "-uall -Sabc -m x"],
  ["commit --amend --only -m x", false, true, [], "--amend -m x"],
  ["commit -p -m x", true, false, [], "-p -m x"],
  ["commit --interactive", true, false, [], "--interactive"],
  ["commit -m x --pathspec-from-file list", false, true, ["\uE003"], "-m x"],
  ["commit -m x --pathspec-from-file=list", false, true, ["\uE003"], "-m x"],
])("git %s: all %s, only %s, paths %j, words %j", (command, all, only, paths, words) => {
  const { options, ...intent } = intentIn(command) as Extract<Intent, { kind: "commit" }>;
  expect({ ...intent, words: options.flat().join(" ") }).toEqual({ kind: "commit", all, only, paths, words });
});

test.each(["--dry-run", "--short", "--porcelain"])("git commit %s takes nothing", (flag) =>
  expect(intentIn(`commit ${flag}`)).toBeUndefined(),
);

const changed = (letters: string, file: string): Changed => ({
  index: letters.charAt(0),
  work: letters.charAt(1),
  file,
});
const CHANGED = [
  changed("M ", "staged.ts"),
  changed(" M", "work.ts"),
  changed("MM", "src/both.ts"),
  changed("??", "src/new.ts"),
  changed("??", "*.md"),
];
const TOP = "/r";

test.each<[string, string, string]>([
  ["add -A", "", "work.ts src/both.ts src/new.ts *.md"],
  ["add -u", "", "work.ts src/both.ts"],
  ["add .", "src", "src/both.ts src/new.ts"],
  ["add .", "", "work.ts src/both.ts src/new.ts *.md"],
  ["add ../work.ts", "src", "work.ts"],
  ["add src", "", "src/both.ts src/new.ts"],
  ["add sr", "", ""],
  ["add *.ts", "src", "src/both.ts src/new.ts"],
  ["add :/", "src", "work.ts src/both.ts src/new.ts *.md"],
  ["add :/work.ts", "src", "work.ts"],
  ["add :(top)work.ts", "src", "work.ts"],
  ["add :(literal)*.md", "", "*.md"],
  ["add :(literal)*.ts", "", ""],
  ["add -A :!src", "", "work.ts *.md"],
  ["add -A . :^src/new.ts", "", "work.ts src/both.ts *.md"],
  ["add -A :(exclude)work.ts", "", "src/both.ts src/new.ts *.md"],
  ["add -A :!new.ts", "src", "work.ts src/both.ts *.md"],
  ["add src :!src/new.ts", "", "src/both.ts"],
  ["commit -m x", "", "staged.ts src/both.ts"],
  ["commit -am x", "", "staged.ts work.ts src/both.ts"],
  ["commit -m x work.ts src/new.ts", "", "work.ts"],
  ["commit -i -m x work.ts", "", "staged.ts work.ts src/both.ts"],
  ["rebase --continue", "", "staged.ts src/both.ts"],
  ["clean -f", "", "src/new.ts *.md"],
  ["clean -f .", "src", "src/new.ts"],
  ["clean -fx", "", "src/new.ts *.md x.log"],
  ["clean -fX", "", "x.log"],
  ["add :(icase)WORK.TS", "", "work.ts"],
  ["add --pathspec-from-file=x", "", "work.ts src/both.ts src/new.ts *.md"],
  ["restore work.ts", "", "work.ts"],
  ["checkout --", "", ""],
  ["pull", "", "staged.ts work.ts src/both.ts src/new.ts *.md"],
  ["worktree remove ../x", "", ""],
])("git %s in /r/%s concerns: %s", (command, below, expected) => {
  const [verb = "", ...args] = wordsIn(command);
  const intent = intentOf(verb, args, { isPath: () => false, branch: undefined });
  if (!intent) throw new Error("no intent");
  const ignored = intent.kind === "clean" && intent.ignored ? [changed("!!", "x.log")] : [];
  const found = concerned(intent, [...CHANGED, ...ignored], TOP, `${TOP}/${below}`);
  expect(found.map(({ file }) => file).join(" ")).toBe(expected);
});
