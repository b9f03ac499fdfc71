// How git is called, by a git that only says what it was given: its words, its environment, its input.
import { chmodSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { type GitCall, overridesFor, runGit } from "../../lib/system/git.ts";
import { aHome, type Home } from "../support/a-home.ts";

const listing = (...entries: [scope: string, entry: string][]) =>
  entries.map(([scope, entry]) => `${scope}\0${entry}\0`).join("");

test.each<[string, [string, string][], [string, string][]]>([
  ["nothing", [], []],
  ["a harmless key", [["local", "user.name\nme"]], []],
  ["a program of the repository", [["local", "diff.x.textconv\nevil"]], [["diff.x.textconv", ""]]],
  ["of a worktree", [["worktree", "core.sshcommand\nevil"]], [["core.sshcommand", ""]]],
  ["of the person alone", [["global", "core.sshcommand\nmine"]], []],
  ["said on the command line", [["command", "core.sshcommand\nmine"]], []],
  ["a harmless key on the command line", [["command", "user.name\nme"]], []],
  [
    "where the person has one, the person's",
    [
      ["global", "core.sshcommand\nmine"],
      ["local", "core.sshcommand\nevil"],
    ],
    [["core.sshcommand", "mine"]],
  ],
  [
    "a list of helpers, cleared first",
    [
      ["system", "credential.helper\na"],
      ["global", "credential.helper\nb"],
      ["local", "credential.helper\nevil"],
    ],
    [
      ["credential.helper", ""],
      ["credential.helper", "a"],
      ["credential.helper", "b"],
    ],
  ],
  [
    "a value that is only named",
    [
      ["global", "filter.lfs.required"],
      ["local", "filter.lfs.required"],
    ],
    [["filter.lfs.required", "true"]],
  ],
  ["a pager of a verb", [["local", "pager.log\nevil"]], [["pager.log", ""]]],
  ["the pager", [["local", "core.pager\nevil"]], [["core.pager", "cat"]]],
  ["an editor", [["local", "core.editor\nevil"]], [["core.editor", "true"]]],
  ["a merge driver", [["local", "merge.x.driver\nevil"]], [["merge.x.driver", "false"]]],
  ["a program of gpg", [["local", "gpg.program\nevil"]], [["gpg.program", "false"]]],
  [
    "a program that moves Git LFS's files",
    [["local", "lfs.customtransfer.x.path\nevil"]],
    [["lfs.customtransfer.x.path", "false"]],
  ],
  ["a filter that is required", [["local", "filter.x.required\ntrue"]], [["filter.x.required", "false"]]],
  ["a submodule's update", [["local", "submodule.x.update\n!evil"]], [["submodule.x.update", "checkout"]]],
  ["a name that only begins so", [["local", "x.editor.name\nme"]], []],
])("what takes the place of %s", (_, entries, expected) =>
  expect(overridesFor(listing(...entries))).toEqual(expected),
);

describe("a call", () => {
  let home: Home;
  beforeEach(() => {
    home = aHome();
  });
  /** `config` is what the repository's configuration lists, for printf. */
  function given(args: string[], more: Partial<GitCall> = {}, config = "") {
    const script = `case "$*" in *"config --list"*) printf '${config}';; *) printf '%s|' "$@"; echo; /usr/bin/env; echo "input=$(/bin/cat)";; esac`;
    chmodSync(home.write("bin/git", `#!/bin/sh\n${script}\n`), 0o755);
    const { env, ...rest } = more;
    const answer = runGit(args, {
      cwd: home.project,
      limitMs: 30_000,
      ...rest,
      env: { PATH: home.path("bin"), ...env },
    });
    const [words = "", ...lines] = answer.stdout.split("\n");
    const pairs = lines.filter(Boolean).map((line) => line.split(/=(.*)/).slice(0, 2) as [string, string]);
    return { answer, words: words.split("|").slice(0, -1), env: Object.fromEntries(pairs) };
  }

  test.each([
    ["diff", ["diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "a"]],
    ["status", ["status", "--ignore-submodules=all", "a"]],
    ["merge-tree", ["merge-tree", "a"]],
  ])("%s has its safe options, behind the verb", (verb, words) =>
    expect(given([verb, "a"]).words).toEqual(["--no-pager", ...words]),
  );

  const PERSONS = {
    GIT_SSH: "s",
    GIT_AUTHOR_NAME: "n",
    GIT_DIR: "/evil",
    GIT_CEILING_DIRECTORIES: "/",
    X: "x",
  };

  test("in a hook no variable of git is inherited but the ceiling, and no configuration of the person", () => {
    const { env } = given(["status"], { env: PERSONS });
    expect(env).toMatchObject({
      ...{ GIT_CEILING_DIRECTORIES: "/", X: "x", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
      ...{ GIT_ALLOW_PROTOCOL: "", GIT_TERMINAL_PROMPT: "0" },
    });
    for (const name of ["GIT_SSH", "GIT_AUTHOR_NAME", "GIT_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"])
      expect(env).not.toHaveProperty(name);
  });

  test("a person's verb has the person's identity and configuration", () => {
    const { env } = given(["status"], { env: PERSONS, asPerson: true });
    expect(env).toMatchObject({ GIT_SSH: "s", GIT_AUTHOR_NAME: "n", GIT_ALLOW_PROTOCOL: "" });
    for (const name of ["GIT_DIR", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"])
      expect(env).not.toHaveProperty(name);
  });

  test.each([
    [true, true, "https:http:ssh:git:file"],
    [true, false, ""],
    [false, true, ""],
  ])("the network, wanted: %s, for a person: %s", (network, asPerson, protocols) =>
    expect(given(["fetch"], { network, asPerson }).env["GIT_ALLOW_PROTOCOL"]).toBe(protocols),
  );

  test("another index, other objects, an input", () => {
    const { env } = given(["add"], { index: "/i", objects: { to: "/to", from: '/a"b\\c' }, input: "words" });
    expect(env).toMatchObject({
      ...{ GIT_INDEX_FILE: "/i", GIT_OBJECT_DIRECTORY: "/to", input: "words" },
      GIT_ALTERNATE_OBJECT_DIRECTORIES: '"/a\\"b\\\\c"',
    });
    expect(given(["add"]).env).toMatchObject({ input: "" });
  });

  test("what the repository's configuration would run is overridden", () => {
    const { env } = given(["status"], {}, "local\\0core.sshcommand\\nevil\\0");
    const count = Number(env["GIT_CONFIG_COUNT"]);
    expect(env[`GIT_CONFIG_KEY_${count - 1}`]).toBe("core.sshcommand");
    expect(env[`GIT_CONFIG_VALUE_${count - 1}`]).toBe("");
    expect(given(["status"]).env["GIT_CONFIG_COUNT"]).toBe(String(count - 1));
  });

  test.each([
    ["uploadpack of its own, on the network", "local\\0remote.o.uploadpack\\nevil\\0", true, false],
    ["uploadpack of its own, without the network", "local\\0remote.o.uploadpack\\nevil\\0", false, true],
    ["uploadpack of the person", "global\\0remote.o.uploadpack\\nmine\\0", true, true],
    ["none", "", true, true],
  ])("a remote with %s", (_, config, network, ok) => {
    const { answer } = given(["fetch"], { network, asPerson: true }, config);
    expect(answer.ok).toBe(ok);
    if (!ok)
      expect(answer).toMatchObject({
        stdout: "",
        stderr: "",
        why: expect.stringContaining("names a program"),
      });
  });

  test("as much output as was asked for, and what git complains about", () => {
    const answer = (longestBytes?: number) => {
      const script = `case "$*" in *"config --list"*) ;; *) /bin/head -c 70000 /dev/zero; echo oops >&2;; esac`;
      chmodSync(home.write("bin/git", `#!/bin/sh\n${script}\n`), 0o755);
      return runGit(["x"], {
        cwd: home.project,
        env: { PATH: `${home.path("bin")}:/usr/bin` },
        limitMs: 30_000,
        longestBytes,
      });
    };
    expect(answer(80_000)).toMatchObject({ ok: true, code: 0, stderr: "oops\n" });
    expect(answer()).toMatchObject({ ok: false, why: "git said too much" });
  });
});
