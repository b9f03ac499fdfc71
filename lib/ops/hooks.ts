// Daily upkeep after a session start: old files of ended sessions go. What somebody may want back is left to `swarm gc`.

import type * as events from "../hook/events.ts";
import type { Handler } from "../hook/run.ts";
import { dailyUpkeep } from "./leftovers.ts" with { loading: "lazy" };
import { isUpkeepDue } from "./store/state-files.ts";

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  if (!isUpkeepDue(ctx.paths, ctx.now)) return;
  return { after: () => dailyUpkeep(ctx) };
};
