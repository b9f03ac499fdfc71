// Repositories of strangers. Each trap is a program that the repository's own configuration would have git run; it leaves a mark
// when it does. Plain git falls into each of them, so that a trap which no longer works is noticed.
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type GitCall, overridesFor, recentCommits, runGit } from "../../lib/system/git.ts";
import { aHome, type Home } from "../support/a-home.ts";

interface Stage {
  home: Home;
  repo: string;
  git: (...args: string[]) => string;
  /** A program that leaves a mark and passes its input on. */
  trap: (then?: string) => string;
  /** What plain git finds in its environment. */
  env: Record<string, string>;
}

const CLEAN = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith("GIT_") || value === undefined ? [] : [[name, value]],
  ),
) as Record<string, string>;

const gitIn =
  (cwd: string, env: Record<string, string>) =>
  (...args: string[]) => {
    const all = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", ...args];
    const done = spawnSync("git", all, { cwd, env, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
    return done.stdout.trim();
  };

/** Two commits on main, one beside them, and a change that is not committed. */
let base = "";

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "swarm-test-"));
  const git = gitIn(base, { ...CLEAN, HOME: join(base, "nobody"), GIT_CONFIG_NOSYSTEM: "1" });
  const put = (text: string) => writeFileSync(join(base, "a.txt"), text);
  git("init", "-q", "-b", "main");
  put("one\n");
  git("add", "a.txt");
  git("commit", "-q", "-m", "first");
  git("checkout", "-q", "-b", "side");
  put("side\n");
  git("commit", "-q", "-a", "-m", "side");
  git("checkout", "-q", "main");
  put("main\n");
  git("commit", "-q", "-a", "-m", "second");
  put("changed\n");
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

