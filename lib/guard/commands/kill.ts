// Signals: by id is fine, by name or by search is not, and never to another agent.
import { isGlob } from "../paths.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { CLIENT_PID, FOUND_PIDS, report, type Shell, UNKNOWN } from "../shell/state.ts";

const asksOnly = (args: readonly string[]) =>
  args.some((arg) => ["--help", "--version", "-version", "-V", "-h"].includes(arg));

const byName: Handler = (args, shell) => {
  if (!asksOnly(args) && !(args.length === 1 && args[0] === "-l")) report(shell, "kill-by-name");
  return "";
};

const isAgent = (pid: string, shell: Shell) =>
  shell.run.situation
    .agents()
    .some(
      (agent) => agent.pid !== undefined && String(agent.pid) === (pid.startsWith("-") ? pid.slice(1) : pid),
    );

function checkTarget(target: string, shell: Shell): void {
  if (target.includes(FOUND_PIDS) || (isGlob(target) && !target.startsWith("%")))
    report(shell, shell.listed ? "kill-by-search" : "kill-found");
  else if (target.includes(CLIENT_PID) || (!shell.remote && isAgent(target, shell)))
    report(shell, "kill-agent");
  else if (target.endsWith("1") && (shell.remote?.kind === "container" ? /^-0*1$/ : /^-?0*1$/).test(target))
    report(shell, "kill-everything"); // process 1 of a container is the container's own
}

const MANY = 100;

const isListing = (arg: string) => arg.startsWith("-") && /^-[lL]$|^--(list|table|help|version)/.test(arg);

/** The first dash word is the signal; whatever follows is a target, a dash meaning a process group. */
const kill: Handler = (args, shell) => {
  const list = args.filter((arg) => arg !== "--");
  if (list.some(isListing)) return "";
  let targets: readonly string[] = list;
  let signal = "TERM";
  if (["-s", "-n", "--signal"].includes(list[0] ?? "")) {
    signal = list[1] ?? "";
    targets = list.slice(2);
  } else if (args[0] !== "--" && list[0]?.startsWith("-") && /^-(-signal=)?\w+$/.test(list[0])) {
    signal = (list[0] ?? "").replace(/^-(-signal=)?/, "");
    targets = list.slice(1);
  }
  if (signal === "1" && targets.length === 0) report(shell, "kill-everything");
  if (signal === "0") return "";
  for (const target of targets) checkTarget(target, shell);
  if (targets.length > MANY) report(shell, "kill-everything");
  return "";
};

const fuser: Handler = (args, shell) => {
  if (args.some((arg) => /^-\w*k/.test(arg) || arg === "--kill")) report(shell, "kill-found");
  return FOUND_PIDS;
};

const killPort: Handler = (args, shell) => {
  if (!asksOnly(args)) report(shell, "kill-found");
  return "";
};

const search: Handler = () => FOUND_PIDS;

/** `ps` and `top` print ids; nothing happens until something is killed with them. */
export const KILL = programs([
  ["pkill killall killall5 xkill slay", byName],
  // `skill check` is another program; the one that kills takes a signal or an option first.
  ["skill", (args, shell, name) => (args[0]?.startsWith("-") ? byName(args, shell, name) : undefined)],
  ["kill gkill", kill],
  ["fuser", fuser],
  ["kill-port fkill killport fkill-cli kill-port-process", killPort],
  ["pgrep pidof lsof ps ss netstat top htop pstree jps pidwait procs", search],
  [
    "taskkill",
    (args, shell) => {
      if (args.some((arg) => /^[/-]+(im|fi)$/i.test(arg))) report(shell, "kill-by-name");
      const at = args.findIndex((arg) => /^[/-]+pid$/i.test(arg));
      if (at >= 0) checkTarget(args[at + 1] ?? UNKNOWN, shell);
      return "";
    },
  ],
]);
