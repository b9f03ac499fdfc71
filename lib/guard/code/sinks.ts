// Calls of other languages that run, delete, write or kill, each translated into the shell command that does the same.
import { UNKNOWN } from "../shell/state.ts";
import { type WordSet, wordSet } from "../word-set.ts";
import type { Value } from "./results.ts";

/** `argv` is judged as a command line, `code` as shell text, `source` as more code of the same language. */
export type Effect = ({ argv: readonly string[] } | { code: string } | { source: string }) & {
  stdin?: string;
  cwd?: string;
};
type Sink = (args: readonly Value[], name: string) => readonly Effect[];

const pathsOf = (value: Value | undefined) => (value ? (value.list ?? [value.text]) : []);
const isRecursive = (args: readonly Value[]) =>
  args.some(({ raw = "" }) => /recursive|force\s*[:=]/i.test(raw));

/** `cwd="/"` and `{ cwd: "/" }` in the arguments. */
function optionOf(args: readonly Value[], name: string): string | undefined {
  for (const { raw = "", text } of args) {
    if (raw.startsWith(`${name} =`) || raw.startsWith(`${name} :`)) return text;
    if (raw.startsWith("{")) return new RegExp(`\\b${name} : ([^,}]+)`).exec(raw)?.[1]?.trim();
  }
  return undefined;
}

const isLabelled = (raw: string) => raw.startsWith("{") || /^\w+ [=:] /.test(raw);

/** `execvp(file, [zero, …])`, `spawnlp(mode, file, zero, …)`: the name is given twice. */
function replaces(args: readonly Value[], name: string): readonly Effect[] {
  const [file, second, ...others] = name.startsWith("spawn") ? args.slice(1) : args;
  if (!file) return [];
  const rest = second?.list
    ? second.list.slice(name === "pcntl_exec" ? 0 : 1)
    : others.map(({ text }) => text);
  return [{ argv: [file.text, ...rest] }];
}

const runs: Sink = (args, name) => {
  if (/^(exec|spawn)[lv]|^posix_spawn|^pcntl_exec/.test(name)) return replaces(args, name);
  const cwd = optionOf(args, "cwd");
  const stdin = optionOf(args, "input");
  const more = { ...(cwd === undefined ? {} : { cwd }), ...(stdin === undefined ? {} : { stdin }) };
  return started(args, name).map((effect) => ({ ...effect, ...more }));
};

function started(args: readonly Value[], name: string): readonly Effect[] {
  const [first, second] = name.startsWith("open") ? args.filter(({ text }) => text !== UNKNOWN) : args;
  if (!first) return [];
  if (first.list) return first.list.length === 1 ? [{ code: first.list[0] ?? "" }] : [{ argv: first.list }];
  if (second?.list?.length) return [{ argv: [first.text, ...second.list] }];
  const isArgumentList =
    args.length > 1 &&
    /^(system|exec$|spawn$|create_subprocess_exec|capture|popen|Command$|open[23]$|cmd$)/.test(name);
  const words = args
    .filter(
      ({ list, raw = "", text }) =>
        !list && !isLabelled(raw) && (text !== UNKNOWN || !name.startsWith("open")),
    )
    .map(({ text }) => text);
  return isArgumentList && words.length > 1
    ? [{ argv: words }, { code: words.join(" ") }]
    : [{ code: first.text }];
}

const deletesTree: Sink = ([first]) => pathsOf(first).map((path) => ({ argv: ["rm", "-rf", "--", path] }));
const deletesFile: Sink = ([first]) => pathsOf(first).map((path) => ({ argv: ["rm", "--", path] }));
const deletes: Sink = (args, name) => (isRecursive(args.slice(1)) ? deletesTree : deletesFile)(args, name);
const writes: Sink = ([first, second]) =>
  pathsOf(first).map((path) => ({ argv: ["tee", path], stdin: second?.text ?? UNKNOWN }));

/** open(path, mode), and Perl's open(handle, mode, path) and open(handle, ">path"). */
const opens: Sink = ([first, second, third]) => {
  const mode = second?.text ?? "";
  if (third && /^[+>|<-]+/.test(mode)) {
    if (/\||^-/.test(mode)) return [{ code: third.text }];
    return mode.includes(">") ? [{ argv: ["tee", third.text] }] : [];
  }
  const [, target] = /^\s*\+?>{1,2}\s*(.+)$/s.exec(mode) ?? [];
  if (target) return [{ argv: ["tee", target] }];
  const [, into, from] = /^\s*\|\s*(.+)$|^(.+)\|\s*$/s.exec(mode || (first?.text ?? "")) ?? [];
  if (into ?? from) return [{ code: into ?? from ?? "" }];
  const opensFlagged = /\bO_(WRONLY|RDWR|CREAT|APPEND|TRUNC)\b/.test(second?.raw ?? "");
  return first && (opensFlagged || /^[rbtU]*[wax+][+btU]*$/.test(mode))
    ? [{ argv: ["tee", first.text] }]
    : [];
};

