// Commands that run elsewhere: other machines and containers have their own files, but a wiped root is one everywhere.
import { resolvePath } from "../paths.ts";
import { destinations, writeFile } from "../shell/file-effects.ts";
import { firstOperand, has, readOptions } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { FETCHED, FOUND_PIDS, onRemote, type Remote, type Shell, subshell, UNKNOWN } from "../shell/state.ts";
import { wordSet } from "../word-set.ts";

const HOST: Remote = { kind: "host", mounts: [] };

const SSH_VALUES = { short: "BbcDEeFIiJLlmOopQRSWw" };

const ssh: Handler = (args, shell) => {
  args.forEach((arg, at) => {
    if (!arg.toLowerCase().includes("command")) return;
    const [, code] = /^-?o?(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.+)$/is.exec(arg) ?? [];
    if (code && (arg.startsWith("-o") || args[at - 1] === "-o")) shell.run.code(code, shell);
  });
  const host = firstOperand(args, SSH_VALUES);
  const start = firstOperand(args, SSH_VALUES, host + 1);
  const words = args.slice(start);
  const code = words.length ? words.join(" ") : shell.stdin;
  const isHere = /(^|@)(localhost|127\.0\.0\.1|\[?::1\]?)$/.test(args[host] ?? "");
  const place = isHere ? subshell(shell, { cwd: shell.run.situation.home }) : onRemote(shell, HOST);
  if (host < args.length && code) shell.run.code(code, { ...place, stdin: words.length ? shell.stdin : "" });
  return FETCHED;
};

const RUN_VALUES = {
  short: "aecuvwplmh",
  long: wordSet(
    "volume mount env env-file workdir user name publish network net label entrypoint platform memory cpus hostname add-host gpus restart index project-name file profile pull tmpfs shm-size device cap-add cap-drop security-opt ulimit runtime log-driver log-opt volumes-from link dns ip cidfile detach-keys",
  ).words(),
};

const MOUNTS = ["-v", "--volume=", "--mount="];

const fromHome = (path: string, shell: Shell) =>
  path === "~" || path.startsWith("~/") ? shell.run.situation.home + path.slice(1) : path;

/** `-v /host:/inside` and `--mount type=bind,source=…,target=…`. */
function mountsOf(args: readonly string[], shell: Shell): Remote["mounts"] {
  const specs = args.flatMap((arg, at) => {
    if (/^(-[a-z]*v|--volume|--mount)$/.test(arg)) return [args[at + 1] ?? ""];
    const given = MOUNTS.find((start) => arg.startsWith(start) && arg.length > start.length);
    return given === undefined ? [] : [arg.slice(given.length)];
  });
  return specs.flatMap((spec) => {
    const bind =
      (spec.includes("=")
        ? /^(?=(?:.*,)?(?:source|src)=([^,]+))(?:.*,)?(?:target|destination|dst)=([^,]+)/.exec(spec)
        : null) ?? /^((?=[^:,]*[/~.\uE000])[^:,]+|[A-Za-z]:[^:]*):([^:]+)/.exec(spec);
    const [, outside, inside] = bind ?? [];
    return outside && inside
      ? [
          {
            outside: resolvePath(fromHome(outside, shell), shell.cwd),
            inside: resolvePath(inside, "/"),
          },
        ]
      : [];
  });
}

function runInContainer(args: readonly string[], shell: Shell): string {
  const target = firstOperand(args, RUN_VALUES);
  const options = readOptions(args.slice(0, target), RUN_VALUES);
  const { values } = options;
  const entry = values.get("--entrypoint");
  const words = args.slice(target + 1).filter((word, at) => at > 0 || word !== "--");
  const argv = entry ? [entry, ...words] : words;
  const remote: Remote = { kind: "container", mounts: mountsOf(args.slice(0, target), shell) };
  const inside = onRemote(shell, remote);
  const directory = values.get("-w") ?? values.get("--workdir");
  if (directory !== undefined) inside.cwd = resolvePath(directory, "/");
  const output = argv.length ? shell.run.argv(argv, inside) : UNKNOWN;
  return has(options, "-d", "--detach") ? "the-new-container" : output;
}

