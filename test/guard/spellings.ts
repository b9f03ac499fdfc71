// Other spellings of a command: each does the same when it is run.

export type Spelling = (command: string) => string;

const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const double = (text: string) => `"${text.replace(/["\\$`]/g, "\\$&")}"`;

/** No operator, expansion or quote: the words can be moved about. */
export const isSimple = (command: string) => /^[\w./:=@ -]+$/.test(command);

/** For any command. */
export const AROUND: Spelling[] = [
  (c) => `bash -c ${single(c)}`,
  (c) => `sh -c ${double(c)}`,
  (c) => `bash -lc ${single(c)}`,
  (c) => `eval ${single(c)}`,
  (c) => `ls && ${c}`,
  (c) => `ls; ${c}`,
  (c) => `false || ${c}`,
  (c) => `ls\n${c}`,
  (c) => `(${c}\n)`,
  (c) => `{ ${c}\n}`,
  (c) => `if true; then ${c}\nfi`,
  (c) => `for i in 1 2; do ${c}\ndone`,
  (c) => `while read -r x; do ${c}\ndone < list`,
  (c) => `f() { ${c}\n}; f`,
  (c) => `case x in *) ${c}\n;; esac`,
  (c) => `bash <<'END_OF_IT'\n${c}\nEND_OF_IT`,
  (c) => `cat <<'END_OF_IT' | bash\n${c}\nEND_OF_IT`,
  (c) => `bash <<< ${single(c)}`,
  (c) => `echo ${single(c)} | sh`,
  (c) => `printf '%s\\n' ${single(c)} | bash -s`,
  (c) => `source <(echo ${single(c)})`,
  (c) => `echo ${single(c)} > /tmp/s.sh && bash /tmp/s.sh`,
  (c) => `SPELLED=${single(c)}; eval "$SPELLED"`,
  (c) => `trap ${single(c)} EXIT`,
  (c) => `echo x | xargs -I@@ sh -c ${single(c)}`,
  (c) => `timeout 10 bash -c ${single(c)}`,
  (c) => `env SOME_NAME=1 sh -c ${single(c)}`,
  (c) => `nice -n 5 bash -c ${single(c)}`,
  (c) => `python3 -c ${single(`import os; os.system(${JSON.stringify(c)})`)}`,
  (c) => `node -e ${single(`require("child_process").execSync(${JSON.stringify(c)})`)}`,
  (c) => `tmux new-session -d ${single(c)}`,
  (c) => `# a comment\n${c}\n# another`,
];

/** For commands of plain words. */
export const WORDWISE: Spelling[] = [
  (c) => `env ${c}`,
  (c) => `env -i A=1 ${c}`,
  (c) => `command ${c}`,
  (c) => `timeout -k 1 5 ${c}`,
  (c) => `nohup ${c} >/dev/null 2>&1`,
  (c) => `nice ${c}`,
  (c) => `setsid ${c}`,
  (c) => `stdbuf -oL ${c}`,
  (c) => `time ${c}`,
  (c) => `! ${c}`,
  (c) => `${c} 2>/dev/null`,
  (c) => c.replace(/ /g, "  "),
  (c) => c.replace(" ", " \\\n  "),
  (c) => c.replace(/^(\w)(\w+)/, "$1''$2"),
  (c) => c.replace(/^(\w+)/, '"$1"'),
  (c) => c.replace(/^(\w+)/, "\\$1"),
  (c) => `N=${c.split(" ")[0]}; $N ${c.split(" ").slice(1).join(" ")}`,
  (c) => `A=(${c}); "\${A[@]}"`,
  (c) => `run() { "$@"; }; run ${c}`,
  (c) => `set -- ${c}; "$@"`,
  (c) => `find . -maxdepth 0 -exec ${c} \\;`,
];
