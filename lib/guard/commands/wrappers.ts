// Programs that run another program: each with the options between it and the command it runs.
import { baseName } from "../paths.ts";
import { deleteTree, writeOutputs } from "../shell/file-effects.ts";
import { has, readOptions, runWrapped, type Wrapper } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { report, subshell } from "../shell/state.ts";
import { wordSet } from "../word-set.ts";
import { runInNewShell } from "./bash.ts";

const wraps =
  (spec: Wrapper): Handler =>
  (args, shell) =>
    runWrapped(spec, args, shell);

/** Another user's rights: named, and what would be run with them is looked at as well. */
const elevates =
  (spec: Wrapper): Handler =>
  (args, shell) => {
    if (args.length !== 1 || !["--version", "--help", "-V", "-h"].includes(args[0] ?? ""))
      report(shell, "elevate");
    return runWrapped(spec, args, shell);
  };

const BWRAP_TAKES_ONE = wordSet(
  "--dir --chdir --tmpfs --proc --dev --unsetenv --hostname --remount-ro --uid --gid",
);

/** Its options take one value or two. */
const bwrap: Handler = (args, shell) => {
  let at = 0;
  while (args[at]?.startsWith("--") && args[at] !== "--") {
    const name = args[at] ?? "";
    at += BWRAP_TAKES_ONE.has(name) ? 2 : /bind|setenv|symlink|file/.test(name) ? 3 : 1;
  }
  const inner = args.slice(args[at] === "--" ? at + 1 : at);
  return inner.length ? shell.run.argv(inner, subshell(shell)) : undefined;
};

/** `su - user -c code`: the options may follow the user. */
const su: Handler = (args, shell) => {
  report(shell, "elevate");
  const { values } = readOptions(args, { short: "csgGw", long: ["command", "shell", "group"] });
  const code = values.get("-c") ?? values.get("--command");
  return code === undefined ? undefined : shell.run.code(code, subshell(shell));
};

/** Wrappers whose options need no table: shell text is a word with a blank, or the command begins at the first word that is a program. */
const wrapsLoosely: Handler = (args, shell, name) => {
  runTexts(args, shell, name);
  const at = args.findIndex((arg) => shell.run.isProgram(baseName(arg)));
  writeOutputs(at < 0 ? args : args.slice(0, at), shell);
  return at < 0 ? undefined : shell.run.argv(args.slice(at), subshell(shell));
};

