// Files that the default tests run less than the limits of `npm run coverage` ask for, each with its reason.
export const EXCEPTIONS: Record<string, string> = {};
