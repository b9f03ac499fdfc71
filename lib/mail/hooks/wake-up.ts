// Where nothing watches a file, a session is woken by a line typed into its pane. That line says only that something
// finished; here it is made into what finished, for this conversation and nobody else's (seed 002).

import { MAIN, readVoiceContext, updateVoiceContext } from "../../context/store/window.ts";
import type * as events from "../../hook/events.ts";
import type { Handler } from "../../hook/run.ts";
import { readFinished } from "../store/finished-work.ts";
import { isWakeUp, summaryOf } from "../wake-summary.ts";

export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => {
  const { session_id: session, prompt } = ctx.input;
  if (!isWakeUp(prompt) || !session) return;
  const upTo = readVoiceContext(ctx.paths, session, MAIN).summedUpTo ?? ctx.record?.startedAt;
  const { team, agent } = ctx.identity;
  const finished = readFinished(ctx.paths, { session, team, agent }, new Date(upTo ?? 0));
  const latest = finished[0]?.at.toISOString();
  if (latest) updateVoiceContext(ctx.paths, session, MAIN, (stored) => ({ ...stored, summedUpTo: latest }));
  return {
    context: {
      name: "finished work",
      text: summaryOf(finished, ctx.now),
      where: "swarm inbox",
      priority: 80,
    },
    journal: [{ what: "wake-up", finished: finished.length }],
  };
};
