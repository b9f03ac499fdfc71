// git, by its command. Every git we start comes through `runGit`: arguments as a list, a time limit, a bound on what it prints, and
// nothing of the repository's own configuration that would run a program. A repository may be a stranger's.

import type { SpawnSyncOptions } from "node:child_process";
import { statIfThere } from "../core/files.ts";
import { addTo } from "../core/lists.ts";
import type { Env } from "../core/process.ts";
import { endGroup } from "./processes.ts";

export interface GitCall {
  cwd: string;
  env: Env;
  /** In a verb: the person's own configuration holds (identity, ssh, credentials, LFS), not only the repository's harmless part. */
  asPerson?: boolean;
  /** May talk to a remote: fetch, push. Everything else is kept from the network, a partial clone's missing objects included. */
  network?: boolean;
  /** Another index than the repository's own. */
  index?: string;
  /** New objects go here instead of into the repository, whose own (`from`) stay readable. */
  objects?: { to: string; from: string };
  input?: string;
  limitMs?: number;
  longestBytes?: number;
}

export interface GitAnswer {
  ok: boolean;
  /** Git's own exit code, where it ended by itself: some verbs answer a question with it. */
  code?: number;
  stdout: string;
  stderr: string;
  /** What kept git from answering, where that was not git itself: no git, too late, too much output. */
  why?: string;
}

const GIT_LIMIT_MS = 1_500;
const LONGEST_ANSWER_BYTES = 64 * 1024;
const LONGEST_CONFIG_BYTES = 1024 * 1024;

export function runGit(args: readonly string[], call: GitCall): GitAnswer {
  const begun = performance.now();
  const limitMs = call.limitMs ?? GIT_LIMIT_MS;
  const listed = start(["config", "--list", "--show-scope", "-z"], ALWAYS, {
    ...call,
    network: false,
    input: undefined,
    limitMs,
    longestBytes: LONGEST_CONFIG_BYTES,
  });
  if (!listed.ok) return listed;
  if (call.network && namesProgramOfRemote(listed.stdout)) {
    const why = "the repository names a program of its own for a remote";
    return { ok: false, stdout: "", stderr: "", why };
  }
  return start(withSafeOptions(args), [...ALWAYS, ...overridesFor(listed.stdout)], {
    ...call,
    limitMs: Math.max(1, Math.ceil(limitMs - (performance.now() - begun))),
  });
}

type Setting = readonly [key: string, value: string];

/** These hold whatever any configuration says. `safe.bareRepository` keeps a directory that only looks like a repository from being one. */
const ALWAYS: readonly Setting[] = [
  ["safe.bareRepository", "explicit"],
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["log.showSignature", "false"],
  ["merge.verifySignatures", "false"],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["push.gpgSign", "false"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["push.recurseSubmodules", "no"],
  ["status.submoduleSummary", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
];

const IS_SUBMODULE_UPDATE = /^submodule\..*\.update$/;
const IS_REQUIRED = /^filter\..*\.required$/;
/** Git LFS reads git's configuration too; the server may choose any transfer that has a name. */
const IS_LFS_TRANSFER = /^lfs\.customtransfer\..*\.path$/;
/** Keys whose value is a program or a command, most of them by the end of their name. */
const RISKY = [
  /^pager\./,
  IS_REQUIRED,
  IS_SUBMODULE_UPDATE,
  IS_LFS_TRANSFER,
  /(command|cmd|program|hook|helper|pager|editor|askpass|gitproxy|external|textconv|clean|smudge|process|driver|difffilter)$/,
];

/** What takes the place of a repository's program where the person has none; otherwise an empty value, which git takes for none. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/^merge\..*\.driver$/, "false"], // an empty one would end in a merge that says it went well
  [/program$/, "false"],
  [IS_LFS_TRANSFER, "false"],
  [/pager$/, "cat"],
  [/editor$/, "true"],
  [IS_REQUIRED, "false"],
  [IS_SUBMODULE_UPDATE, "checkout"],
];

/** From `git config --list --show-scope -z`: what must be said on the command line so that the repository's programs do not count. */
export function overridesFor(listing: string): Setting[] {
  const fields = listing.split("\0");
  const own = new Set<string>();
  const persons = new Map<string, string[]>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, entry = ""] = [fields[at], fields[at + 1]];
    const split = entry.indexOf("\n");
    const key = split < 0 ? entry : entry.slice(0, split);
    if (scope === "command" || !RISKY.some((pattern) => pattern.test(key))) continue;
    if (scope === "local" || scope === "worktree") own.add(key);
    else addTo(persons, key, split < 0 ? "true" : entry.slice(split + 1));
  }
  return [...own].flatMap((key) => {
    const instead = INSTEAD.find(([pattern]) => pattern.test(key))?.[1] ?? "";
    const values = persons.get(key) ?? [instead];
    // An empty value first clears a list, such as that of credential helpers.
    return (key.endsWith("helper") ? ["", ...values] : values).map((value): Setting => [key, value]);
  });
}

