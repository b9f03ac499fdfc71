// One answer about a path, whichever tool writes it.
import { expect, test } from "vitest";
import { onDisk } from "../../lib/guard/hooks.ts";
import { judge } from "../../lib/guard/judge.ts";
import { resolvePath } from "../../lib/guard/paths.ts";
import { judgeWrite } from "../../lib/guard/protected-paths.ts";
import { aSituation, expectDenied } from "./a-situation.ts";

const TABLE: [string, string | undefined][] = [
  ["/etc/passwd", "protect-system"],
  ["/etc/ssh/sshd_config", "protect-system"],
  ["/private/etc/hosts", "protect-system"],
  ["/ETC/hosts", "protect-system"],
  ["//etc//hosts", "protect-system"],
  ["/tmp/../etc/hosts", "protect-system"],
  ["../../../etc/hosts", "protect-system"],
  ["/proc/self/root/etc/hosts", "protect-system"],
  ["/usr/bin/x", "protect-system"],
  ["/boot/grub.cfg", "protect-system"],
  ["C:\\Windows\\System32\\x", "protect-system"],
  ["~/.ssh/id_rsa", "protect-keys"],
  ["~/.ssh/config", "protect-keys"],
  ["/root/.ssh/authorized_keys", "protect-keys"],
  ["/home/other/.ssh/known_hosts", "protect-keys"],
  ["id_ed25519", "protect-keys"],
  ["keys/id_rsa.pub", "protect-keys"],
  [".env", "protect-env"],
  ["./.env", "protect-env"],
  ["src/../.env", "protect-env"],
  ["packages/a/.env.local", "create-env"],
  [".env.production", "protect-env"],
  [".ENV", "create-env"],
  ["/tmp/x/.env", "create-env"],
  ["~/.aws/credentials", "protect-credentials"],
  ["~/.netrc", "protect-credentials"],
  ["~/.kube/config", "protect-credentials"],
  ["/root/.docker/config.json", "protect-credentials"],
  [".git/config", "protect-git"],
  [".git/hooks/pre-commit", "protect-git"],
  ["vendor/x/.git/HEAD", "protect-git"],
  ["~/.claude/swarm/settings.toml", "protect-swarm"],
  ["~/.claude/SWARM/settings.toml", "protect-swarm"],
  ["~/.claude/swarm", "protect-swarm"],
  ["~/.claude/swarm/*.toml", "protect-swarm"],
  [".atm.toml", "protect-swarm"],
  ["./packages/../.atm.toml", "protect-swarm"],
  ["packages/a/.atm.toml", "protect-swarm"],
  ["/srv/other/.ATM.toml", "protect-swarm"],
  ["~/.claude/settings.json", "protect-client"],
  ["~/.claude/settings.local.json", "protect-client"],
  ["~/.claude/hooks/check.sh", "protect-client"],
  ["~/.claude/plugins/cache/swarm/dist/hooks/pre-tool-use.cjs", "protect-client"],
  ["~/.claude", "protect-client"],
  ["~/.claude.json", "protect-client"],
  [".claude", "protect-client"],
  [".claude/settings.json", "protect-client"],
  [".claude/settings.local.json", "protect-client"],
  [".claude/Settings.JSON", "protect-client"],
  [".claude/settings.work.json", "protect-client"],
  [".claude/hooks/pre.sh", "protect-client"],
  [".claude/hooks/.claudex/y", "protect-client"],
  [".claude/plugins/x/plugin.json", "protect-client"],
  ["packages/a/.claude/settings.json", "protect-client"],
  ["/srv/other/.claude/settings.json", "protect-client"],
  ["~/.bashrc", "protect-startup"],
  ["~/.bash_profile", "protect-startup"],
  ["~/.bash_aliases", "protect-startup"],
  ["~/.profile", "protect-startup"],
  ["~/.zshrc", "protect-startup"],
  ["~/.zshenv", "protect-startup"],
  ["~/.zprofile", "protect-startup"],
  ["~/.config/fish/config.fish", "protect-startup"],
  ["~/.config/fish/conf.d/x.fish", "protect-startup"],
  ["~/.config/powershell/Microsoft.PowerShell_profile.ps1", "protect-startup"],
  ["C:\\Users\\dev\\Documents\\PowerShell\\profile.ps1", "protect-startup"],
  ["/root/.bashrc", "protect-startup"],
  ["/home/other/.zshrc", "protect-startup"],
  ["~/.gitconfig", "git-hooks"],
  ["~/.config/git/config", "git-hooks"],
  ["/dev/sda", "disk"],
  ["/dev/nvme0n1p1", "disk"],
  ["~/.bash_history", "hide-traces"],
  ["src/app.ts", undefined],
  ["/home/dev/app/README.md", undefined],
  ["/tmp/x.txt", undefined],
  ["~/notes.md", undefined],
  [".env.example", undefined],
  [".env.sample", undefined],
  [".env.local.example", undefined],
  [".env.template", undefined],
  ["src/env.ts", undefined],
  [".envrc", undefined],
  ["docs/credentials-guide.md", undefined],
  ["src/etc/hosts", undefined],
  ["test/id_rsa_parser.ts", undefined],
  [".gitignore", undefined],
  [".github/workflows/ci.yml", undefined],
  [".git/info/exclude", undefined],
  [".aws/task-definition.json", undefined],
  [".claude/settings.example.json", undefined],
  [".claude/commands/review.md", undefined],
  [".claude/agents/reviewer.md", undefined],
  [".claude/scratchpad/bob/2026-02-20.md", undefined],
  ["~/.claude/commands/review.md", undefined],
  ["~/.claude/swarm/notes.md", undefined],
  ["~/.claude/swarm/teams/atm/settings.toml", undefined],
  ["~/.claude/swarm.md", undefined],
  ["src/hooks/settings.json", undefined],
  ["settings.json", undefined],
  ["atm.toml", undefined],
  ["docs/.atm.toml.md", undefined],
  ["dotfiles/.bashrc", undefined],
  ["~/.config/app/config.toml", undefined],
  ["~/.config/git/ignore", undefined],
  ["/usr/local/bin/tool", "protect-shared"],
  ["/dev/null", undefined],
  ["/etcetera/x", undefined],
];