/** `docker cp name:/file here`. */
function copyOut(args: readonly string[], shell: Shell): void {
  const [source = "", target = ""] = readOptions(args).operands;
  if (source.includes(":") && !target.includes(":") && target !== "-")
    for (const path of destinations([source.replace(/^[^:]*:/, "")], target, shell)) writeFile(path, shell);
}

const docker: Handler = (args, shell) => {
  let at = firstOperand(args, { short: "cHl", long: ["context", "host", "config", "log-level"] });
  if (args[at] === "container") at++;
  if (args[at] === "compose")
    at = firstOperand(
      args,
      { short: "fp", long: ["file", "project-name", "profile", "env-file", "project-directory"] },
      at + 1,
    );
  const verb = args[at] ?? "";
  if (verb === "top" || (verb === "inspect" && args.some((arg) => arg.includes(".Pid")))) return FOUND_PIDS;
  const rest = args.slice(at + 1);
  if (verb === "cp") return void copyOut(rest, shell);
  if (verb === "create") return runInContainer(["--detach", ...rest], shell);
  return verb === "run" || verb === "exec" ? runInContainer(rest, shell) : UNKNOWN;
};

const compose: Handler = (args, shell) => docker(["compose", ...args], shell, "docker");

const kubectl: Handler = (args, shell) => {
  const end = args.indexOf("--");
  const runs = args.slice(0, Math.max(end, 0)).some((arg) => ["exec", "run", "debug"].includes(arg));
  if (runs) return shell.run.argv(args.slice(end + 1), onRemote(shell, { kind: "container", mounts: [] }));
  return UNKNOWN;
};

/** `vagrant ssh -c code`, `gcloud compute ssh --command code`. */
const byFlag =
  (...flags: string[]): Handler =>
  (args, shell) => {
    const { values } = readOptions(args, {
      short: flags.map((flag) => (flag.startsWith("--") ? "" : flag.charAt(1))).join(""),
      long: flags.map((flag) => flag.slice(2)),
    });
    const code = flags.map((flag) => values.get(flag)).find((value) => value !== undefined);
    if (
      code !== undefined &&
      args.some((arg) => ["ssh", "shell", "console", "all", "exec", "-a"].includes(arg))
    )
      shell.run.code(code, onRemote(shell, HOST));
    return FETCHED;
  };

/** `<tool> exec <where> -- command`. */
const afterDashes: Handler = (args, shell) => {
  const end = args.indexOf("--");
  if (end < 0) return UNKNOWN;
  return shell.run.argv(args.slice(end + 1), onRemote(shell, { kind: "container", mounts: [] }));
};

/** The directory becomes the root: paths inside are paths below it. */
const chroot: Handler = (args, shell: Shell) => {
  const at = firstOperand(args);
  const root = resolvePath(args[at] ?? "/", shell.cwd);
  const words = args.slice(at + 1);
  return words.length
    ? shell.run.argv(words, onRemote(shell, { kind: "container", mounts: [{ inside: "/", outside: root }] }))
    : UNKNOWN;
};

export const SSH_AND_DOCKER = programs([
  ["ssh autossh mosh dbclient", ssh],
  [
    "sshpass",
    (args, shell) => {
      const at = firstOperand(args, { short: "pfd" });
      return at < args.length ? shell.run.argv(args.slice(at), shell) : UNKNOWN;
    },
  ],
  ["docker podman nerdctl", docker],
  ["docker-compose", compose],
  ["kubectl oc k", kubectl],
  ["lxc incus multipass limactl", afterDashes],
  ["vagrant", byFlag("-c", "--command")],
  ["gcloud", byFlag("--command")],
  ["fly flyctl", byFlag("-C", "--command")],
  ["ansible", byFlag("-a", "--args")],
  ["chroot", chroot],
]);
