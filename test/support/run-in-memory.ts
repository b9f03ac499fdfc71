import { aRun } from "./a-run.ts";
import { inMemory } from "./in-memory.ts";

export const { setup, teardown } = aRun(inMemory());
