// What agents read: whose work it is, and the way out. Names of files and agents come from others and are shown as one clean line.
import { join } from "node:path";
import { cutAt, hasHidden, plainLine, shellQuoted, withoutTags } from "../core/text.ts";
import { age } from "../core/time.ts";
import type { Collision } from "./collisions.ts";
import type { LiveAgent } from "./store/agents.ts";
import type { Claim } from "./store/claims.ts";
import { firstNames } from "./store/first-names.ts";
import type { Tree } from "./store/repository.ts";

const LONGEST = 200;
const MOST_NAMED = 5;

/** The guard's marks for words that it cannot know. */
const UNKNOWN_WORDS = /[\uE000-\uE008]+/g;

export const shown = (text: string): string =>
  cutAt(withoutTags(plainLine(text)).replaceAll("`", "'").replace(UNKNOWN_WORDS, "…"), LONGEST);

/** As one word of a shell. */
export const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word));

/** A name that cannot be spelled in a command without being changed on the way. */
export const isSpellable = (name: string): boolean =>
  !hasHidden(name) && !/[\n\r\t`<\u0000-\u001f]/.test(name);

export const listed = (files: readonly string[]): string => firstNames(files.map(shown), MOST_NAMED);

type Reader = Pick<LiveAgent, "name" | "team">;

/** How to reach an agent; one outside a team has no mailbox. `own` is the asker's team: in another one a namesake may be. */
export function sendLine({ name, team }: Reader, message: string, own: string | undefined): string {
  if (!team) return `${shown(name)} is in no team and has no mailbox: ask the person at its screen`;
  const address = team === own ? name : `${name}@${team}`;
  return `\`swarm send ${quoted(shown(address))} ${quoted(shown(message).replaceAll("'", ""))}\``;
}

const branchShown = (branch: string | undefined) => (branch ? ` on branch ${shown(branch)}` : "");

export function foreignTree(
  file: string,
  tree: Tree,
  owner: LiveAgent,
  home: Tree | undefined,
  ownTeam: string | undefined,
): string {
  const own = home && home.common === tree.common ? ` Your own copy is ${shown(join(home.top, file))}.` : "";
  return `${shown(file)} is in ${shown(tree.top)}, where ${shown(owner.name)} works; you work in ${shown(home?.top ?? "another tree")}.${own} To have it changed there: ${sendLine(owner, `please change ${file}: …`, ownTeam)}.`;
}

export function foreignGit(
  verb: string,
  tree: Tree,
  owner: LiveAgent,
  home: Tree | undefined,
  ownTeam: string | undefined,
): string {
  return `\`git ${shown(verb)}\` would run in ${shown(tree.top)}, where ${shown(owner.name)} works; you work in ${shown(home?.top ?? "another tree")}. Reading there is fine (git status, log, diff, show). Otherwise: ${sendLine(owner, `please run git ${verb} in your tree: …`, ownTeam)}.`;
}

export function claimed(file: string, claim: Claim, ownTeam: string | undefined): string {
  const until = claim.until ? ` until ${claim.until.toISOString().slice(11, 16)} UTC` : "";
  const task = claim.task ? ` with task #${shown(claim.task.id)}` : "";
  const why = claim.why ? ` (${shown(claim.why)})` : "";
  return `${shown(file)} is claimed by ${shown(claim.name)}${task}${until}${why}: ${listed(claim.patterns)}. Ask before you change it: ${sendLine(claim, `may I change ${file}?`, ownTeam)}. \`swarm claims\` lists all claims; it ends when its owner releases it, ends, or finishes the task.`;
}

export const SHARED_CHECKOUT = "(setting: worktrees.shared_checkout)";

export const sweeping = (sweeper: LiveAgent | undefined, tree: Tree): string =>
  `${shown(sweeper?.name ?? "another agent")} is taking all changed files of ${shown(tree.top)} into a commit at this moment; what is written now would be in it. Do it again in a few seconds. ${SHARED_CHECKOUT}`;

export function collisions(found: readonly Collision[], now: Date, ownTeam: string | undefined): string {
  const lines = found.slice(0, MOST_NAMED).map((one) => collision(one, now, ownTeam));
  const more = found.length > MOST_NAMED ? [`${found.length - MOST_NAMED} more files likewise.`] : [];
  return [...lines, ...more, "(setting: worktrees.collisions)"].join("\n");
}

function collision(
  { file, owner, entry, at, isHere, hasRead }: Collision,
  now: Date,
  ownTeam: string | undefined,
): string {
  const when = `${age(new Date(at).toISOString(), now) || "0s"} ago`;
  const read = hasRead ? "after you last read it" : "and you have not read it";
  const name = shown(owner.name);
  if (isHere)
    return `${name} changed ${shown(file)} ${when} in this tree${branchShown(entry.branch)}, ${read}. Read it again before you write, so that this change is not lost. To agree on it: ${sendLine(owner, `I am about to change ${file}`, ownTeam)}.`;
  return `${name} changed ${shown(file)} ${when} in ${shown(entry.tree)}${branchShown(entry.branch)}: the two versions will have to be merged. To agree on it: ${sendLine(owner, `I am about to change ${file} too`, ownTeam)}.`;
}

/** `git` as it must be spelled from the agent's own directory. */
export const gitAt = (cwd: string, from: string): string => (cwd === from ? "git" : `git -C ${quoted(cwd)}`);
