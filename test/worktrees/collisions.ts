// What the tests of collisions have in common.
import type { Outcome } from "../../lib/hook/outcome.ts";

/** The text that an agent gets. */
export const said = ({ context, deny, ask }: Outcome): string =>
  deny ?? ask ?? (typeof context === "string" ? context : context?.text) ?? "";

export const FILES = { "a.ts": "a\n", "src/b.ts": "b\n", "with space ü.ts": "x\n" };
