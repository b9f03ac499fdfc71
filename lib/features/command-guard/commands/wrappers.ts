// Programs that run another program: each with the options that stand between it and the command it runs.
import type { Handler, Handlers } from "../handler.ts";
import { readOptions } from "../options.ts";
import { resolvePath } from "../paths.ts";
import { report, type Shell, subshell } from "../shell.ts";
import { assign } from "../variables.ts";

/** `short`/`long`: options followed by a value. `skip`: operands before the command. `sets`: takes NAME=value.
 * `code`: options whose value is shell text. */
type Wrapper = { short?: string; long?: string; skip?: number; sets?: true; verbs?: RegExp; code?: string };

const TABLE: Record<string, Wrapper> = {
  __proto__: null as never,
  env: { short: "uCS", long: "unset chdir split-string", sets: true, code: "-S --split-string" },
  nohup: {},
  setsid: {},
  time: { short: "fo", long: "format output" },
  nice: { short: "n", long: "adjustment" },
  ionice: { short: "cnpPu", long: "class classdata" },
  chrt: { short: "TPD", skip: 1 },
  taskset: { short: "", skip: 1 },
  timeout: { short: "ks", long: "kill-after signal", skip: 1 },
  gtimeout: { short: "ks", long: "kill-after signal", skip: 1 },
  stdbuf: { short: "ioe", long: "input output error" },
  unbuffer: {},
  chronic: {},
  ts: {},
  strace: { short: "abEeIOoPpSsuX" },
  ltrace: { short: "aeDFlnopsuwx" },
  valgrind: {},
  perf: { short: "eopFgtC", verbs: /^(stat|record|trace)$/ },
  caffeinate: { short: "tw" },
  arch: {},
  fakeroot: { short: "lisub" },
  proot: { short: "rbqw" },
  unshare: { short: "SGRw" },
  nsenter: { short: "tSG", long: "target" },
  "systemd-run": { short: "pEMHu", long: "unit property setenv slice description uid gid" },
  "systemd-inhibit": { long: "what who why mode" },
  firejail: {},
  "flatpak-spawn": {},
  distrobox: { short: "n", long: "name", verbs: /^enter$/, skip: 1 },
  toolbox: { short: "c", long: "container", verbs: /^run$/ },
  bwrap: { long: "dir chdir tmpfs proc dev setenv unsetenv" },
  "xvfb-run": { short: "nefps", long: "server-num server-args auth-file" },
  "dbus-run-session": {},
  proxychains: { short: "f" },
  proxychains4: { short: "f" },
  torsocks: {},
  torify: {},
  "ld.so": { long: "library-path preload" },
  busybox: {},
  toybox: {},
  rlwrap: {},
  faketime: { short: "f", skip: 1 },
  "cross-env": { sets: true },
  "cross-env-shell": { sets: true },
  dotenv: { short: "efp" },
  npx: { short: "pc", long: "package call", code: "-c --call" },
  bunx: {},
  uvx: { long: "from with python" },
  pipx: { verbs: /^run$/ },
  uv: { short: "p", long: "python with project directory", verbs: /^run$/ },
  poetry: { verbs: /^run$/ },
  pipenv: { verbs: /^run$/ },
  pdm: { verbs: /^run$/ },
  hatch: { verbs: /^run$/ },
  rye: { verbs: /^run$/ },
  bundle: { verbs: /^exec$/ },
  mise: { verbs: /^(exec|x)$/ },
  asdf: { verbs: /^exec$/, skip: 0 },
  direnv: { verbs: /^exec$/, skip: 1 },
  conda: { short: "np", long: "name prefix cwd", verbs: /^run$/ },
  mamba: { short: "np", long: "name prefix cwd", verbs: /^run$/ },
  pnpm: { verbs: /^(exec|dlx)$/ },
  yarn: { verbs: /^(exec|dlx)$/ },
  npm: { short: "c", long: "call", verbs: /^(exec|x)$/, code: "-c --call" },
  doppler: { verbs: /^run$/ },
  op: { long: "env-file", verbs: /^run$/ },
  "aws-vault": { verbs: /^exec$/, skip: 1 },
  wsl: { short: "du", long: "distribution user" },
  winpty: {},
  setarch: { skip: 0 },
  linux64: {},
  setpriv: { long: "reuid regid groups" },
  runuser: { short: "ugGsc", long: "user group shell command", code: "-c --command" },
  gosu: { skip: 1 },
  "su-exec": { skip: 1 },
};

/** Splits off the wrapper's own words; what remains is the wrapped command. */
function unwrap(args: readonly string[], { short = "", long = "", skip = 0, sets }: Wrapper) {
  const valued = long.split(" ");
  const own: string[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
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

function runWrapped(spec: Wrapper, args: readonly string[], shell: Shell): string | undefined {
  let rest = args;
  if (spec.verbs) {
    const verb = args.findIndex((arg) => !arg.startsWith("-"));
    if (verb < 0 || !spec.verbs.test(args[verb] ?? "")) return undefined;
    rest = args.slice(verb + 1);
  }
  const { own, inner } = unwrap(rest, spec);
  const options = readOptions(own, { short: spec.short ?? "", long: (spec.long ?? "").split(" ") });
  const shellInside = subshell(shell, { functions: new Map(), aliases: new Map() });
  const directory = options.values.get("-C") ?? options.values.get("--chdir");
  if (directory !== undefined) shellInside.cwd = resolvePath(directory, shell.cwd);
  for (const word of own) {
    const [, name, value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
    if (name && spec.sets) assign(name, [value], shellInside);
  }
  const text = spec.code
    ?.split(" ")
    .map((name) => options.values.get(name))
    .find((one) => one !== undefined);
  if (text !== undefined) return shell.run.code([text, ...inner].join(" "), shellInside);
  return inner.length ? shell.run.argv(inner, shellInside) : undefined;
}

const wrapper: Handler = (args, shell, name) => runWrapped(TABLE[name] ?? {}, args, shell);

/** Another user's rights: named, and what would be run with them is looked at as well. */
const elevate: Handler = (args, shell, name) => {
  report(shell, "elevate");
  return runWrapped(ELEVATORS[name] ?? {}, args, shell);
};

/** `su - user -c code`: the options may follow the user. */
const su: Handler = (args, shell) => {
  report(shell, "elevate");
  const { values } = readOptions(args, { short: "csgGw", long: ["command", "shell", "group"] });
  const code = values.get("-c") ?? values.get("--command");
  return code === undefined ? undefined : shell.run.code(code, subshell(shell));
};

const ELEVATORS: Record<string, Wrapper> = {
  sudo: {
    short: "ugpChrtTUDR",
    long: "user group prompt chdir host role type close-from chroot",
    sets: true,
  },
  doas: { short: "uC" },
  pkexec: { long: "user" },
  run0: { short: "ugDE", long: "user group chdir" },
  gsudo: { short: "u" },
  sudoedit: {},
  runas: {},
  calife: {},
  dzdo: { short: "ug" },
};

const namesIn = (table: Record<string, Wrapper>) => Object.keys(table).join(" ");

export const WRAPPERS: Handlers = { [namesIn(TABLE)]: wrapper, [namesIn(ELEVATORS)]: elevate, su };