/** Shell text is a word with a blank, or the value of an option; what is behind cargo's `--` belongs to the program it runs. */
const runTexts: Handler = (args, shell, name) => {
  const end = name === "cargo" ? args.indexOf("--") : -1;
  for (const arg of end < 0 ? args : args.slice(0, end)) {
    const text = arg.replace(/^[\w:.'()-]+\s*=\s*/, "");
    if (/\s/.test(arg) || text !== arg)
      runInNewShell(/^["[]/.test(text) ? text.replace(/[[\]"',]+/g, " ") : text, shell);
  }
  return undefined;
};

/** `nix shell package -c command`. */
const nix: Handler = (args, shell) => {
  const at = args.findIndex((arg) => arg === "-c" || arg === "--command");
  return at < 0 ? undefined : shell.run.argv(args.slice(at + 1), subshell(shell));
};

/** `zip -m` deletes what it packs. */
const zip: Handler = (args, shell, name) => {
  const options = readOptions(args, { short: "xinbt" });
  if (has(options, "-m", "--move")) for (const path of options.operands.slice(1)) deleteTree(path, shell);
  return runTexts(args, shell, name);
};

export const WRAPPERS = programs([
  [
    "env",
    wraps({
      short: "uCSa",
      long: ["unset", "chdir", "split-string", "argv0"],
      sets: true,
      code: ["-S", "--split-string"],
    }),
  ],
  [
    "nohup setsid firejail flatpak-spawn dbus-run-session busybox toybox prlimit fakeroot unshare xvfb-run",
    wraps({}),
  ],
  ["time", wraps({ short: "fo", long: ["format", "output"], writes: ["-o", "--output"] })],
  ["valgrind", wraps({ long: ["tool"], writes: ["--log-file", "--xml-file"] })],
  ["nice", wraps({ short: "n", long: ["adjustment"] })],
  ["ionice", wraps({ short: "cnpPu", long: ["class", "classdata"] })],
  ["chrt", wraps({ short: "TPD", skip: 1 })],
  ["taskset", wraps({ short: "", skip: 1 })],
  ["timeout gtimeout", wraps({ short: "ks", long: ["kill-after", "signal"], skip: 1 })],
  ["stdbuf", wraps({ short: "ioe", long: ["input", "output", "error"] })],
  ["strace", wraps({ short: "abEeIOoPpSsuX", long: ["output", "trace"], writes: ["-o", "--output"] })],
  [
    "perf",
    wraps({
      short: "eopFtCr",
      long: ["pre", "post", "output"],
      verbs: ["stat", "record", "trace"],
      code: ["--pre", "--post"],
      writes: ["-o", "--output"],
    }),
  ],
  [
    "systemd-run",
    wraps({
      short: "pEMHu",
      long: wordSet(
        "unit property setenv slice description uid gid nice working-directory service-type on-active on-boot on-calendar on-startup on-unit-active on-unit-inactive timer-property",
      ).words(),
    }),
  ],
  ["bwrap", bwrap],
  ["cross-env cross-env-shell", wraps({ sets: true })],
  ["pipx pipenv pdm hatch rye", wraps({ verbs: ["run"] })],
  ["poetry", wraps({ short: "CP", long: ["directory", "project"], verbs: ["run"] })],
  ["doppler", wraps({ long: ["command"], verbs: ["run"], code: ["--command"] })],
  ["op", wraps({ long: ["env-file"], verbs: ["run"] })],
  [
    "uv",
    wraps({
      short: "p",
      long: wordSet("python with project directory env-file extra group package").words(),
      verbs: ["run"],
    }),
  ],
  ["bundle asdf", wraps({ verbs: ["exec"] })],
  ["direnv aws-vault", wraps({ short: "d", long: ["duration", "region"], verbs: ["exec"], skip: 1 })],
  ["conda mamba", wraps({ short: "np", long: ["name", "prefix", "cwd"], verbs: ["run"] })],
  ["setpriv", wraps({ long: ["reuid", "regid", "groups"] })],
  [
    "runuser",
    elevates({ short: "ugGsc", long: ["user", "group", "shell", "command"], code: ["-c", "--command"] }),
  ],
  ["gosu su-exec", elevates({ skip: 1 })],
  [
    "sudo",
    elevates({
      short: "ugpChrtTUDR",
      long: ["user", "group", "prompt", "chdir", "host", "role", "type", "close-from", "chroot"],
      sets: true,
    }),
  ],
  ["doas", elevates({ short: "uC" })],
  ["pkexec", elevates({ long: ["user"] })],
  ["run0", elevates({ short: "ugDE", long: ["user", "group", "chdir"] })],
  ["sudoedit runas dzdo gsudo calife", elevates({})],
  ["su", su],
  [
    "unbuffer chronic ts arch dbus-launch torsocks torify rlwrap winpty linux64 setarch ifne run-one tini dumb-init numactl choom cpulimit systemd-cat systemd-inhibit abduco dtach xterm alacritty foot konsole st urxvt gnome-terminal xfce4-terminal ltrace caffeinate proot nsenter distrobox toolbox proxychains proxychains4 ld.so faketime dotenv uvx wsl watchexec nodemon concurrently hyperfine sg capsh start-stop-daemon",
    wrapsLoosely,
  ],
  ["man cargo apt apt-get nix-shell", runTexts],
  ["nix", nix],
  ["zip", zip],
]);
