// What leaves the machine, and for whom: unattended sessions send nothing; a person's session sends only to the contacts
// they have tagged (seed 002's mode table). Which tools send is a setting, so nothing is caught by accident.

import type * as events from "../hook/events.ts";
import type { Handler } from "../hook/run.ts";
import { checkCall } from "./check.ts" with { loading: "lazy" };

/** In a person's own session only the tools they named count; unattended ones also meet a list of well-known senders. */
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  if (ctx.mode === "interactive" && ctx.settings["comms.tools"].length === 0) return undefined;
  return checkCall(ctx);
};
