// What agents read: whose work it is, and the way out. Names of files and agents come from others and are shown as one clean line.
import { join } from "node:path";
import { hasHidden, plainLine, withoutTags } from "../core/text.ts";
import { age } from "../core/time.ts";
import type { Collision } from "./collisions.ts";
import type { LiveAgent } from "./store/agents.ts";
import type { Claim } from "./store/claims.ts";
import { firstNames } from "./store/first-names.ts";
import type { Tree } from "./store/repository.ts";

const LONGEST = 200;
const MOST_NAMED = 5;

export const shown = (text: string): string =>
  withoutTags(plainLine(text)).replaceAll("`", "'").slice(0, LONGEST);

/** As one word of a shell. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A name that cannot be spelled in a command without being changed on the way. */
export const isSpellable = (name: string): boolean =>
  !hasHidden(name) && !/[\n\r\t`<\u0000-\u001f]/.test(name);

export const listed = (files: readonly string[]): string => firstNames(files.map(shown), MOST_NAMED);

/** How to reach an agent; one outside a team has no mailbox. */
export const sendLine = ({ name, team }: Pick<LiveAgent, "name" | "team">, message: string): string =>
  team
    ? `\`swarm send ${quoted(shown(name))} ${quoted(shown(message).replaceAll("'", ""))}\``
    : `${shown(name)} is in no team and has no mailbox: ask the person at its screen`;

const branchShown = (branch: string | undefined) => (branch ? ` on branch ${shown(branch)}` : "");

export function foreignTree(file: string, tree: Tree, owner: LiveAgent, home: Tree | undefined): string {
  const own = home && home.common === tree.common ? ` Your own copy is ${shown(join(home.top, file))}.` : "";
  return `${shown(file)} is in ${shown(tree.top)}, where ${shown(owner.name)} works; you work in ${shown(home?.top ?? "another tree")}.${own} To have it changed there: ${sendLine(owner, `please change ${file}: …`)}.`;
}

export function foreignGit(verb: string, tree: Tree, owner: LiveAgent, home: Tree | undefined): string {
  return `\`git ${shown(verb)}\` would run in ${shown(tree.top)}, where ${shown(owner.name)} works; you work in ${shown(home?.top ?? "another tree")}. Reading there is fine (git status, log, diff, show). Otherwise: ${sendLine(owner, `please run git ${verb} in your tree: …`)}.`;
}

export function claimed(file: string, claim: Claim): string {
  const until = claim.until ? ` until ${claim.until.toISOString().slice(11, 16)} UTC` : "";
  const task = claim.task ? ` with task #${shown(claim.task.id)}` : "";
  const why = claim.why ? ` (${shown(claim.why)})` : "";
  return `${shown(file)} is claimed by ${shown(claim.name)}${task}${until}${why}: ${listed(claim.patterns)}. Ask before you change it: ${sendLine(claim, `may I change ${file}?`)}. \`swarm claims\` lists all claims; it ends when its owner releases it, ends, or finishes the task.`;
}

export const SHARED_CHECKOUT = "(setting: worktrees.shared_checkout)";

export const sweeping = (sweeper: LiveAgent | undefined, tree: Tree): string =>
  `${shown(sweeper?.name ?? "another agent")} is taking all changed files of ${shown(tree.top)} into a commit at this moment; what is written now would be in it. Do it again in a few seconds. ${SHARED_CHECKOUT}`;

export function collisions(found: readonly Collision[], now: Date): string {
  const lines = found.slice(0, MOST_NAMED).map((one) => collision(one, now));
  const more = found.length > MOST_NAMED ? [`${found.length - MOST_NAMED} more files likewise.`] : [];
  return [...lines, ...more, "(setting: worktrees.collisions)"].join("\n");
}

function collision({ file, owner, entry, at, isHere, hasRead }: Collision, now: Date): string {
  const when = `${age(new Date(at).toISOString(), now) || "0s"} ago`;
  const read = hasRead ? "after you last read it" : "and you have not read it";
  const name = shown(owner.name);
  if (isHere)
    return `${name} changed ${shown(file)} ${when} in this tree${branchShown(entry.branch)}, ${read}. Read it again before you write, so that this change is not lost. To agree on it: ${sendLine(owner, `I am about to change ${file}`)}.`;
  return `${name} changed ${shown(file)} ${when} in ${shown(entry.tree)}${branchShown(entry.branch)}: the two versions will have to be merged. To agree on it: ${sendLine(owner, `I am about to change ${file} too`)}.`;
}

/** `git` as it must be spelled from the agent's own directory. */
export const gitAt = (cwd: string, from: string): string => (cwd === from ? "git" : `git -C ${quoted(cwd)}`);
