// Other languages: their page is large and stands in a bundle of its own, loaded when one of them is called.
import type { Handler, Page } from "../handler.ts";

const interpreter: Handler = (args, shell, name) => {
  const { interpret } = require("./interpreters.ts") as typeof import("./interpreters.ts");
  return interpret(args, shell, name);
};

export const LANGUAGES: Page = (is) =>
  is(
    "python pypy ipython node nodejs tsx ts-node zx bun deno perl ruby rails php lua luajit Rscript R julia elixir iex mix erl groovy scala clojure octave guile racket sbcl ghc swift emacs crystal nim jshell jrunscript awk gawk mawk nawk go osascript gcc cc g++ c++ clang clang++ tcc",
  )
    ? interpreter
    : undefined;
