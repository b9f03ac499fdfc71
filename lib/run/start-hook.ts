// What stands in dist/hooks for every event; the build puts in its own name and the body to run. Code that cannot be loaded,
// as in the moment of an update, stops no client either.
import { writeFileSync } from "node:fs";
import { start } from "./code-cache.ts";
import { mayBeQuiet, passQuietly } from "./quiet-call.ts";
import { keepStdin } from "./stdio.ts";
import { environment } from "./surroundings.ts";

declare const BUILD: string;
declare const BEFORE_TOOLS: boolean;

function isDone(): boolean {
  const payload = keepStdin();
  return mayBeQuiet(payload, environment()) && passQuietly(payload, environment());
}

try {
  if (!(BEFORE_TOOLS && isDone())) start(__dirname.slice(0, -"/hooks".length), BUILD, "BODY");
} catch (error) {
  writeFileSync(2, `swarm: this hook could not be loaded: ${(error as Error).message}\n`);
}
