// The board, the doctor and the report in the real client: by their bare names, over what its own hooks have left.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import type { Scripts } from "./support/script.ts";
import { errorsOf } from "./support/state.ts";
import { bash } from "./support/tools.ts";

const runs = (command: string): Scripts[string] => [{ tools: [bash(command)] }, { text: "shown" }];

describe.each(CLIENTS)("the %s client", (client) => {
  test("/swarm-status, /swarm-doctor and /swarm-report answer to their bare names", async () => {
    const world = await aWorld({
      client,
      scripts: {
        make: [
          { tools: [bash("swarm create crew 'two of us'")] },
          { tools: [bash("pkill -f node")] },
          { text: "made" },
        ],
        status: runs("swarm status"),
        doctor: runs("swarm doctor"),
        report: runs("swarm report --team crew --out report.html"),
      },
    });
    await world.print("go [[make]]");

    await world.print("/swarm-status --team crew [[status]]");
    expect(world.seen("status")[0]).toContain("Run `swarm status` with the Bash tool");
    expect(world.seen("status")[0]).toMatch(/<arguments>\n--team crew \[\[status\]\]\n<\/arguments>/);
    expect(world.seen("status")[1]).toMatch(/sessions on this machine: 1 working[\s\S]*Bash began \d+s ago/);

    await world.print("/swarm-doctor [[doctor]]");
    expect(world.seen("doctor")[0]).toContain("Run `swarm doctor` with the Bash tool");
    expect(world.seen("doctor")[1]).toMatch(/ok {4}the command guard protects/);
    expect(world.seen("doctor")[1]).toMatch(/0 bad, \d+ to look at, \d+ in order/);

    await world.print("/swarm-report --team crew [[report]]");
    expect(world.seen("report")[0]).toContain("Run `swarm report` with the Bash tool");
    expect(world.seen("report")[1]).toMatch(/report\.html\n1 agent, \d+ entries, 0 tasks\./);
    const page = readFileSync(join(world.project, "report.html"), "utf8");
    expect(page).toContain("<h1>crew</h1>");
    expect(page).toContain("kill-by-name");
    expect(errorsOf(world)).toBe("");
  });
});
