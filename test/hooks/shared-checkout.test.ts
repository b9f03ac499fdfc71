// The built PreToolUse hook where agents share a repository.
import { expect, test } from "vitest";
import { PreToolUse } from "../../lib/hook/events.ts";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { aBareTree, aLinkedTree } from "../support/a-bare-tree.ts";
import { aHome } from "../support/a-home.ts";
import { anAgent } from "../support/a-repository.ts";
import { runHook } from "../support/run-built.ts";

/** From the first file that is touched behind the payload on, the machine was busy for so long. */
function late(ms: number): (name: string, args: readonly unknown[]) => void {
  let isRead = false;
  let isLate = false;
  return (name, [first]) => {
    const isInput = name === "readSync" && first === 0;
    if (isRead && !isInput && !isLate) {
      const { uptime } = process;
      process.uptime = () => uptime() + ms / 1000; // the run puts the real one back
      isLate = true;
    }
    isRead ||= isInput;
  };
}

test("however late it is, a write into another agent's tree is refused", () => {
  const home = aHome();
  const [own, bobs] = [aBareTree(home), aLinkedTree(home, "bob")];
  const now = new Date();
  for (const [name, tree] of [
    ["ada", own],
    ["bob", bobs],
  ] as const)
    writePresence(home.paths, tree, { session: anAgent(home, name, { cwd: tree.top }) }, now);
  const input = {
    ...{ session_id: "ada-session", cwd: own.top, tool_use_id: "c-1" },
    ...{ tool_name: "Write", tool_input: { file_path: `${bobs.top}/a.ts`, content: "x" } },
  };
  const beforeCall = late(PreToolUse.stoppedAfterMs ?? 0);
  const { reply } = runHook(home, "pre-tool-use", input, { beforeCall });
  expect(reply.hookSpecificOutput).toMatchObject({
    permissionDecision: "deny",
    permissionDecisionReason: expect.stringContaining("bob"),
  });
  // What only waits for its turn was skipped: it was late indeed.
  expect(home.read(".claude/swarm/errors.jsonl")).toContain('"feature":"effort","error":"skipped');
});
