// Other languages: their page is large and stands in a bundle of its own, loaded when one of them is called.
import type { Handler, Page } from "../handler.ts";

const interpreter: Handler = (args, shell, name) => {
  const { interpret } = require("./interpreters.ts") as typeof import("./interpreters.ts");
  return interpret(args, shell, name);
};

export const LANGUAGES: Page = (is) =>
  is(
    "python pypy ipython node nodejs tsx ts-node bun deno perl ruby php lua luajit Rscript R julia elixir groovy scala octave guile ghc swift emacs crystal nim awk gawk mawk nawk go osascript",
  )
    ? interpreter
    : undefined;
