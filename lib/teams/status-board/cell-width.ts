// Columns a text takes on a terminal. A lazy part: the library makes a segmenter and compiles patterns of Unicode classes when it is
// loaded, 280 M instructions against 86 M of an empty script.
import stringWidth from "string-width";

export const cellWidth = (text: string): number => stringWidth(text);
