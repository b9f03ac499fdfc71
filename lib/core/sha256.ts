/** In hexadecimal digits. */
export function sha256(text: string): string {
  const { createHash } = require("node:crypto") as typeof import("node:crypto"); // loaded here: few calls need it
  return createHash("sha256").update(text).digest("hex");
}
