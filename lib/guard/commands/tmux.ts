// tmux, screen and the like: other agents live in their panes, and text typed into a pane is run there.
import { isGlob, matchesGlob } from "../paths.ts";
import { firstOperand } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { FOUND_PIDS, hasUnknown, report, type Shell, subshell } from "../shell/state.ts";

const valueAfter = (args: readonly string[], ...flags: string[]) => {
  const at = args.findIndex(
    (arg) => flags.includes(arg) || (/^-[a-zA-Z]{2,}$/.test(arg) && flags.includes(`-${arg.slice(-1)}`)),
  );
  if (at >= 0) return args[at + 1];
  return args.find((arg) => flags.some((flag) => flag.length === 2 && arg.startsWith(flag)))?.slice(2);
};

/** tmux takes prefixes and patterns for names: `-t al` is `alice`, `-t alice:1.0` is in `alice`. */
function isAgentTarget(target: string, shell: Shell): boolean {
  const session = target.replace(/^=/, "").replace(/[:.].*$/s, "");
  if (session.startsWith("swarm-")) return true; // our teammates' sessions are called so
  return shell.run.situation.agents().some(({ pane, session: own, name }) => {
    if (pane !== undefined && target.split(/[:.]/).at(-1) === pane) return true;
    const names = [own, name].filter((one) => one !== undefined);
    if (isGlob(session)) return names.some((one) => matchesGlob(session, one));
    return (
      session !== "" &&
      !session.startsWith("%") &&
      names.some((one) => one === session || (one === own && one.startsWith(session)))
    );
  });
}

function checkTarget(args: readonly string[], shell: Shell): void {
  const target = valueAfter(args, "-t", "--target");
  if (target === undefined) return;
  if (target.includes(FOUND_PIDS) || isAgentTarget(target, shell)) report(shell, "kill-agent");
}

const isInterrupt = (key: string) => /^(C-[cdz\\]|\^[CDZ\\]|exit|\/exit|\/quit|quit|logout)$/i.test(key);

const commandAfter = (args: readonly string[], more = "") =>
  args.slice(firstOperand(args, { short: `ceFfLnSstxyT${more}` }));

function runTyped(args: readonly string[], shell: Shell): void {
  const keys = commandAfter(args);
  if (keys.some(isInterrupt)) checkTarget(args, shell);
  const text = keys.filter((key) => !/^(Enter|C-m|KPEnter|Space|Tab|Escape|C-[a-z])$/.test(key)).join(" ");
  if (text) shell.run.code(text, subshell(shell));
}

function runCommand(words: readonly string[], shell: Shell): void {
  if (words.length === 1) shell.run.code(words[0] ?? "", subshell(shell));
  else if (words.length > 1) shell.run.argv(words, subshell(shell));
}

function tmuxVerb(verb: string, args: readonly string[], shell: Shell): string | undefined {
  if (/^kill-ser/.test(verb)) report(shell, "kill-agent");
  else if (/^(kill-|killp|killw|respawn)/.test(verb)) {
    if (args.includes("-a")) report(shell, "kill-agent");
    checkTarget(args, shell);
    if (verb.startsWith("respawn")) runCommand(commandAfter(args), shell);
  } else if (/^send(-keys)?$/.test(verb)) runTyped(args, shell);
  else if (/^(new(-session|-window)?|neww|split-window|splitw)$/.test(verb))
    runCommand(commandAfter(args, "lp"), shell);
  else if (/^(popup|display-popup)$/.test(verb)) runCommand(commandAfter(args, "bdhw"), shell);
  else if (/^(run(-shell)?|pipe-?p(ane)?|if(-shell)?|set-hook|bind(-key)?)$/.test(verb))
    for (const word of commandAfter(args))
      for (const text of [word, `tmux ${word}`]) shell.run.code(text, subshell(shell));
  else if (/^(list-|ls|display)/.test(verb)) return FOUND_PIDS;
  return undefined;
}

/** A command line may hold several tmux commands, parted by `;`. */
const tmux: Handler = (args, shell) => {
  let rest = args;
  while (/^-/.test(rest[0] ?? "")) rest = rest.slice(/^-[LSfcT]$/.test(rest[0] ?? "") ? 2 : 1);
  let output: string | undefined;
  let words: string[] = [];
  for (const word of [...rest, ";"]) {
    if (word !== ";" && word !== "\\;") words.push(word);
    else {
      const [verb = "", ...given] = words;
      output = tmuxVerb(verb, given, shell) ?? output;
      words = [];
    }
  }
  return output;
};

const screen: Handler = (args, shell) => {
  const at = args.indexOf("-X");
  const target = valueAfter(args, "-S", "-r");
  const [verb = "", text = ""] = args.filter(
    (arg, index) => !/^-/.test(arg) && !/^-[SrpD]$/.test(args[index - 1] ?? ""),
  );
  if (
    at >= 0 &&
    /^(quit|kill)$/.test(verb) &&
    (target === undefined || hasUnknown(target) || isAgentTarget(target.replace(/^\d+\./, ""), shell))
  )
    report(shell, "kill-agent");
  if (at >= 0 && verb === "exec") runCommand(args.slice(args.indexOf("exec") + 1), shell);
  if (at >= 0 && verb === "stuff") shell.run.code(text.replace(/\\n|\^M|\r/g, "\n"), subshell(shell));
  if (at < 0) {
    const start = args.findIndex(
      (arg, index) => !arg.startsWith("-") && !/^-[dmU]*[SstcTpehL]$/.test(args[index - 1] ?? ""),
    );
    if (start >= 0) runCommand(args.slice(start), shell);
  }
  return undefined;
};

/** `zellij run -- cmd`, `wezterm cli spawn -- cmd`, `kitty @ launch cmd`, `kitty @ send-text text`. */
function typeOrRun(args: readonly string[], shell: Shell): void {
  const end = args.indexOf("--");
  const typing = args.findIndex((arg) => /^(write-chars|send-text)$/.test(arg));
  if (typing >= 0) shell.run.code((args.at(-1) ?? "").replace(/\\[nr]/g, "\n"), subshell(shell));
  else if (end >= 0) runCommand(args.slice(end + 1), shell);
  else if (args[0] === "--detach" || args.includes("launch")) {
    const rest = args.slice(args.indexOf("launch") + 1);
    const start = rest.findIndex((arg) => !arg.startsWith("-"));
    if (start >= 0) runCommand(rest.slice(start), shell);
  }
}

/** kitty, wezterm and zellij can close what belongs to others. */
const closer: Handler = (args, shell) => {
  const text = args.join(" ");
  if (
    /\b(kill-all-sessions|delete-all-sessions|close-(window|tab)|kill-pane|kill-session|delete-session|ka|da)\b/.test(
      text,
    )
  ) {
    const named = args.find(
      (arg) => arg.includes(FOUND_PIDS) || isAgentTarget(arg.replace(/^.*[:=]/, ""), shell),
    );
    if (named || /all-sessions|^(ka|da)\b/.test(text)) report(shell, "kill-agent");
  }
  if (/^(ls|list-sessions)\b|\bcli list\b|@ ls\b/.test(text)) return FOUND_PIDS;
  typeOrRun(args, shell);
  return undefined;
};

export const TMUX = programs([
  ["tmux", tmux],
  ["screen", screen],
  ["kitty kitten wezterm zellij", closer],
]);
