// What a tool call costs in the real client, with the plugin and without: processes counted by a `node` on the client's PATH that
// notes each start, time by when the model is asked again.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS, type Client } from "./support/clients.ts";
import type { ToolCall } from "./support/script.ts";
import { bash } from "./support/tools.ts";
import { PLUGIN, TEAMS } from "./support/world.ts";

const CALLS = 20;
const read = (path: string): ToolCall => ({ name: "Read", input: { file_path: path } });

/** A directory whose `node` notes what it is asked to run and then is the real one. */
function aCountingNode(): { directory: string; started: () => string[] } {
  const directory = mkdtempSync(join(tmpdir(), "swarm-cost-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const log = join(directory, "log");
  const program = join(directory, "node");
  writeFileSync(program, `#!/bin/sh\necho "$*" >> '${log}'\nexec '${process.execPath}' "$@"\n`);
  chmodSync(program, 0o755);
  const scriptOf = (line: string) => line.match(/hooks\/([a-z-]+)\.cjs/)?.[1] ?? line;
  return {
    directory,
    started: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").map(scriptOf) : []),
  };
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

interface Cost {
  /** Between an answer with a tool call and the next question. */
  ms: number;
  started: string[];
}

async function costOf(client: Client, plugins: string[], tool: ToolCall): Promise<Cost> {
  const node = aCountingNode();
  const asked: number[] = [];
  const steps = Array.from({ length: CALLS + 1 }, (_, n) => () => {
    asked.push(performance.now());
    return n < CALLS ? { tools: [tool] } : { text: "over" };
  });
  const world = await aWorld({
    client,
    plugins,
    files: { "notes.md": "a note" },
    scripts: { go: steps },
    env: { ...TEAMS, PATH: `${node.directory}:${process.env["PATH"]}` },
  });
  mkdirSync(join(world.project, "made"), { recursive: true });
  const ran = await world.print("go [[go]]");
  expect(ran).toMatchObject({ code: 0, stdout: "over\n" });
  return { ms: median(asked.slice(1).map((at, n) => at - (asked[n] ?? 0))), started: node.started() };
}

const per = (started: string[], script: string) => started.filter((name) => name === script).length / CALLS;

test.each(CLIENTS)(
  "the %s client waits for one process a tool call, and starts one more beside it where something is recorded",
  async (client) => {
    const rows: string[] = [];
    for (const [name, tool, beside] of [
      ["Read", read("notes.md"), 1],
      ["Bash", bash("true"), 1],
      ["TaskList", { name: "TaskList", input: {} }, 0],
    ] as const) {
      const without = await costOf(client, [], tool);
      const with_ = await costOf(client, [PLUGIN], tool);
      expect(without.started).toEqual([]);
      expect(per(with_.started, "pre-tool-use")).toBe(1);
      const after = per(with_.started, "post-tool-use");
      expect(after).toBeLessThanOrEqual(beside);
      expect(after).toBeGreaterThanOrEqual(beside - 1 / CALLS); // the last may end with the client
      const others = new Set(with_.started.filter((script) => !script.includes("tool-use")));
      expect([...others].sort()).toEqual(["session-end", "session-start", "stop", "user-prompt-submit"]);
      rows.push(
        `| ${client}, ${name} | ${without.ms.toFixed(0)} | ${with_.ms.toFixed(0)} | 0 | 1 + ${beside} beside the turn |`,
      );
    }
    console.log(
      `| client, tool | ms without | ms with | processes without | with |\n|---|---|---|---|---|\n${rows.join("\n")}`,
    );
  },
  240_000,
);
