// What stands in dist/hooks for every event; the build puts in its own name and the body to run. Code that cannot be loaded,
// as in the moment of an update, stops no client either.
import { writeFileSync } from "node:fs";
import { type Parts, partsOf } from "./code-cache.ts";
import { type Guard, mayBeQuiet, passQuietly } from "./quiet-call.ts";
import { keepStdin } from "./stdio.ts";
import { environment } from "./surroundings.ts";

declare const BUILD: string;
declare const BEFORE_TOOLS: boolean;

function isDone(parts: Parts): boolean {
  const payload = keepStdin();
  const guard = () => parts.load("lazy/command-guard-check.cjs") as Guard;
  return mayBeQuiet(payload, environment()) && passQuietly(payload, environment(), guard);
}

/** Before a tool nothing is waited for, and all is written by now: what node still does to end in good order, the system does
 *  anyway, and faster. Not documented; a node that does not know it just ends. */
function leaveAtOnce(): void {
  const node = process as { reallyExit?: (code: typeof process.exitCode) => void };
  node.reallyExit?.(process.exitCode ?? 0);
}

try {
  const parts = partsOf(__dirname.slice(0, -"/hooks".length), BUILD);
  if (!(BEFORE_TOOLS && isDone(parts))) parts.load("BODY");
  parts.keep();
  if (BEFORE_TOOLS) leaveAtOnce();
} catch (error) {
  writeFileSync(2, `swarm: this hook could not be loaded: ${(error as Error).message}\n`);
}