const pair =
  (...verb: string[]): Sink =>
  ([from, to]) =>
    from && to ? [{ argv: [...verb, from.text, to.text] }] : [];

/** Perl and Ruby name the signal first, the others the process: `kill 9, 1` and `kill(1, 9)`. */
const kills: Sink = ([first, second]) => {
  if (!first) return [];
  const isSignal = ({ text, raw = "" }: Value) =>
    /^(9|15|2|SIG[A-Z]+)$/.test(text) || /\bSIG[A-Z]+$/.test(raw);
  const signalFirst = second && /^([A-Z]\w*|9|15|2|1|0)$/.test(first.text) && !isSignal(second);
  const [pid, signal] = signalFirst ? [second, first] : [first, second];
  return signal?.text === "0" ? [] : [{ argv: ["kill", "-9", "--", pid.text] }];
};

const fetchesTo: Sink = ([, to]) => (to ? [{ argv: ["curl", "-o", to.text, "https://example.com"] }] : []);

/** Mode numbers as the languages write them: 0o777, 0777. */
const chmods: Sink = ([first, second], name) => {
  const [path, mode] = /^0?o?[0-7]{3,4}$/.test(first?.text ?? "") ? [second, first] : [first, second];
  return path && mode
    ? [
        {
          argv: [
            "chmod",
            ...(name === "chmod_R" ? ["-R"] : []),
            mode.text.replace(/^0o?/, "").replace(/^511$/, "777"),
            path.text,
          ],
        },
      ]
    : [];
};

const evaluates: Sink = (args) => args.map(({ text }) => ({ source: text }));

/** By the names of the functions that do it. */
const SINKS: readonly [WordSet, Sink][] = [
  [
    wordSet(
      "system popen popen2 popen3 Popen run call check_call check_output getoutput getstatusoutput execSync execFile execFileSync spawn spawnSync exec execa execaSync execaCommand execaCommandSync shell_exec passthru proc_open execute shell capture2 capture2e capture3 cmd Command execl execle execlp execlpe execv execve execvp execvpe spawnl spawnlp spawnv spawnvp posix_spawn posix_spawnp create_subprocess_shell create_subprocess_exec shelljs pcntl_exec open2 open3 shellCommand system2 doShellScript callCommand runCommand $",
    ),
    runs,
  ],
  [
    wordSet(
      "rmtree rm_rf rm_r remove_tree rimraf rimrafSync emptyDir emptyDirSync remove_dir remove_entry_secure removeSync RemoveAll removeItem deleteRecursively",
    ),
    deletesTree,
  ],
  [
    wordSet(
      "rm rmSync rmdir rmdirSync remove unlink unlinkSync delete rm_f removedirs truncate truncateSync",
    ),
    deletes,
  ],
  [
    wordSet(
      "writeFileSync writeFile appendFile appendFileSync createWriteStream outputFileSync outputFile writeTextFile writeTextFileSync write file_put_contents binwrite write_text write_bytes touch outputJson outputJsonSync writeJson writeJsonSync set_key unset_key",
    ),
    writes,
  ],
  [wordSet("open openSync fopen sysopen"), opens],
  [wordSet("copyFileSync copyFile cpSync cp copy copy2 copyfile copytree copySync cp_r"), pair("cp")],
  [wordSet("move rename renameSync renames replace moveSync mv"), pair("mv")],
  [wordSet("symlink symlinkSync ln_s ln_sf link linkSync"), pair("ln", "-s")],
  [wordSet("kill killpg posix_kill"), kills],
  [wordSet("urlretrieve"), fetchesTo],
  [wordSet("chmod chmodSync chmod_R"), chmods],
  [
    wordSet(
      "eval Function runInThisContext runInNewContext runInContext compile instance_eval class_eval loadstring timeit",
    ),
    evaluates,
  ],
];

export const sinkOf = (name: string): Sink | undefined => SINKS.find(([names]) => names.has(name))?.[1];