function aStage(): Stage {
  const home = aHome();
  const repo = home.path("repo");
  const env = { ...CLEAN, HOME: home.path("nobody"), GIT_CONFIG_NOSYSTEM: "1" };
  mkdirSync(home.path("marks"), { recursive: true });
  cpSync(base, repo, { recursive: true });
  const git = gitIn(repo, env);
  let traps = 0;
  const trap = (then = "cat") => {
    const path = home.write(`trap-${++traps}`, `#!/bin/sh\n: > ${home.path("marks")}/fired\n${then}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  return { home, repo, git, trap, env };
}

const attributes = (repo: string, text: string) => writeFileSync(join(repo, ".gitattributes"), text);

/** A commit that says it is signed. */
function sign({ repo, git, env }: Stage, kind: string) {
  const plain = git("cat-file", "commit", "HEAD");
  const [head = "", ...body] = plain.split("\n\n");
  const signed = `${head}\ngpgsig -----BEGIN ${kind} SIGNATURE-----\n \n AAAA\n -----END ${kind} SIGNATURE-----\n\n${body.join("\n\n")}\n`;
  const made = spawnSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], {
    cwd: repo,
    env,
    input: signed,
    encoding: "utf8",
  });
  git("update-ref", "refs/heads/main", made.stdout.trim());
}

function aHook({ repo, trap }: Stage, name: string, directory = join(repo, ".git", "hooks")) {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), `#!/bin/sh\nexec ${trap("exit 0")}\n`);
  chmodSync(join(directory, name), 0o755);
}

interface Trap {
  plant: (stage: Stage) => void;
  /** What falls into it. */
  args: string[];
  below?: string;
  input?: string;
}

const TRAPS: Record<string, Trap> = {
  "gpg.program by log.showSignature": {
    plant: (stage) => {
      sign(stage, "PGP");
      stage.git("config", "log.showSignature", "true");
      stage.git("config", "gpg.program", stage.trap());
    },
    args: ["log", "--oneline", "-5"],
  },
  "gpg.ssh.program": {
    plant: (stage) => {
      sign(stage, "SSH");
      stage.git("config", "log.showSignature", "true");
      stage.git("config", "gpg.ssh.allowedSignersFile", stage.home.write("signers", "a@b ssh-rsa AAAA\n"));
      stage.git("config", "gpg.ssh.program", stage.trap());
    },
    args: ["log", "--oneline", "-5"],
  },
  "gpg.x509.program": {
    plant: (stage) => {
      const { git, repo, env } = stage;
      const text = git("cat-file", "commit", "HEAD").replace(
        "\n\n",
        "\ngpgsig -----BEGIN SIGNED MESSAGE-----\n AAAA\n -----END SIGNED MESSAGE-----\n\n",
      );
      const made = spawnSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], {
        cwd: repo,
        env,
        input: `${text}\n`,
        encoding: "utf8",
      });
      git("update-ref", "refs/heads/main", made.stdout.trim());
      git("config", "gpg.x509.program", stage.trap());
    },
    args: ["log", "--format=%G?", "-1"],
  },
  "signing of commits": {
    plant: ({ git, trap }) => {
      git("config", "commit.gpgSign", "true");
      git("config", "gpg.program", trap());
      git("config", "user.name", "a");
      git("config", "user.email", "a@b");
    },
    args: ["commit", "--allow-empty", "-q", "-m", "third"],
  },
  "core.fsmonitor": {
    plant: ({ git, trap }) => git("config", "core.fsmonitor", trap("echo /")),
    args: ["status"],
  },
  "a hook of the repository": { plant: (stage) => aHook(stage, "post-index-change"), args: ["add", "a.txt"] },
  "a hook at every change of a reference": {
    plant: (stage) => aHook(stage, "reference-transaction"),
    args: ["update-ref", "refs/heads/other", "HEAD"],
  },
  "a hook of a new worktree": {
    plant: (stage) => aHook(stage, "post-checkout"),
    args: ["worktree", "add", "-q", "--detach", "tree"],
  },
  "core.hooksPath": {
    plant: (stage) => {
      aHook(stage, "post-index-change", stage.home.path("elsewhere"));
      stage.git("config", "core.hooksPath", stage.home.path("elsewhere"));
    },
    args: ["add", "a.txt"],
  },
  "diff.external": { plant: ({ git, trap }) => git("config", "diff.external", trap()), args: ["diff"] },
  "a diff driver's command": {
    plant: ({ repo, git, trap }) => {
      attributes(repo, "*.txt diff=own\n");
      git("config", "diff.own.command", trap());
    },
    args: ["diff"],
  },
  textconv: {
    plant: ({ repo, git, trap }) => {
      attributes(repo, "*.txt diff=own\n");
      git("config", "diff.own.textconv", trap());
    },
    args: ["show", "HEAD"],
  },
  "textconv of .git/info/attributes": {
    plant: ({ repo, git, trap }) => {
      mkdirSync(join(repo, ".git/info"), { recursive: true });
      writeFileSync(join(repo, ".git/info/attributes"), "*.txt diff=own\n");
      git("config", "diff.own.textconv", trap());
    },
    args: ["log", "-p", "-1"],
  },
  "a clean filter": {
    plant: ({ repo, git, trap }) => {
      attributes(repo, "*.txt filter=own\n");
      git("config", "filter.own.clean", trap());
      git("config", "filter.own.required", "true");
    },
    args: ["add", "a.txt"],
  },
  "a smudge filter": {
    plant: ({ repo, git, trap }) => {
      attributes(repo, "*.txt filter=own\n");
      git("config", "filter.own.smudge", trap());
    },
    args: ["checkout", "-f", "HEAD", "--", "a.txt"],
  },
  "a filter process": {
    plant: ({ repo, git, trap }) => {
      attributes(repo, "*.txt filter=own\n");
      git("config", "filter.own.process", trap());
    },
    args: ["add", "a.txt"],
  },
  "a merge driver": {
    plant: ({ repo, git, trap }) => {
      mkdirSync(join(repo, ".git/info"), { recursive: true });
      writeFileSync(join(repo, ".git/info/attributes"), "*.txt merge=own\n");
      git("config", "merge.own.driver", `${trap("exit 0")} %O %A %B`);
    },
    args: ["merge-tree", "--write-tree", "main", "side"],
  },
  "core.sshCommand": {
    plant: ({ git, trap }) => git("config", "core.sshCommand", trap("exit 1")),
    args: ["fetch", "ssh://localhost/x"],
  },
  "core.gitProxy": {
    plant: ({ git, trap }) => git("config", "core.gitProxy", trap("exit 1")),
    args: ["fetch", "git://localhost:1/x"],
  },
  "a credential helper": {
    plant: ({ git, trap }) => git("config", "credential.helper", trap("echo username=a; echo password=b")),
    args: ["credential", "fill"],
    input: "protocol=https\nhost=example.invalid\n\n",
  },
  "a credential helper of one address": {
    plant: ({ git, trap }) =>
      git("config", "credential.https://example.invalid.helper", trap("echo username=a; echo password=b")),
    args: ["credential", "fill"],
    input: "protocol=https\nhost=example.invalid\n\n",
  },
  "core.askPass": {
    plant: ({ git, trap }) => git("config", "core.askPass", trap("echo a")),
    args: ["credential", "fill"],
    input: "protocol=https\nhost=example.invalid\n\n",
  },
  "the program of a remote": {
    plant: ({ git, trap, repo }) => {
      git("remote", "add", "there", repo);
      git("config", "remote.there.uploadpack", trap("exit 1"));
    },
    args: ["fetch", "there"],
  },
  "a remote that is a command": {
    plant: ({ git, trap }) => {
      git("config", "protocol.ext.allow", "always");
      git("remote", "add", "there", `ext::${trap("exit 1")}`);
    },
    args: ["fetch", "there"],
  },
  "an address rewritten into a command": {
    plant: ({ git, trap }) => {
      git("config", "protocol.ext.allow", "always");
      git("config", `url.ext::${trap("exit 1")} .insteadOf`, "https://example.invalid/");
    },
    args: ["fetch", "https://example.invalid/x"],
  },
  "the missing objects of a partial clone": {
    plant: ({ git, trap, repo }) => {
      git("remote", "add", "there", repo);
      git("config", "remote.there.promisor", "true");
      git("config", "remote.there.partialclonefilter", "blob:none");
      git("config", "extensions.partialClone", "there");
      git("config", "core.repositoryFormatVersion", "1");
      git("config", "remote.there.uploadpack", trap("exit 1"));
    },
    args: ["cat-file", "-p", "1234567890123456789012345678901234567890"],
  },
  "core.alternateRefsCommand": {
    plant: ({ git, trap, repo, home }) => {
      git("clone", "-q", "--bare", repo, home.path("other.git"));
      appendFileSync(join(repo, ".git/objects/info/alternates"), `${home.path("other.git")}/objects\n`);
      git("config", "core.alternateRefsCommand", trap("exit 0"));
    },
    args: ["rev-list", "--alternate-refs", "HEAD"],
  },
  "an editor": {
    plant: ({ git, trap }) => {
      git("config", "core.editor", trap("exit 1"));
      git("config", "user.name", "a");
      git("config", "user.email", "a@b");
    },
    args: ["commit", "--allow-empty"],
  },
  "a trailer's command": {
    plant: ({ git, trap }) => {
      git("config", "trailer.own.key", "Own");
      git("config", "trailer.own.command", trap("exit 0"));
    },
    args: ["interpret-trailers"],
    input: "subject\n\nbody\n",
  },
  "an included file": {
    plant: ({ git, trap, repo }) => {
      writeFileSync(join(repo, "own.inc"), `[diff]\n\texternal = ${trap()}\n`);
      git("config", "include.path", "../own.inc");
    },
    args: ["diff"],
  },
  "a file included for this place": {
    plant: ({ git, trap, repo }) => {
      attributes(repo, "*.txt filter=own\n");
      writeFileSync(join(repo, "own.inc"), `[filter "own"]\n\tclean = ${trap()}\n`);
      git("config", "includeIf.onbranch:main.path", "../own.inc");
    },
    args: ["add", "a.txt"],
  },
  "the configuration of a worktree": {
    plant: ({ git, trap, repo }) => {
      attributes(repo, "*.txt filter=own\n");
      git("config", "core.repositoryFormatVersion", "1");
      git("config", "extensions.worktreeConfig", "true");
      writeFileSync(join(repo, ".git/config.worktree"), `[filter "own"]\n\tclean = ${trap()}\n`);
    },
    args: ["add", "a.txt"],
  },
  "a bare repository inside": {
    plant: ({ git, trap, repo, home }) => {
      git("clone", "-q", "--bare", repo, join(repo, "inside"));
      const text = `[core]\n\trepositoryFormatVersion = 0\n\tbare = false\n\tworktree = ${home.path("repo")}\n\tfsmonitor = ${trap("echo /")}\n`;
      writeFileSync(join(repo, "inside/config"), text);
      git("--git-dir", join(repo, "inside"), "read-tree", "HEAD");
    },
    args: ["status"],
    below: "inside",
  },
  "a submodule's own configuration": {
    plant: ({ git, trap, repo, home }) => {
      git("clone", "-q", repo, home.path("part"));
      git("submodule", "--quiet", "add", home.path("part"), "part");
      git("-C", "part", "config", "core.fsmonitor", trap("echo /"));
    },
    args: ["status"],
  },
  "a submodule that insists": {
    plant: ({ git, trap, repo, home }) => {
      git("clone", "-q", repo, home.path("part"));
      git("submodule", "--quiet", "add", home.path("part"), "part");
      git("config", "-f", ".gitmodules", "submodule.part.ignore", "none");
      git("-C", "part", "config", "core.fsmonitor", trap("echo /"));
    },
    args: ["diff", "--stat"],
  },
  "a submodule while everything is added": {
    plant: ({ git, trap, repo, home }) => {
      git("clone", "-q", repo, home.path("part"));
      git("submodule", "--quiet", "add", home.path("part"), "part");
      git("-C", "part", "config", "core.fsmonitor", trap("echo /"));
    },
    args: ["add", "-A"],
  },
};

