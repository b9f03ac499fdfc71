// Where nothing watches a file, a session is woken by a line typed into its pane. That line says only that something
// finished; here it is made into what finished, for this conversation and nobody else's (seed 002).
import type * as events from "../run/events.ts";
import type { Handler } from "../run/hook.ts";
import { MAIN, readVoiceContext, updateVoiceContext } from "../store/context-window.ts";
import { readFinished } from "../store/finished-work.ts";
import { isWakeUp, summaryOf } from "./wake-up/summary.ts";

export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => {
  const { session_id: session, prompt } = ctx.input;
  if (!isWakeUp(prompt) || !session) return;
  const upTo = readVoiceContext(ctx.places, session, MAIN).summedUpTo ?? ctx.record?.startedAt;
  const { team, agent } = ctx.identity;
  const finished = readFinished(ctx.places, { session, team, agent }, new Date(upTo ?? 0));
  const latest = finished[0]?.at.toISOString();
  if (latest) updateVoiceContext(ctx.places, session, MAIN, (stored) => ({ ...stored, summedUpTo: latest }));
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
