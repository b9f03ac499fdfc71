/** A set of words that are written with blanks between them. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));
