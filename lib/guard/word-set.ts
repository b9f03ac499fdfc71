export type WordSet = { has(word: string): boolean; words(): readonly string[] };

/** A set of words that are written with blanks between them; made when it is first asked, since most calls ask few of them. */
export function wordSet(text: string, separator = " "): WordSet {
  let set: ReadonlySet<string> | undefined;
  const words = () => text.split(separator);
  return {
    words,
    has(word) {
      set ??= new Set(words());
      return set.has(word);
    },
  };
}
