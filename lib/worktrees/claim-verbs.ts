// `swarm claim`, `swarm claims`, `swarm release`: files that others are asked to leave alone.
import { relative, resolve, sep } from "node:path";
import { badCall, type Call } from "../cli/command.ts";
import { realPath } from "../core/files.ts";
import { appendCommand } from "../core/journal.ts";
import { plainLine, plainLines } from "../core/text.ts";
import { age, DAY_MS, HOUR_MS } from "../core/time.ts";
import { shownAs } from "../hook/context.ts";
import { readSubagents } from "../sessions/store/sessions.ts";
import type { CLAIM_FLAGS, RELEASE_FLAGS } from "./commands.ts";
import { type Agent, keyOf } from "./store/agents.ts";
import { activeClaims, addClaim, BY_PERSON, type Claim, releaseClaims } from "./store/claims.ts";
import { plainPattern, whyNotPattern } from "./store/patterns.ts";
import { type Tree, treeOf } from "./store/repository.ts";

type ClaimCall = Call<typeof CLAIM_FLAGS>;

export function claimVerb(call: ClaimCall) {
  if (call.words.length === 0) throw badCall("which files? swarm claim PATH|GLOB…");
  const { paths, now, flags } = call;
  const tree = treeIn(call);
  const by = claimantOf(call);
  const patterns = call.words.map((word) => patternIn(word, call, tree));
  const until = endOf(flags.for, now, by);
  const conflicts = addClaim(paths, tree, now, { by, patterns, until, why: flags.why });
  if (conflicts.length > 0)
    return {
      text: plainLines([
        "Nothing was claimed: it overlaps with another claim.",
        ...conflicts.map((one) => lineOf(one, now)),
      ]),
      data: { claimed: false, conflicts },
      exitCode: 1,
    };
  note(call, "claim", patterns);
  const end = until ? `until ${until.toISOString().slice(0, 16)}Z` : "until you release it or end";
  return {
    text: plainLines([`claimed ${patterns.join(" ")}, ${end}`]),
    data: { claimed: true, patterns, until },
  };
}

export function claimsVerb(call: Call<Record<never, never>>) {
  const claims = activeClaims(call.paths, treeIn(call), call.now);
  return {
    text: plainLines(claims.map((one) => lineOf(one, call.now))) || "No claims in this repository.",
    data: claims,
  };
}

export function releaseVerb(call: Call<typeof RELEASE_FLAGS>) {
  const tree = treeIn(call);
  const patterns = call.words.map((word) => patternIn(word, call, tree));
  const released = releaseClaims(call.paths, tree, call.now, claimantOf(call), patterns);
  if (released.length === 0)
    return { text: "You hold no such claim; swarm claims lists all.", data: { released }, exitCode: 1 };
  note(call, "release", released);
  return { text: plainLines([`released ${released.join(" ")}`]), data: { released } };
}

function treeIn({ cwd }: { cwd: string }): Tree {
  const tree = treeOf(cwd);
  if (!tree) throw new Error(`${cwd} is in no git repository`);
  return tree;
}

/** Relative to the working directory, as a shell would take it; kept relative to the top level, with links followed. */
function patternIn(word: string, { cwd }: { cwd: string }, { top }: Tree): string {
  const pattern =
    relative(top, realPath(resolve(cwd, word)))
      .split(sep)
      .join("/") || "**";
  const why = whyNotPattern(pattern);
  if (why) throw badCall(`${JSON.stringify(plainLine(word))} ${why}`);
  return plainPattern(pattern);
}

const UNITS: Record<string, number> = { m: 60_000, h: HOUR_MS, d: DAY_MS };
const PERSON_MS = HOUR_MS;
const LONGEST_MS = 7 * DAY_MS;

/** An agent's claim ends at the latest with the agent; a person's, who does not end, after an hour. */
function endOf(given: string | undefined, now: Date, by: string): Date | undefined {
  if (given === undefined) return by === BY_PERSON ? new Date(now.getTime() + PERSON_MS) : undefined;
  const [, number, unit = ""] = /^(\d{1,5})\s*([mhd])$/.exec(given) ?? [];
  const ms = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (!(ms > 0 && ms <= LONGEST_MS)) throw badCall("--for is a time like 30m, 2h or 1d, at most 7d");
  return new Date(now.getTime() + ms);
}

function claimantOf(call: Call<typeof RELEASE_FLAGS>): string {
  if (call.identity.kind === "person" || !call.session) {
    if (call.flags.as !== undefined) throw badCall("--as names an agent inside the calling session");
    return BY_PERSON;
  }
  return keyOf(agentIn(call, call.session));
}

/** In-process teammates share their lead's shell. */
function agentIn({ paths, flags }: Call<typeof RELEASE_FLAGS>, session: string): Agent {
  if (flags.as === undefined) return { session };
  const inside = readSubagents(paths, session).find(({ agent }) => agent === flags.as);
  if (!inside?.agentId) throw badCall(`--as: no agent ${plainLine(flags.as)} runs in this session`);
  return { session, agentId: inside.agentId };
}

function lineOf({ name, patterns, until, why, task, at }: Claim, now: Date): string {
  const end = until ? `  until ${until.toISOString().slice(0, 16)}Z` : "";
  const by = task ? `${name}, task #${task.id}` : name;
  return `${patterns.join(" ")}  ${by}  since ${age(at.toISOString(), now)}${end}${why ? `  ${why}` : ""}`;
}

const note = (call: Call<Record<never, never>>, what: string, files: readonly string[]): void =>
  appendCommand(call, {
    agent: shownAs(call.identity, call.session),
    feature: "worktrees",
    what,
    files,
  });
