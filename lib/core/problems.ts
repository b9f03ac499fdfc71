// What a store met on its way and could work environment: the runner writes these to the error log at the end.
import { shared } from "./process-wide.ts";

export const noteProblem = (what: string): void => {
  shared().problems.push(what);
};

export const takeProblems = (): string[] => shared().problems.splice(0);
