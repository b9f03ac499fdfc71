// What a store met on its way and could work around: the runner writes these to the error log at the end.
const met: string[] = [];

export const noteProblem = (what: string): void => {
  met.push(what);
};

export const takeProblems = (): string[] => met.splice(0);