const marks = ({ home }: Stage) => readdirSync(home.path("marks"));
const forget = ({ home }: Stage) => rmSync(home.path("marks/fired"), { force: true });
const LIMIT_MS = 10_000;

const MODES: Record<string, Partial<GitCall>> = {
  "in a hook": {},
  "in a verb": { asPerson: true },
  "in a verb that fetches": { asPerson: true, network: true },
};

test.each(Object.entries(TRAPS))(
  "%s: catches plain git, and never ours",
  (_, { plant, args, below = "", input }) => {
    const stage = aStage();
    const { home, repo, env } = stage;
    plant(stage);
    cpSync(repo, home.path("planted"), { recursive: true });
    const fired = (run: (cwd: string) => void) => {
      rmSync(repo, { recursive: true });
      cpSync(home.path("planted"), repo, { recursive: true });
      forget(stage);
      run(join(repo, below));
      return marks(stage).length > 0;
    };
    for (const [mode, more] of Object.entries(MODES))
      expect([mode, fired((cwd) => runGit(args, { cwd, env, input, limitMs: LIMIT_MS, ...more }))]).toEqual([
        mode,
        false,
      ]);
    expect(fired((cwd) => spawnSync("git", args, { cwd, env, input: input ?? "", timeout: LIMIT_MS }))).toBe(
      true,
    );
  },
);

