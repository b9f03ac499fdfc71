// Programs that run another program: each with the options that stand between it and the command it runs.
import { writeFile } from "../effects.ts";
import type { Handler, Page } from "../handler.ts";
import { readOptions } from "../options.ts";
import { resolvePath } from "../paths.ts";
import { report, type Shell, subshell } from "../shell.ts";
import { checkVariable } from "../simple.ts";
import { assign } from "../variables.ts";

/** `short`/`long`: options followed by a value. `skip`: operands before the command. `sets`: takes NAME=value.
 * `code`: options whose value is shell text. `writes`: options that name a file it writes. */
type Wrapper = {
  short?: string;
  long?: string;
  skip?: number;
  sets?: true;
  verbs?: string;
  code?: string;
  writes?: string;
};

/** Splits off the wrapper's own words; what remains is the wrapped command. */
function unwrap(args: readonly string[], { short = "", long = "", skip = 0, sets }: Wrapper) {
  const valued = long.split(" ");
  const own: string[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--" || (sets && arg === "-")) {
      if (sets) continue;
      at++;
      break;
    }
    if (sets && /^[A-Za-z_]\w*=/.test(arg)) own.push(arg);
    else if (!arg.startsWith("-") || arg === "-") break;
    else {
      own.push(arg);
      const isLong = arg.startsWith("--");
      const takesNext = isLong
        ? valued.includes(arg.slice(2))
        : short.includes(arg.charAt(arg.length - 1)) && arg.length > 1;
      const inline = !isLong && [...arg.slice(1, -1)].some((letter) => short.includes(letter));
      if (takesNext && !inline) own.push(args[++at] ?? "");
    }
  }
  const inner = args.slice(at + skip);
  return { own, inner: inner[0] === "--" ? inner.slice(1) : inner };
}

