// The verdict on a path that a tool would write. Apart from the engine: a file tool must not pay for the shell parser.
import { withoutForgedHoles } from "./holes.ts";
import { resolvePath } from "./paths.ts";
import { verdictOf } from "./policy.ts";
import { whyProtected } from "./protected.ts";
import { normalised, type Situation, type Verdict } from "./situation.ts";

/** Longer than any system takes. */
const LONGEST = 32_768;

export function judgeWrite(path: string, given: Situation): Verdict | undefined {
  if (path.length > LONGEST) return verdictOf([{ rule: "unverifiable", subject: path.slice(0, 60) }], given);
  const situation = normalised(given);
  const clean = withoutForgedHoles(path).replace(/^~(?=\/|$)/, situation.home);
  const target = resolvePath(clean, situation.cwd);
  const rule = whyProtected(target, situation, "write");
  return rule && verdictOf([{ rule, subject: "", path: target }], situation);
}