test("all traps that fit into one repository, and every git call that we make", () => {
  const stage = aStage();
  for (const { plant, below } of Object.values(TRAPS))
    if (!below)
      try {
        plant(stage);
      } catch {
        // not every two of them fit together
      }
  forget(stage);
  expect(recentCommits(stage.repo, stage.env, LIMIT_MS)).toHaveLength(2);
  expect(marks(stage)).toEqual([]);
});

test.each([
  ["GIT_EXTERNAL_DIFF", ["diff"]],
  ["GIT_SSH_COMMAND", ["fetch", "ssh://localhost/x"]],
  ["GIT_EDITOR", ["commit", "--allow-empty"]],
])("%s from outside counts for nothing in a hook", (variable, args) => {
  const stage = aStage();
  const env = { ...stage.env, [variable]: stage.trap("exit 1") };
  stage.git("config", "user.name", "a");
  stage.git("config", "user.email", "a@b");
  spawnSync("git", args, { cwd: stage.repo, env });
  expect(marks(stage)).toEqual(["fired"]);
  forget(stage);
  runGit(args, { cwd: stage.repo, env, limitMs: LIMIT_MS });
  expect(marks(stage)).toEqual([]);
});

test.each([
  ["GIT_DIR", "/nowhere"],
  ["GIT_WORK_TREE", "/nowhere"],
  ["GIT_INDEX_FILE", "/nowhere"],
])("%s from outside does not lead elsewhere", (variable, value) => {
  const stage = aStage();
  const env = { ...stage.env, [variable]: value };
  expect(recentCommits(stage.repo, env, LIMIT_MS)).toHaveLength(2);
});

describe("the person's own configuration", () => {
  const withGlobal = (text: (stage: Stage) => string) => {
    const stage = aStage();
    stage.home.write("nobody/.gitconfig", text(stage));
    attributes(stage.repo, "*.txt filter=lfs\n");
    stage.git("config", "filter.lfs.clean", stage.home.path("a program of the repository"));
    return stage;
  };
  const filter = (stage: Stage) => `[filter "lfs"]\n\tclean = ${stage.trap()}\n\trequired = true\n`;

  test("holds in a verb, where the repository says otherwise as well", () => {
    const stage = withGlobal(filter);
    expect(runGit(["add", "a.txt"], { cwd: stage.repo, env: stage.env, asPerson: true })).toMatchObject({
      ok: true,
    });
    expect(marks(stage)).toEqual(["fired"]);
  });
  test("is not read in a hook", () => {
    const stage = withGlobal(filter);
    expect(runGit(["add", "a.txt"], { cwd: stage.repo, env: stage.env })).toMatchObject({ ok: true });
    expect(marks(stage)).toEqual([]);
  });
  test("a list of helpers keeps its order, without the repository's", () => {
    const listing =
      "global\0credential.helper\none\0global\0credential.helper\ntwo\0local\0credential.helper\nevil\0";
    expect(overridesFor(listing)).toEqual([
      ["credential.helper", ""],
      ["credential.helper", "one"],
      ["credential.helper", "two"],
    ]);
  });
});
