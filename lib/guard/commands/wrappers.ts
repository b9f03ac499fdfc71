// Programs that run another program: each with the options between it and the command it runs.
import { readOptions } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { report, subshell } from "../shell/state.ts";
import { runWrapped, type Wrapper } from "../shell/wrapped.ts";
import { wordSet } from "../word-set.ts";

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
  ["strace", wraps({ short: "abEeIOoPpSsuX", writes: ["-o"] })],
  [
    "perf",
    wraps({
      short: "eopFgtCr",
      long: ["pre", "post", "output"],
      verbs: ["stat", "record", "trace"],
      code: ["--pre", "--post"],
      writes: ["-o", "--output"],
    }),
  ],
  [
    "systemd-run",
    wraps({ short: "pEMHu", long: ["unit", "property", "setenv", "slice", "description", "uid", "gid"] }),
  ],
  ["bwrap", bwrap],
  ["cross-env cross-env-shell", wraps({ sets: true })],
  ["pipx poetry pipenv pdm hatch rye", wraps({ verbs: ["run"] })],
  ["uv", wraps({ short: "p", long: ["python", "with", "project", "directory"], verbs: ["run"] })],
  ["bundle", wraps({ verbs: ["exec"] })],
  ["direnv", wraps({ verbs: ["exec"], skip: 1 })],
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
  ["sudoedit runas dzdo gsudo", elevates({})],
  ["su", su],
]);
