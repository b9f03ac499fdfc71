// What Swarm counts is what the real client says it billed: subagents, a continued and a forked session, a compaction.
import { expect, test } from "vitest";
import { homeAt } from "../support/home-at.ts";
import { runSwarm } from "../support/run-built.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { bash } from "./support/tools.ts";

const used = (n: number) => ({
  input_tokens: 1_000 + n,
  cache_read_input_tokens: 20_000 * n,
  cache_creation_input_tokens: 3_000,
  cache_creation: { ephemeral_5m_input_tokens: 1_000, ephemeral_1h_input_tokens: 2_000 },
});
const SUBAGENT = {
  name: "Agent",
  input: { description: "d", prompt: "please [[sub]]", subagent_type: "general-purpose" },
};

test.each(CLIENTS)("%s: to a hundredth of its own figure", async (client) => {
  const world = await aWorld({
    client,
    plugins: [],
    scripts: {
      go: [
        { text: "first", tools: [bash("ls"), bash("pwd")], usage: used(1) },
        { tools: [SUBAGENT], usage: used(2) },
        { text: "done", usage: used(3) },
      ],
      sub: [
        { text: "hm", tools: [bash("echo")], usage: used(4) },
        { text: "sub done", usage: used(5) },
      ],
      more: [{ text: "more", usage: used(6) }],
    },
  });
  const home = homeAt(world.home);
  const counted = () => runSwarm(home, ["cost", "--json"], { env: world.env }).reply;
  const billed = async (prompt: string, ...args: string[]) => {
    const ran = await world.print(prompt, [
      "--output-format",
      "json",
      "--model",
      "claude-opus-4-5-20251101",
      ...args,
    ]);
    return JSON.parse(ran.stdout).total_cost_usd as number;
  };
  const isSame = (usd: number) => expect(Math.abs(counted().totals.usd - usd)).toBeLessThan(0.01 * usd);
  const first = await billed("go [[go]]");
  isSame(first);
  // The older client begins anew in each process; the newer one goes on counting.
  const all = (figure: number, before: number) => (figure > before ? figure : before + figure);
  const continued = all(await billed("more [[more]]", "--continue"), first);
  isSame(continued);
  const forked = all(await billed("more [[more]]", "--continue", "--fork-session"), continued);
  isSame(forked);
  if (client === "old") return; // it writes no figure down, so what a compaction costs is not known
  isSame(await billed("/compact", "--continue"));
  expect(counted().rows.map(({ key }: { key: string }) => key)).toContain("(billed beyond the transcripts)");
});
