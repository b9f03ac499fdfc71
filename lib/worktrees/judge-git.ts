// git commands in a checkout where another live agent has uncommitted work: those that would take it into a commit, and those that
// would move the branch or the files under it, are refused with whose work it is and the way out.
import { existsSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { realPath, statIfThere } from "../core/files.ts";
import { isGlob } from "../core/glob.ts";
import { elapsedMs, sleepSync } from "../core/process.ts";
import { cutAt } from "../core/text.ts";
import type { GitCall } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";
import { runGit } from "../system/git.ts";
import { askOrDeny } from "./ask-or-deny.ts";
import {
  type Changed,
  concerned,
  type Foreign,
  isNamed,
  isStaged,
  isUnstaged,
  isUntracked,
  type Ownership,
  ownersOf,
  uncommittedIn,
} from "./checkout.ts";
import { type Intent, intentOf, type Option } from "./git-commands.ts";
import type { Shared } from "./judge-shared.ts";
import { giveBackTurn, takeTurn } from "./store/index-turn.ts";
import { branchOf, type Tree, treeOf } from "./store/repository.ts";
import { gitAt, isSpellable, listed, quoted, SHARED_CHECKOUT, sendLine, shown } from "./text.ts";

type Called = GitCall & { tree: Tree };

/** Files that earlier git calls of the same command will have staged. */
type ToBeStaged = Set<string>;

export function judgeGit(shared: Shared): Outcome | undefined {
  const { ctx } = shared;
  const choice = ctx.settings["worktrees.shared_checkout"];
  if (choice === "off") return undefined;
  const staged: ToBeStaged = new Set();
  let note: Outcome | undefined;
  for (const given of shared.git) {
    if (!shared.others(given.tree).isAny()) continue;
    const call = { ...given, cwd: realPath(given.cwd) };
    const intent = intentOf(call.verb, call.args, {
      isPath: (word) => word === "." || isGlob(word) || isFile(word, call, shared),
      branch: branchOf(call.tree),
    });
    if (!intent || intent.kind === "tree") continue;
    const outcome = judgeIntent(call, intent, shared, staged);
    if (outcome?.deny !== undefined)
      return choice === "ask" ? askOrDeny(ctx, outcome.deny, outcome.rule ?? "") : outcome;
    note ??= outcome;
  }
  return note;
}

/** Of a command that is refused after all, in every tree that it would have worked in. */
export function giveBackTurns({ ctx, git, key }: Shared): void {
  for (const { tree } of git) giveBackTurn(ctx.paths, tree, key);
}

/** `git checkout` brings back a file that was deleted, without `--` before its name. */
function isFile(word: string, { verb, cwd }: Called, { ctx }: Shared): boolean {
  if (existsSync(resolve(cwd, word))) return true;
  if (verb !== "checkout" || !isSpellable(word)) return false;
  return runGit(["ls-files", "--", word], { cwd, env: ctx.env, limitMs: LS_FILES_MS }).stdout !== "";
}

const LS_FILES_MS = 3_000;

/** Where `git worktree remove` or `move` would reach: git also takes the end of a worktree's path for its name. */
export function removedTree(
  args: readonly string[],
  cwd: string,
  tree: Tree,
  { others }: Shared,
): Tree | undefined {
  const intent = intentOf("worktree", args, { isPath: () => false, branch: undefined });
  if (intent?.kind !== "tree") return tree;
  const end = `${sep}${intent.path.replace(/\/+$/, "")}`;
  const named = others(tree)
    .all()
    .find(({ tree: top }) => top.endsWith(end));
  return treeOf(named?.tree ?? resolve(cwd, intent.path));
}

/** The commands that work with the index, which all agents of a tree share. */
const USES_INDEX = new Set(["stage", "commit", "staged", "files"]);

function judgeIntent(call: Called, intent: Intent, shared: Shared, staged: ToBeStaged): Outcome | undefined {
  const { ctx, key, others } = shared;
  const { tree } = call;
  const live = others(tree).all();
  const wide = isWide(intent, call.cwd);
  if (USES_INDEX.has(intent.kind) && live.some(({ tree: top }) => top === tree.top)) {
    const holder = waitForTurn(shared, tree, wide);
    if (holder !== undefined) return { deny: busy(call, holder, shared), rule: "worktrees:busy-index" };
  }
  const ignored = intent.kind === "clean" && intent.ignored !== undefined;
  const changed = uncommittedIn(tree, ctx.env, { ignored });
  if (typeof changed === "string") {
    if (changed !== TOO_LATE || !(wide || intent.kind === "move" || isWholeCommit(intent)))
      return { context: unchecked(call, changed) };
    return { deny: tooLate(call), rule: ruleOf(intent) };
  }
  const owned = ownersOf(ctx, tree, changed, key, live);
  const files = new Set(concerned(intent, changed, tree.top, call.cwd).map(({ file }) => file));
  const isAsked = isMineByName(call, intent);
  const foreign = owned.foreign.filter((one) => files.has(one.changed.file) && !isAsked(one));
  if (foreign.length === 0) {
    if (intent.kind === "stage") for (const file of files) staged.add(file);
    return undefined;
  }
  const found: Found = { owned: { ...owned, foreign }, files, staged };
  return { deny: refusal(call, intent, found, shared), rule: ruleOf(intent) };
}

/** What several agents have changed is for its last writer to commit, by its name: else no one could. */
const isMineByName =
  ({ tree, cwd }: Called, intent: Intent) =>
  ({ changed, myWrite }: Foreign) =>
    myWrite === "last" &&
    (intent.kind === "stage" || intent.kind === "commit") &&
    isNamed(changed.file, intent.paths, tree.top, cwd);

const ruleOf = ({ kind }: Intent) =>
  kind === "stage" || kind === "commit" ? "worktrees:sweep" : "worktrees:move";

const WAIT_MS = 1_200;
const PAUSE_MS = 60;

/** Which files it takes depends on what lies there when it runs. */
function isWide(intent: Intent, cwd: string): boolean {
  if (intent.kind === "commit") return intent.all;
  if (intent.kind !== "stage") return false;
  const isOneFile = (path: string) =>
    /\.\w+$/.test(path) && !isGlob(path) && !statIfThere(resolve(cwd, path))?.isDirectory();
  return intent.paths.length === 0 || !intent.paths.every(isOneFile);
}

function waitForTurn({ ctx, key }: Shared, tree: Tree, wide: boolean): string | undefined {
  const begun = elapsedMs();
  for (;;) {
    const waited = elapsedMs() - begun;
    const now = new Date(ctx.now.getTime() + waited);
    const holder = takeTurn(ctx.paths, tree, { by: key, call: ctx.input.tool_use_id, isWide: wide }, now);
    if (holder === undefined || waited > WAIT_MS) return holder;
    sleepSync(PAUSE_MS);
  }
}

const nameOf = (key: string, { others }: Shared, tree: Tree) =>
  shown(others(tree).withKey(key)?.name ?? "another agent");

const busy = (call: Called, holder: string, shared: Shared) =>
  `${nameOf(holder, shared, call.tree)} is running a git command on the index of ${shown(call.tree.top)} at this moment; both would commit together. Run it again in a few seconds. ${SHARED_CHECKOUT}`;

const unchecked = (call: Called, why: string) =>
  `Not checked whether \`git ${shown(call.verb)}\` touches other agents' work in ${shown(call.tree.top)}: ${shown(why)}.`;

/** What lib/system/git.ts says of a git that was ended. */
const TOO_LATE = "git did not answer in time";
const isWholeCommit = (intent: Intent) => intent.kind === "commit" && !intent.only;

const tooLate = (call: Called) =>
  `It is not known whether \`git ${shown(call.verb)}\` would take other agents' work in ${shown(call.tree.top)}: git did not answer in time. Run it again, or name your own files. ${SHARED_CHECKOUT}`;

interface Found {
  owned: Ownership;
  /** Those that the command would take, move or lose. */
  files: ReadonlySet<string>;
  staged: ToBeStaged;
}

function refusal(call: Called, intent: Intent, found: Found, shared: Shared): string {
  const what = `\`git ${cutAt(shown([call.verb, ...call.args].join(" ")), 80)}\` ${WOULD[intent.kind]}`;
  return [
    `${what}: ${whose(found.owned)}, uncommitted in ${shown(call.tree.top)}.`,
    wayOut(call, intent, found, shared),
    SHARED_CHECKOUT,
  ].join(" ");
}

const WOULD: Record<Intent["kind"], string> = {
  stage: "would stage others' work",
  commit: "would commit others' work",
  move: "would move the branch or the files under others' work",
  files: "would change others' work",
  staged: "would take or drop what others have staged",
  clean: "would delete others' work",
  tree: "would remove another agent's tree",
};

/** `bob: b.ts, c.ts; cid: d.ts`. */
function whose({ foreign }: Ownership): string {
  const names = [...new Set(foreign.map(({ owner }) => owner.name))];
  return names
    .map((name) => {
      const own = foreign.filter(({ owner }) => owner.name === name);
      return `${shown(name)} has ${listed(own.map(({ changed }) => changed.file))}`;
    })
    .join("; ");
}

function wayOut(call: Called, intent: Intent, found: Found, shared: Shared): string {
  const [first] = found.owned.foreign;
  const message = `please commit your files in ${call.tree.top}: …`;
  const ask = first ? sendLine(first.owner, message, shared.ctx.record?.team) : "";
  if (intent.kind === "stage" || intent.kind === "commit") return ownFiles(call, intent, found, shared, ask);
  if (intent.kind === "move" && intent.unstages) {
    const own = namesOf(found.owned.mine.filter(isStaged), call);
    const git = gitAt(call.cwd, realPath(shared.ctx.cwd));
    if (own) return `Unstage only your own: \`${git} reset -- ${own}\`.`;
  } else if (intent.kind === "move") {
    const at = quoted(resolve(dirname(call.tree.top), `${basename(call.tree.top)}-${shown(myName(shared))}`));
    const target =
      intent.to && isSpellableWord(intent.to) && !intent.to.startsWith("-") ? ` ${quoted(intent.to)}` : "";
    return `Work in a tree of your own: \`${gitAt(call.cwd, realPath(shared.ctx.cwd))} worktree add ${at}${target}\`. Or: ${ask}. Do not stash: the stash is shared by all trees.`;
  }
  return `Name only your own files, or: ${ask}.`;
}

function ownFiles(
  call: Called,
  intent: Extract<Intent, { kind: "stage" | "commit" }>,
  { owned, files, staged }: Found,
  { ctx }: Shared,
  ask: string,
): string {
  if (isMidMerge(call.tree) && intent.kind === "commit")
    return `A merge is under way here, which can only be committed whole: ${ask}.`;
  const own =
    intent.kind === "commit"
      ? owned.mine.filter((one) => staged.has(one.file) || (files.has(one.file) && !isUntracked(one)))
      : owned.mine.filter(({ file }) => files.has(file));
  const command = ownCommand(call, intent, own, realPath(ctx.cwd));
  const isPart =
    intent.kind === "commit" && !intent.all && own.some((one) => isStaged(one) && isUnstaged(one));
  const whole = command && isPart ? " It takes these files whole, not only what is staged of them." : "";
  const rest = owned.unowned.filter(({ file }) => files.has(file)).map(({ file }) => file);
  const more =
    rest.length > 0
      ? ` Files that no agent is known to have written (${listed(rest)}): name those that are yours.`
      : "";
  const written = (when: Foreign["myWrite"]) => [
    ...new Set(owned.foreign.filter(({ myWrite }) => myWrite === when).map(({ changed }) => changed.file)),
  ];
  const [last, earlier] = [written("last"), written("earlier")];
  if (last.length > 0)
    return `${command ? `Take what is yours alone: \`${command}\`.${whole} ` : ""}You changed ${listed(last)} last: to take it with the other's lines, name it; or: ${ask}.${more}`;
  if (command) return `Take only your own: \`${command}\`.${whole}${more}`;
  if (intent.kind === "commit" && intent.options.some(([word]) => word === "--amend"))
    return `To change only the last commit's message, add \`--only\`.${more} Or: ${ask}.`;
  const none =
    earlier.length > 0
      ? `You changed ${listed(earlier)} too, but not last: its last writer can commit it, with your lines in it.`
      : "None of the files is known to be yours.";
  return `${none}${more} Or: ${ask}.`;
}

