// A question where a person can answer it, a refusal elsewhere.
import { attendanceOf } from "../hook/environment.ts";
import type { Outcome } from "../hook/outcome.ts";
import type { SharedCall } from "./judge-shared.ts";

export const askOrDeny = (ctx: SharedCall, reason: string, rule: string): Outcome =>
  attendanceOf(ctx) === "attended" ? { ask: reason, rule } : { deny: reason, rule };
