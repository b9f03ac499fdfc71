/** A short name for a text, the same each time. */
export function digest(text: string): string {
  const { createHash } = require("node:crypto") as typeof import("node:crypto"); // loaded here: few calls need it
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
