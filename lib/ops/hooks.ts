// What sessions leave behind is taken away when it is old: once a day, after a session's start, and never what somebody may want
// back. That is `swarm gc`'s, which a person asks for.

import type * as events from "../hook/events.ts";
import type { Handler } from "../hook/run.ts";
import { dailyUpkeep } from "./leftovers.ts" with { loading: "lazy" };
import { isUpkeepDue } from "./store/upkeep.ts";

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  if (!isUpkeepDue(ctx.paths, ctx.now)) return;
  return {
    after: () => {
      dailyUpkeep(ctx);
    },
  };
};
