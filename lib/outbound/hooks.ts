// Outgoing communication (Claude OS hooks, docs/origins.md): unattended sessions send nothing; a person's session sends only to
// contacts they have tagged. Which tools send is a setting, so that none is denied by accident.

import type * as events from "../hook/events.ts";
import type { Handler } from "../hook/run.ts";
import { checkCall } from "./check.ts" with { loading: "lazy" };

/** In a person's session only the tools of the setting count; in unattended ones also a list of well-known senders. */
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  if (ctx.mode === "interactive" && ctx.settings["comms.tools"].length === 0) return undefined;
  return checkCall(ctx);
};
