// The prompt that `swarm wake` types says only that something finished: this adds what, for this conversation.

import { MAIN, readAgentContext, updateAgentContext } from "../../context/store/window.ts";
import type * as events from "../../hook/events.ts";
import type { Handler } from "../../hook/run.ts";
import { isWakeUp, readFinished, summaryOf } from "../wake-up.ts";

export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => {
  const { session_id: session, prompt } = ctx.input;
  if (!isWakeUp(prompt) || !session) return;
  const since = readAgentContext(ctx.paths, session, MAIN).summedUpTo ?? ctx.record?.startedAt;
  const finished = readFinished(ctx.paths, session, ctx.identity, new Date(since ?? 0));
  const latest = finished[0]?.at.toISOString();
  if (latest) updateAgentContext(ctx.paths, session, MAIN, (stored) => ({ ...stored, summedUpTo: latest }));
  const text = summaryOf(finished, ctx.now);
  return {
    context: { name: "finished work", text, where: "swarm inbox", priority: 80 },
    journal: [{ what: "wake-up", finished: finished.length }],
  };
};