export function runWrapped(spec: Wrapper, args: readonly string[], shell: Shell): string | undefined {
  let rest = args;
  if (spec.verbs) {
    const verb = args.findIndex((arg) => !arg.startsWith("-"));
    if (verb < 0 || !spec.verbs.split(" ").includes(args[verb] ?? "")) return undefined;
    rest = args.slice(verb + 1);
  }
  const { own, inner } = unwrap(rest, spec);
  const options = readOptions(own, { short: spec.short ?? "", long: (spec.long ?? "").split(" ") });
  const shellInside = subshell(shell, { functions: new Map(), aliases: new Map() });
  const directory = options.values.get("-C") ?? options.values.get("--chdir");
  if (directory !== undefined) shellInside.cwd = resolvePath(directory, shell.cwd);
  for (const word of spec.sets ? own : []) {
    const [, name, value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
    if (name) assign(name, [value], shellInside);
    if (name) checkVariable(name, value, shellInside);
  }
  const text = spec.code
    ?.split(" ")
    .map((name) => options.values.get(name))
    .find((one) => one !== undefined);
  if (text !== undefined)
    return shell.run.code([text.replaceAll("\\_", " "), ...inner].join(" "), shellInside);
  for (const name of spec.writes?.split(" ") ?? []) writeTo(options.values.get(name), shell);
  return inner.length ? shell.run.argv(inner, shellInside) : undefined;
}

/** strace takes `|command` as well. */
function writeTo(path: string | undefined, shell: Shell): void {
  if (path?.startsWith("|")) shell.run.code(path.slice(1), subshell(shell));
  else if (path !== undefined) writeFile(path, shell);
}

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

/** Its options take one value or two. */
const bwrap: Handler = (args, shell) => {
  let at = 0;
  while (args[at]?.startsWith("--") && args[at] !== "--") {
    const name = args[at] ?? "";
    at += [
      "--dir",
      "--chdir",
      "--tmpfs",
      "--proc",
      "--dev",
      "--unsetenv",
      "--hostname",
      "--remount-ro",
      "--uid",
      "--gid",
    ].includes(name)
      ? 2
      : /bind|setenv|symlink|file/.test(name)
        ? 3
        : 1;
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

/** Further programs, each with what stands between it and the command it runs. */
export const WRAPPERS: Page = (is) => {
  if (is("env"))
    return wraps({
      short: "uCSa",
      long: "unset chdir split-string argv0",
      sets: true,
      code: "-S --split-string",
    });
  if (
    is(
      "nohup setsid unbuffer chronic ts arch firejail flatpak-spawn dbus-run-session dbus-launch torsocks torify busybox toybox rlwrap winpty linux64 ifne run-one prlimit tini dumb-init",
    )
  )
    return wraps({});
  if (is("time")) return wraps({ short: "fo", long: "format output", writes: "-o --output" });
  if (is("valgrind")) return wraps({ long: "tool", writes: "--log-file --xml-file" });
  if (is("numactl"))
    return wraps({ short: "NmCiprl", long: "cpunodebind membind physcpubind interleave preferred" });
  if (is("choom")) return wraps({ short: "np", long: "adjust pid" });
  if (is("cpulimit")) return wraps({ short: "lpe", long: "limit pid exe" });
  if (is("systemd-cat")) return wraps({ short: "tp", long: "identifier priority" });
  if (is("abduco dtach")) return wraps({ short: "e", skip: 1 });
  if (is("xterm alacritty foot konsole st urxvt")) return wraps({ short: "Te", long: "title", code: "-e" });
  if (is("gnome-terminal xfce4-terminal"))
    return wraps({ short: "te", long: "title command", code: "-e --command" });
  if (is("nice")) return wraps({ short: "n", long: "adjustment" });
  if (is("ionice")) return wraps({ short: "cnpPu", long: "class classdata" });
  if (is("chrt")) return wraps({ short: "TPD", skip: 1 });
  if (is("taskset")) return wraps({ short: "", skip: 1 });
  if (is("timeout gtimeout")) return wraps({ short: "ks", long: "kill-after signal", skip: 1 });
  if (is("stdbuf")) return wraps({ short: "ioe", long: "input output error" });
  if (is("strace")) return wraps({ short: "abEeIOoPpSsuX", writes: "-o" });
  if (is("ltrace")) return wraps({ short: "aeDFlnopsuwx", writes: "-o" });
  if (is("perf"))
    return wraps({
      short: "eopFgtCr",
      long: "pre post output",
      verbs: "stat record trace",
      code: "--pre --post",
      writes: "-o --output",
    });
  if (is("caffeinate")) return wraps({ short: "tw" });
  if (is("fakeroot")) return wraps({ short: "lisub" });
  if (is("proot")) return wraps({ short: "rbqw" });
  if (is("unshare")) return wraps({ short: "SGRw" });
  if (is("nsenter")) return wraps({ short: "tSG", long: "target" });
  if (is("systemd-run"))
    return wraps({ short: "pEMHu", long: "unit property setenv slice description uid gid" });
  if (is("systemd-inhibit")) return wraps({ long: "what who why mode" });
  if (is("distrobox")) return wraps({ short: "n", long: "name", verbs: "enter", skip: 1 });
  if (is("toolbox")) return wraps({ short: "c", long: "container", verbs: "run" });
  if (is("bwrap")) return bwrap;
  if (is("xvfb-run")) return wraps({ short: "nefps", long: "server-num server-args auth-file" });
  if (is("proxychains proxychains4")) return wraps({ short: "f" });
  if (is("ld.so")) return wraps({ long: "library-path preload" });
  if (is("faketime")) return wraps({ short: "f", skip: 1 });
  if (is("cross-env cross-env-shell")) return wraps({ sets: true });
  if (is("dotenv")) return wraps({ short: "efp" });
  if (is("uvx")) return wraps({ long: "from with python" });
  if (is("pipx poetry pipenv pdm hatch rye doppler")) return wraps({ verbs: "run" });
  if (is("uv")) return wraps({ short: "p", long: "python with project directory", verbs: "run" });
  if (is("bundle")) return wraps({ verbs: "exec" });
  if (is("asdf")) return wraps({ verbs: "exec", skip: 0 });
  if (is("direnv aws-vault")) return wraps({ verbs: "exec", skip: 1 });
  if (is("conda mamba")) return wraps({ short: "np", long: "name prefix cwd", verbs: "run" });
  if (is("op")) return wraps({ long: "env-file", verbs: "run" });
  if (is("wsl")) return wraps({ short: "du", long: "distribution user" });
  if (is("setarch"))
    return (args, shell) => runWrapped({}, args.slice(args[0]?.startsWith("-") ? 0 : 1), shell);
  if (is("setpriv")) return wraps({ long: "reuid regid groups" });
  if (is("runuser"))
    return elevates({ short: "ugGsc", long: "user group shell command", code: "-c --command" });
  if (is("gosu su-exec")) return elevates({ skip: 1 });
  if (is("sudo"))
    return elevates({
      short: "ugpChrtTUDR",
      long: "user group prompt chdir host role type close-from chroot",
      sets: true,
    });
  if (is("doas")) return elevates({ short: "uC" });
  if (is("pkexec")) return elevates({ long: "user" });
  if (is("run0")) return elevates({ short: "ugDE", long: "user group chdir" });
  if (is("gsudo")) return elevates({ short: "u" });
  if (is("sudoedit runas calife")) return elevates({});
  if (is("dzdo")) return elevates({ short: "ug" });
  if (is("su")) return su;
  return undefined;
};
