// What became of a spawn, in the words of the Agent tool's response (2.1.197 and 2.1.325).
import type { Answered, Fate } from "../store/spawn-ledger.ts";

const FATES: Record<string, Fate> = {
  teammate_spawned: "teammate",
  async_launched: "background",
  completed: "done",
};

export function answerOf(response: unknown): Omit<Answered, "what" | "call"> | undefined {
  if (typeof response !== "object" || response === null) return undefined;
  const said = response as Record<string, unknown>;
  const text = (key: string) => (typeof said[key] === "string" ? said[key] : undefined);
  const fate = FATES[text("status") ?? ""];
  if (!fate) return undefined;
  const pane = text("tmux_pane_id");
  return {
    fate,
    agentId: text("agentId") ?? text("agent_id"),
    name: text("name"),
    model: text("resolvedModel") ?? text("model"),
    pane: pane?.startsWith("%") ? pane : undefined,
  };
}