const myName = ({ ctx, key }: Shared) => ctx.record?.agent ?? key.slice(0, 8);

const isMidMerge = ({ gitDir }: Tree) => existsSync(`${gitDir}/MERGE_HEAD`);

/** More would not be read; the agent then names its files itself. */
const MOST_SPELLED = 60;

/** Exactly one's own files: staged by name, and committed by name, whatever else is in the index. */
function ownCommand(
  call: Called,
  intent: Extract<Intent, { kind: "stage" | "commit" }>,
  own: readonly Changed[],
  from: string,
): string | undefined {
  const names = namesOf(own, call);
  if (names === undefined) return undefined;
  const git = gitAt(call.cwd, from);
  if (intent.kind === "stage") return `${git} add -- ${names}`;
  const commit = [git, "commit", ...intent.options.flatMap(spelledOption)].join(" ");
  const fresh = namesOf(own.filter(isUntracked), call);
  return `${fresh ? `${git} add -- ${fresh} && ` : ""}${commit} -- ${names}`;
}

/** Nothing where there are none, too many, or one that cannot be spelled. */
function namesOf(files: readonly Changed[], call: Called): string | undefined {
  const isSpelled = files.length <= MOST_SPELLED && files.every(({ file }) => isSpellable(file));
  return isSpelled && files.length > 0 ? files.map(({ file }) => pathspec(file, call)).join(" ") : undefined;
}

/** A message that cannot be spelled, or that comes from the command's input, is left to the agent. */
function spelledOption(option: Option): string[] {
  const isMessage = /^(-m|-F|--message|--file)(=|$)/.test(option[0] ?? "");
  const isSpelled = option.every(isSpellableWord) && !/^(--file=)?-$/.test(option.at(-1) ?? "");
  if (isSpelled) return option.map(quoted);
  return isMessage ? ["-m", quoted("your message")] : [];
}

/** Marks of the guard for what it cannot know, and what would not survive on its way through a model's eyes. */
const isSpellableWord = (word: string) =>
  word.length < 500 && !/[\uE000-\uE008]/.test(word) && isSpellable(word);

/** As git is to read it from where it runs, and literally. */
function pathspec(file: string, { tree, cwd }: Called): string {
  const way = relative(cwd, resolve(tree.top, file)).split(sep).join("/");
  return quoted(isGlob(way) || way.startsWith(":") ? `:(top,literal)${file}` : way);
}
