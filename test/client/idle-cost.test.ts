// What the plugin costs a session that does not use it: everything it adds to the first request, counted at the mock model.
import { describe, expect, test } from "vitest";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { PLUGIN } from "./support/world.ts";

/** English text and names: about four characters a token. */
const CHARACTERS_A_TOKEN = 4;
const MOST_TOKENS = 200;

describe.each(CLIENTS)("the %s client", (client) => {
  test("a session that uses nothing of it pays less than 200 tokens", async () => {
    const text = async (plugins: string[]) => {
      const world = await aWorld({ client, plugins, scripts: { hi: [{ text: "hello" }] } });
      await world.print("say [[hi]]");
      const asked = world.model.requests.find(({ script }) => script === "hi");
      const { system, tools, messages } = (asked?.body ?? {}) as Record<string, unknown>;
      return JSON.stringify([system, tools, messages]);
    };
    const [without, withIt] = [await text([]), await text([PLUGIN])];
    const tokens = (withIt.length - without.length) / CHARACTERS_A_TOKEN;
    expect(withIt).toContain("swarm-spawn");
    expect(withIt).not.toContain("swarm-broadcast");
    expect(tokens).toBeLessThan(MOST_TOKENS);
  });
});