test.each(TABLE)("a file tool writes %s: %s", (path, rule) =>
  expect(judgeWrite(path, aSituation())?.rule).toBe(rule),
);

const quoted = (path: string) => (path.startsWith("~") ? path : `'${path}'`);
test.each(TABLE)("a redirection writes %s: %s", (path, rule) =>
  expect(judge(`echo x > ${quoted(path)}`, aSituation())?.rule).toBe(rule),
);

test.each(["src/a.ts", "/home/dev/app/README.md", "./x/y-z.tsx"])(
  "an ordinary file of a project, %s",
  (path) => expect(judgeWrite(path, aSituation())).toBeUndefined(),
);

test.each([
  ["out/hosts", { "/home/dev/app/out": "/etc" }, "protect-system"],
  ["conf", { "/home/dev/app/conf": "/home/dev/.ssh/config" }, "protect-keys"],
  ["dir/x", { "/home/dev/app/dir": "/home/dev/app/real" }, undefined],
])("a link is followed: %s through %j is %s", (path, links, rule) =>
  expect(judgeWrite(path, aSituation({}, { links }))?.rule).toBe(rule),
);

test("a project that lives behind a link is still the project", () => {
  const links = { "/home/dev/app": "/data/app" };
  const situation = aSituation({}, { links });
  expect(judge("rm -rf build", situation)).toBeUndefined();
  expect(judge("rm -rf /data/app", situation)?.rule).toBe("delete-outside");
  expectDenied("rm -rf ../other", situation);
});

