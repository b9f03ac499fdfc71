// Other languages: their interpreters are a large part of the guard, loaded when one of them is called.
import { writeOutputs } from "../shell/file-effects.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { interpret } from "./interpreters.ts" with { loading: "lazy" };

const interpreter: Handler = (args, shell, name) => interpret(args, shell, name);

/** What is compiled may be run a moment later: its source matters where this very command wrote it or pipes it in. */
const compiler: Handler = (args, shell, name) => {
  writeOutputs(args, shell);
  const concerned =
    shell.run.files.size > 0 ||
    shell.stdin !== "" ||
    args.some((arg) => /^-+(tool)?exec|^-wrapper/.test(arg));
  return concerned ? interpret(args, shell, name) : undefined;
};

export const LANGUAGES = programs([
  [
    "python pypy node nodejs tsx ts-node zx bun deno perl ruby rails php lua luajit Rscript R julia elixir iex mix erl groovy scala octave ghc swift crystal nim jshell jrunscript awk gawk mawk nawk osascript",
    interpreter,
  ],
  ["go gcc cc g++ c++ clang clang++ tcc", compiler],
]);
