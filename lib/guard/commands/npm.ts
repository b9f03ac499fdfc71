// Package managers: they run programs of packages, and the scripts of a package.json.
import { readFile } from "../shell/file-effects.ts";
import { runWrapped } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { hasUnknown, type Shell, subshell } from "../shell/state.ts";
import { assign, lookUp } from "../shell/variables.ts";

/** `rimraf@5`: the release is no part of the name. */
const withoutRelease = (args: readonly string[]) => {
  const first = args.findIndex((arg) => !arg.startsWith("-"));
  return args.map((arg, at) =>
    at === first && arg.indexOf("@") > 0 ? arg.slice(0, arg.lastIndexOf("@")) : arg,
  );
};

const CALL = { short: "pcwC", long: ["package", "call", "workspace", "prefix"], code: ["-c", "--call"] };

const npx: Handler = (args, shell) => runWrapped(CALL, withoutRelease(args), shell);

/** `<tool> exec <what> -- command`. */
const afterDashes: Handler = (args, shell) => {
  const end = args.indexOf("--");
  return end > 0 ? shell.run.argv(args.slice(end + 1), subshell(shell)) : undefined;
};

/** The text of a script, when this very command has set it or written the package.json. */
function scriptOf(name: string, shell: Shell): string | undefined {
  const [given] = lookUp(`script ${name}`, shell) ?? [];
  if (given !== undefined) return given;
  const text = readFile("package.json", shell);
  if (text === undefined || hasUnknown(text)) return undefined;
  const [, script] =
    new RegExp(`"${name.replace(/[^\w:-]/g, "")}"\\s*:\\s*"((?:\\\\.|[^"\\\\])*)"`).exec(text) ?? [];
  return script?.replace(/\\(.)/g, "$1");
}

/** `npm pkg set scripts.x=…` */
function setScripts(args: readonly string[], shell: Shell): void {
  for (const arg of args) {
    const [, name, text = ""] = /^scripts\.([\w:-]+)=(.+)$/s.exec(arg) ?? [];
    if (name) assign(`script ${name}`, [text], shell);
  }
}

const npm: Handler = (args, shell, name) => {
  const [verb = "", ...rest] = args;
  for (const arg of args)
    if (arg.startsWith("--script-shell="))
      shell.run.code(arg.slice("--script-shell=".length), subshell(shell));
  if (verb === "explore") return afterDashes(args, shell, name);
  if (verb === "pkg") return void setScripts(rest, shell);
  const script = scriptOf(["run", "run-script"].includes(verb) ? (rest[0] ?? "") : verb, shell);
  if (script) shell.run.code(script, subshell(shell));
  const at = args.findIndex((arg) => ["exec", "x", "dlx"].includes(arg));
  if (at < 0) return undefined;
  const inner = args.slice(at + 1).filter((arg) => arg !== "--");
  if (name === "yarn" && inner.length === 1) return shell.run.code(inner[0] ?? "", subshell(shell));
  return runWrapped(CALL, withoutRelease(args.slice(at + 1)), shell);
};

export const NPM = programs([
  ["npx bunx", npx],
  ["npm pnpm yarn", npm],
  ["mise", afterDashes],
  ["brew", (args, shell, name) => (args[0] === "bundle" ? afterDashes(args, shell, name) : undefined)],
  ["composer", (args, shell) => runWrapped({ verbs: ["exec"] }, args, shell)],
]);