/** git takes the first of these that it meets, so nothing said on the command line takes their place. */
const namesProgramOfRemote = (listing: string) =>
  /(^|\0)(local|worktree)\0remote\.[^\n\0]*\.(uploadpack|receivepack|vcs)(\n|\0)/.test(listing);

const DIFFS = ["diff", "log", "show", "diff-tree", "diff-index", "diff-files", "format-patch", "range-diff"];

/** A submodule is another repository with a configuration of its own, which git would read in a process of its own. */
function withSafeOptions([verb = "", ...rest]: readonly string[]): string[] {
  const options = [
    ...(DIFFS.includes(verb) ? ["--no-ext-diff", "--no-textconv"] : []),
    ...(DIFFS.includes(verb) || verb === "status" ? ["--ignore-submodules=all"] : []),
  ];
  return [verb, ...options, ...rest];
}

/** What a person's shell may say to git in a verb: who they are and how to reach their remotes. */
const PERSONS_VARIABLES =
  /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_\w+|(AUTHOR|COMMITTER)_(NAME|EMAIL)|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM))$/;

function environmentFor(
  { env, asPerson, network, index, objects }: GitCall,
  settings: readonly Setting[],
): Env {
  const kept = Object.entries(env).filter(
    ([name]) =>
      !name.startsWith("GIT_") ||
      name === "GIT_CEILING_DIRECTORIES" ||
      (asPerson === true && PERSONS_VARIABLES.test(name)),
  );
  return {
    ...Object.fromEntries(kept),
    ...(asPerson ? {} : { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", GIT_ATTR_NOSYSTEM: "1" }),
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: objects?.to,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects && quotedPath(objects.from),
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PROXY_COMMAND: "", // the repository's core.gitProxy would come before any other
    GIT_PAGER: "cat",
    GIT_EDITOR: "true",
    GIT_SEQUENCE_EDITOR: "true",
    GIT_NO_LAZY_FETCH: "1",
    // Before git 2.45, which knows the line above, a lazy fetch ends here. `ext::` runs a command and is never in the list.
    GIT_ALLOW_PROTOCOL: network && asPerson ? "https:http:ssh:git:file" : "",
    LC_ALL: "C",
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  };
}

/** In a list of paths git splits at `:` and takes a path in double quotes as it is. */
const quotedPath = (path: string) => `"${path.replace(/["\\]/g, "\\$&")}"`;

function start(args: readonly string[], settings: readonly Setting[], call: GitCall): GitAnswer {
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const options: SpawnSyncOptions & { detached: boolean; encoding: "utf8" } = {
    cwd: call.cwd,
    env: environmentFor(call, settings) as NodeJS.ProcessEnv,
    timeout: call.limitMs,
    killSignal: "SIGKILL",
    detached: process.platform !== "win32", // a group of its own, so that all of it can be ended
    maxBuffer: call.longestBytes ?? LONGEST_ANSWER_BYTES,
    input: call.input ?? "",
    encoding: "utf8",
    windowsHide: true,
  };
  const done = spawnSync("git", ["--no-pager", ...args], options);
  const { code } = (done.error ?? {}) as NodeJS.ErrnoException;
  if (code === "ETIMEDOUT" || code === "ENOBUFS") endGroup(done.pid);
  return {
    ok: done.status === 0 && !done.error,
    code: done.error ? undefined : (done.status ?? undefined),
    stdout: done.stdout ?? "",
    stderr: done.stderr ?? "",
    why: done.error && whyNot(code, done.error, call.cwd),
  };
}

function whyNot(code: string | undefined, error: Error, cwd: string): string {
  if (code === "ENOENT") return statIfThere(cwd) ? "there is no git" : `${cwd} is not there`;
  if (code === "ETIMEDOUT") return "git did not answer in time";
  return code === "ENOBUFS" ? "git said too much" : error.message;
}

/** The newest commits, one line each; empty without git, outside a repository, and when git does not answer in time. */
export function recentCommits(root: string, env: Env, limitMs = GIT_LIMIT_MS): string[] {
  const { ok, stdout } = runGit(["log", "--oneline", "-5"], { cwd: root, env, limitMs });
  return ok ? stdout.split("\n").filter(Boolean) : [];
}
