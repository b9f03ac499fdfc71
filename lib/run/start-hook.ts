// What stands in dist/hooks for every event; the build puts in its own name and the body to run. Code that cannot be loaded,
// as in the moment of an update, stops no client either.
import { writeFileSync } from "node:fs";
import { start } from "./code-cache.ts";

declare const BUILD: string;

try {
  start(__dirname.slice(0, -"/hooks".length), BUILD, "BODY");
} catch (error) {
  writeFileSync(2, `swarm: this hook could not be loaded: ${(error as Error).message}\n`);
}
