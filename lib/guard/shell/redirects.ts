// Redirections: what a command reads from, and which files its output lands in.
import type { Redirection, Word } from "unbash";
import { emptyFiles } from "../packs/sources.ts";
import { locate, readFile, writeFile } from "./file-effects.ts";
import type { Shell } from "./state.ts";
import { DECODED, FETCHED, UNKNOWN } from "./unknowns.ts";
import { expandOne, expandParts, type Substitute } from "./words.ts";

type Sink = { path: string; append: boolean; stdout: boolean };
export type Streams = { stdin: string; sinks: readonly Sink[]; silent: boolean };

const isSocket = (path: string) => path.startsWith("/dev/tcp/") || path.startsWith("/dev/udp/");

function read(path: string, shell: Shell): string {
  return isSocket(path) ? FETCHED : (readFile(path, shell) ?? (path === "/dev/null" ? "" : UNKNOWN));
}

function bodyOf(redirect: Exclude<Redirection, { type: "Redirect" }>, shell: Shell, run: Substitute): string {
  if (redirect.type === "HereString")
    return redirect.target ? `${expandOne(redirect.target, shell, run)}\n` : "";
  const { body, delimiter } = redirect;
  if (delimiter?.quoted) return body.text;
  return body.parts ? expandParts(body.parts, shell, run) : body.text.replace(/\\([\\$`])|\\\n/g, "$1");
}

/** The descriptor a redirection is about, when it is written out. */
const numberOf = (redirect: Redirection) =>
  redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : undefined;

/** `>(…)` as a target: the output becomes that command's input, so it is run with it later. */
const isPipe = (word: Word) => word.parts?.[0]?.type === "ProcessSubstitution";

export function openStreams(redirects: readonly Redirection[], shell: Shell, run: Substitute): Streams {
  let { stdin } = shell;
  let silent = false;
  const sinks: Sink[] = [];
  const setInput = (fd: number, text: string) => {
    if (fd === 0) stdin = text;
    else shell.run.files.set(`/dev/fd/${fd}`, text);
  };
  for (const redirect of redirects) {
    const fd = numberOf(redirect);
    if (redirect.type !== "Redirect") {
      setInput(fd ?? 0, bodyOf(redirect, shell, run));
      continue;
    }
    if (!redirect.target || isPipe(redirect.target)) {
      if (redirect.operator === "<" && redirect.target)
        setInput(fd ?? 0, read(expandOne(redirect.target, shell, run), shell));
      continue;
    }
    const path = expandOne(redirect.target, shell, run);
    const { operator } = redirect;
    if (operator === "<") setInput(fd ?? 0, read(path, shell));
    else if (operator === "<&") setInput(fd ?? 0, shell.run.files.get(`/dev/fd/${path}`) ?? UNKNOWN);
    else if (operator === ">&" && (path === "-" || /^\d+$/.test(path))) {
      if (fd === 0 && sinks.some((sink) => isSocket(sink.path))) stdin = FETCHED;
      if ((fd ?? 1) === 1 && path !== "1") silent = true;
    } else {
      const stdout = (fd ?? 1) === 1 || operator.startsWith("&");
      if (isSocket(path) && fd !== undefined) shell.run.files.set(`/dev/fd/${fd}`, FETCHED);
      sinks.push({ path, append: operator.endsWith(">>"), stdout });
    }
  }
  return { stdin, sinks, silent };
}

/** Lets the output run into its files; gives back what still flows on. */
export function closeStreams(
  streams: Streams,
  redirects: readonly Redirection[],
  output: string,
  shell: Shell,
  run: Substitute,
  isExec: boolean,
): string {
  for (const { path, append, stdout } of streams.sinks) {
    if (stdout && !append && output.trim() === "") emptyFiles([path], shell);
    writeFile(
      path,
      shell,
      stdout ? output : (shell.run.files.get(locate(path, shell).path) ?? ""),
      stdout && append,
    );
  }
  const piped = redirects.flatMap((one) =>
    one.type === "Redirect" && one.operator !== "<" && one.target && isPipe(one.target) ? [one.target] : [],
  );
  // After `exec > >(cmd)` the command reads what the rest of the line prints there, which is not followed.
  for (const target of piped) expandOne(target, { ...shell, stdin: isExec ? DECODED : output }, run);
  const caught =
    streams.silent ||
    piped.length > 0 ||
    streams.sinks.some((sink) => sink.stdout && !["/dev/stdout", "/dev/fd/1"].includes(sink.path));
  return caught ? "" : output;
}
