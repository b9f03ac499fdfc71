// Text of others on a terminal: without what would move the cursor, colour the screen or pass for a line of ours.

export const plainLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ").trim();

/** Newline and tab stay. */
export const plainText = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g, "");
