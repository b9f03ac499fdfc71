export function sha256(content: string | Uint8Array): string {
  const { createHash } = require("node:crypto") as typeof import("node:crypto"); // loaded here: few calls need it
  return createHash("sha256").update(content).digest("hex");
}
