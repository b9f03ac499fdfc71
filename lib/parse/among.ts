// Lists of words and of signs. Every process would have to compile a regular expression anew, and that costs more than all
// it is asked in its short life; these cost nothing before they are asked.

/** `words` has a blank between each two; so `word` has none. */
export const isAmong = (word: string, words: string): boolean =>
  word !== "" && words.includes(word) && !word.includes(" ") && ` ${words} `.includes(` ${word} `);

/** Exactly one sign, and one of these. */
export const isOneOf = (sign: string, signs: string): boolean => sign.length === 1 && signs.includes(sign);

const DIGITS = "0123456789";
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
export const isDigit = (sign: string): boolean => isOneOf(sign, DIGITS);
export const isLetter = (sign: string): boolean => isOneOf(sign, LETTERS);
const isNameSign = (sign: string) => isLetter(sign) || sign === "_" || isDigit(sign);
export const isHexadecimal = (text: string): boolean =>
  text !== "" && [...text].every((sign) => isOneOf(sign, "0123456789abcdef"));
export const isNumber = (text: string): boolean => text !== "" && [...text].every(isDigit);

/** How many signs of `text` from there on are a variable's name. */
export function nameLength(text: string, from = 0): number {
  if (isDigit(text.charAt(from))) return 0;
  let at = from;
  while (isNameSign(text.charAt(at))) at++;
  return at - from;
}

/** Whether `text` holds letters, digits, `_` and `more` only. */
export const isWord = (text: string, more: string): boolean =>
  text !== "" && [...text].every((sign) => isNameSign(sign) || isOneOf(sign, more));

/** `python3.11`, `gcc-13`: without the number. */
export function withoutVersion(name: string): string {
  let at = name.length;
  while (isDigit(name.charAt(at - 1)) || name.charAt(at - 1) === ".") at--;
  while (name.charAt(at) === ".") at++;
  return at === name.length ? name : name.slice(0, name.charAt(at - 1) === "-" ? at - 1 : at);
}
