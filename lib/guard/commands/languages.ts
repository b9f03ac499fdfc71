// Other languages: their interpreters are a large part of the guard, loaded when one of them is called.
import { type Handler, programs } from "../shell/programs.ts";
import { interpret } from "./interpreters.ts" with { loading: "lazy" };

const interpreter: Handler = (args, shell, name) => interpret(args, shell, name);

export const LANGUAGES = programs([
  [
    "python pypy node nodejs tsx ts-node bun deno perl ruby rails php lua luajit awk gawk mawk nawk osascript",
    interpreter,
  ],
]);
