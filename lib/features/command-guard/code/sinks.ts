// Calls of other languages that run, delete, write or kill, each translated into the shell command that does the same.
import { isAmong } from "../../../parse/among.ts";
import type { Value } from "./results.ts";

/** `argv` is judged as a command line, `code` as shell text, `source` as more code of the same language. */
export type Effect = { argv: readonly string[] } | { code: string } | { source: string };
type Sink = (args: readonly Value[], name: string) => readonly Effect[];

const pathsOf = (value: Value | undefined) => (value ? (value.list ?? [value.text]) : []);
const isRecursive = (args: readonly Value[]) =>
  args.some(({ raw = "" }) => /recursive|force\s*[:=]/i.test(raw));

const runs: Sink = (args, name) => {
  const [first, second] = args;
  if (!first) return [];
  if (first.list) return first.list.length === 1 ? [{ code: first.list[0] ?? "" }] : [{ argv: first.list }];
  if (second?.list?.length) return [{ argv: [first.text, ...second.list] }];
  const isArgumentList =
    args.length > 1 &&
    /^(exec[lv]|spawnl|spawnv|system|exec$|spawn$|posix_spawn|create_subprocess_exec|capture|popen|Command$)/.test(
      name,
    );
  const words = args
    .filter(({ list, raw = "" }) => !list && !/[=:{]/.test(raw.slice(0, 24)))
    .map(({ text }) => text);
  return isArgumentList && words.length > 1
    ? [{ argv: words }, { code: words.join(" ") }]
    : [{ code: first.text }];
};

const deletesTree: Sink = ([first]) => pathsOf(first).map((path) => ({ argv: ["rm", "-rf", "--", path] }));
const deletesFile: Sink = ([first]) => pathsOf(first).map((path) => ({ argv: ["rm", "--", path] }));
const deletes: Sink = (args, name) => (isRecursive(args.slice(1)) ? deletesTree : deletesFile)(args, name);
const writes: Sink = ([first]) => pathsOf(first).map((path) => ({ argv: ["tee", path] }));

/** open(path, mode), and Perl's open(handle, mode, path) and open(handle, ">path"). */
const opens: Sink = ([first, second, third]) => {
  const mode = second?.text ?? "";
  if (third && /^[+>|<-]+/.test(mode)) {
    if (/\||^-/.test(mode)) return [{ code: third.text }];
    return mode.includes(">") ? [{ argv: ["tee", third.text] }] : [];
  }
  const [, target] = /^\s*\+?>{1,2}\s*(.+)$/s.exec(mode) ?? [];
  if (target) return [{ argv: ["tee", target] }];
  const [, piped] = /^\s*\|\s*(.+)$|^(.+)\|\s*$/s.exec(mode) ?? [];
  if (piped) return [{ code: piped }];
  return first && /^[rbtU]*[wax+][+btU]*$/.test(mode) ? [{ argv: ["tee", first.text] }] : [];
};

const pair =
  (...verb: string[]): Sink =>
  ([from, to]) =>
    from && to ? [{ argv: [...verb, from.text, to.text] }] : [];

const kills: Sink = (args) => {
  const [first, second] = args.map(({ text }) => text);
  if (first === undefined) return [];
  const bySignal =
    /^[A-Z]|^(9|15|2|1|0)$/.test(first) && second !== undefined && !/^(signal|SIG)/.test(first);
  const [pid, signal] =
    bySignal && !/^\d{3,}$/.test(first) ? [second ?? "", first] : [first, second ?? "TERM"];
  return signal === "0" ? [] : [{ argv: ["kill", "-9", "--", pid] }];
};

const fetchesTo: Sink = ([, to]) => (to ? [{ argv: ["curl", "-o", to.text, "https://example.com"] }] : []);

/** Mode numbers as the languages write them: 0o777, 0777. */
const chmods: Sink = ([first, second]) => {
  const [path, mode] = /^0?o?[0-7]{3,4}$/.test(first?.text ?? "") ? [second, first] : [first, second];
  return path && mode
    ? [{ argv: ["chmod", mode.text.replace(/^0o?/, "").replace(/^511$/, "777"), path.text] }]
    : [];
};

const evaluates: Sink = ([first]) => (first ? [{ source: first.text }] : []);

/** By the names of the functions that do it. */
export function sinkOf(name: string): Sink | undefined {
  const is = (names: string) => isAmong(name, names);
  if (
    is(
      "system popen popen2 popen3 Popen run call check_call check_output getoutput getstatusoutput execSync execFile execFileSync spawn spawnSync",
    )
  )
    return runs;
  if (
    is(
      "exec execa execaSync execaCommand execaCommandSync shell_exec passthru proc_open execute shell capture2 capture2e capture3 cmd Command",
    )
  )
    return runs;
  if (
    is(
      "execl execle execlp execlpe execv execve execvp execvpe spawnl spawnlp spawnv spawnvp posix_spawn posix_spawnp",
    )
  )
    return runs;
  if (is("create_subprocess_shell create_subprocess_exec shellCommand system2 shelljs exec_shell"))
    return runs;
  if (
    is(
      "rmtree rm_rf rm_r remove_tree rimraf rimrafSync emptyDir emptyDirSync remove_dir remove_entry_secure RemoveAll deleteRecursively deltree removeSync removeItem",
    )
  )
    return deletesTree;
  if (is("rm rmSync rmdir rmdirSync remove unlink unlinkSync delete rm_f removedirs truncate truncateSync"))
    return deletes;
  if (
    is(
      "writeFileSync writeFile appendFile appendFileSync createWriteStream outputFileSync outputFile writeTextFile writeTextFileSync",
    )
  )
    return writes;
  if (
    is(
      "write file_put_contents binwrite write_text write_bytes touch outputJson outputJsonSync writeJson writeJsonSync",
    )
  )
    return writes;
  if (is("open openSync fopen sysopen")) return opens;
  if (is("copyFileSync copyFile cpSync cp copy copy2 copyfile copytree copySync cp_r")) return pair("cp");
  if (is("move rename renameSync renames moveSync mv")) return pair("mv");
  if (is("symlink symlinkSync ln_s ln_sf link linkSync")) return pair("ln", "-s");
  if (is("kill killpg posix_kill")) return kills;
  if (is("urlretrieve")) return fetchesTo;
  if (is("chmod chmodSync")) return chmods;
  if (
    is(
      "eval Function runInThisContext runInNewContext runInContext compile instance_eval class_eval execScript loadstring",
    )
  )
    return evaluates;
  return undefined;
}