test.each(["/mnt/c/app", "/private/var/app"])("a project behind a link to %s is still the project", (to) => {
  const situation = aSituation({}, { links: { "/home/dev/app": to } });
  expect(judge("rm -rf build", situation)).toBeUndefined();
  expectDenied("rm -rf ../other", situation);
});

test.each([
  ["/c/w/.env", "/mnt/c/w/.env"],
  ["/c", "/mnt/c"],
  ["/d/x", "/d/x"],
  ["/home/c/x", "/home/c/x"],
])("on a disk that has /d and no /c, %s is %s", (path, place) =>
  expect(onDisk(path, (at) => at !== "/c")).toBe(place),
);

test("where the project is inside a system tree, its own files are free", () => {
  const situation = aSituation({ cwd: "/usr/share/app", project: "/usr/share/app" });
  expect(judge("rm -rf dist; echo x > a.txt", situation)).toBeUndefined();
  expect(judge("rm -rf /usr/share", situation)?.rule).toBe("delete-root");
});

test.each([
  ["rm -rf /etc", "delete-root"],
  ["rm -rf /usr", "delete-root"],
  ["rm -rf usr/lib", "delete-root"],
  ["rm -rf /home/other", "delete-home"],
  ["echo x > usr/bin/ls", "protect-system"],
  ["cp x /usr/local/bin/x", "protect-shared"],
  ["rm -rf app/build; echo x > app/a.txt", undefined],
])("where the project is the root, as in a container: %s is %s", (command, rule) =>
  expect(judge(command, aSituation({ cwd: "/", project: "/", home: "/root" }))?.rule).toBe(rule),
);

test.each(["~bob", "~constructor", "~root"])("%s is a home for root too", (path) =>
  expect(judge(`rm -rf ${path}`, aSituation({ home: "/root" }))?.rule).toBe("delete-home"),
);

test.each([
  ["~/.bashrc", "protect-startup"],
  ["~/.aws/credentials", "protect-credentials"],
  ["~/.gitconfig", "git-hooks"],
  ["~/.claude.json", "protect-client"],
  ["~/notes.md", undefined],
])("where the root is the home, as for a user without one: %s is %s", (path, rule) =>
  expect(judgeWrite(path, aSituation({ home: "/", base: "/.claude" }))?.rule).toBe(rule),
);

test.each([
  ["/home/dev/app", "/data/app", "create-env"],
  ["/home/dev/app", "/private/tmp/app", "create-env"],
  ["/home/dev/app", "/etc", "protect-env"],
  ["/home/dev/app/.env", "/data/secrets", "protect-env"],
])("a new .env where %s leads to %s is %s", (from, to, rule) =>
  expect(judgeWrite(".env", aSituation({}, { links: { [from]: to }, files: [] }))?.rule).toBe(rule),
);

test("copying into a directory writes the file there", () => {
  const situation = aSituation({}, { directories: ["/home/dev/app/conf"] });
  expect(judge("cp .env conf", situation)?.rule).toBe("create-env");
  expect(judge("cp .env conf.txt", situation)).toBeUndefined();
});

test("`git checkout name` discards a file, not a branch", () => {
  const files = ["/home/dev/app/notes", "/home/dev/app/docs", "/home/dev/app/.git/refs/heads/docs"];
  const situation = aSituation({}, { files });
  expect(judge("git checkout notes", situation)?.rule).toBe("git-discard");
  expect(judge("git checkout docs", situation)).toBeUndefined();
});

test.each([
  ["a/../b", "/x/b"],
  ["./a//b/", "/x/a/b"],
  ["/a/./b/..", "/a"],
  ["../..", "/"],
  ["C:\\a\\b", "/c/a/b"],
  ["/mnt/c/a", "/c/a"],
  ["/private/tmp/a", "/tmp/a"],
])("%s is %s", (path, resolved) => expect(resolvePath(path, "/x")).toBe(resolved));
