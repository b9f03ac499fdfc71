// Other languages: their interpreters are a large part of the guard, loaded when one of them is called.
import { type Handler, programs } from "../shell/programs.ts";
import { interpret } from "./interpreters.ts" with { loading: "lazy" };

const interpreter: Handler = (args, shell, name) => interpret(args, shell, name);

export const LANGUAGES = programs([
  [
    "python pypy ipython node nodejs tsx ts-node zx bun deno perl ruby rails php lua luajit Rscript R julia elixir iex mix erl groovy scala clojure octave guile racket sbcl ghc swift emacs crystal nim jshell jrunscript awk gawk mawk nawk go osascript gcc cc g++ c++ clang clang++ tcc",
    interpreter,
  ],
]);
