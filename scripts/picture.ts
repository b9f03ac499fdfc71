// npx tsx scripts/picture.ts [FILE]: two real clients in tmux exchange a message, and the screen becomes README's picture. The words of
// the model are scripted; everything else is as a newcomer sees it, in the default permission mode and without prepared settings. Needs
// tmux, and fetches the client on first use.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Body, Message, Step } from "../test/client/support/script.ts";
import { bash } from "../test/client/support/tools.ts";
import { until } from "../test/client/support/until.ts";
import { makeWorld, type World } from "../test/client/support/world.ts";
import { type Pane, screenAsSvg } from "./picture/svg.ts";

const [COLUMNS, ROWS] = [132, 36];
const TASK = "Read README.md and send team-lead three sentences about it.";
/** So that the lead is idle when the message comes. */
const READING_MS = 8_000;
const WORDS = "It reads a grammar and builds a tree. It needs no packages. Its tests are in test/cases.";

/** What is said when the newest of these is the last text the model got. */
const PLAY: [RegExp, Step[]][] = [
  [
    /`swarm create`, followed by/,
    [
      { tools: [bash('swarm create demo "my first team"')] },
      { text: "The team demo is made, and you lead it." },
    ],
  ],
  [
    /`swarm spawn`, followed by/,
    [
      { tools: [bash(`swarm spawn ada --wait 60 --prompt "${TASK}"`)] },
      { text: "ada is up, in the pane beside us." },
    ],
  ],
  [
    /three sentences about it/,
    [
      { tools: [bash(`swarm send team-lead "${WORDS}"`)], delayMs: READING_MS },
      { text: "I have read README.md and wrote to team-lead what is in it." },
    ],
  ],
  [/<content>It reads/, [{ text: "ada says: a grammar becomes a tree; no packages; tests in test/cases." }]],
];

const ownText = ({ content }: Message) =>
  typeof content === "string" ? content : content.map((block) => block.text ?? "").join("\n");

function answer({ messages }: Body): Step {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    const text = message && message.role !== "assistant" ? ownText(message) : "";
    const [, steps] = PLAY.find(([cue]) => cue.test(text)) ?? [];
    if (steps)
      return steps[messages.slice(at).filter((one) => one.role === "assistant").length] ?? { text: "ok" };
  }
  return { text: "ok" };
}

async function perform(world: World): Promise<Pane[]> {
  const screen = await world.tui();
  const tmux = (...words: string[]) =>
    execFileSync("tmux", ["-S", join(world.root, "tmux-0"), ...words], { encoding: "utf8" });
  tmux("resize-window", "-t", "%0", "-x", String(COLUMNS), "-y", String(ROWS));
  await screen.type("/swarm-create demo my first team");
  await screen.wait(/you lead it/, 60_000);
  await screen.type(`/swarm-spawn ada --prompt "${TASK}"`);
  await screen.wait(/Do you want to proceed/, 60_000);
  screen.keys("Enter"); // the person agrees that a teammate is started
  await screen.wait(/ada says/, 120_000);
  await until(() => !/esc to interr|running stop hook/i.test(screen.screen()), {
    what: "the lead to be idle",
  });
  const panes = tmux(
    "list-panes",
    "-a",
    "-F",
    "#{pane_id} #{pane_left} #{pane_top} #{pane_width} #{pane_height}",
  );
  await until(() => panes.split("\n").length > 2 && /wrote to team-lead/.test(screen.screen("%1")), {
    what: "ada's last words",
    ms: 60_000,
  });
  return panes
    .trim()
    .split("\n")
    .map((line) => {
      const [id = "", ...place] = line.split(" ");
      const [left = 0, top = 0, columns = 0, rows = 0] = place.map(Number);
      return { left, top, columns, rows, text: tmux("capture-pane", "-e", "-p", "-t", id) };
    });
}

/** Where it ran does not matter, and few fonts have the client's arrows. */
const shownAs = ({ root }: World): [string, string][] => [
  [root, "~"],
  ["⏵", "▸"],
  ["⏸", "‖"],
];

async function main(): Promise<void> {
  const world = await makeWorld({
    client: "latest",
    mode: "default",
    env: { ENABLE_TOOL_SEARCH: "false", COLORTERM: "truecolor" },
    files: { "README.md": "# Parser\n" },
    scripts: { "#none": [answer] },
  });
  try {
    const panes = await perform(world);
    const svg = screenAsSvg(panes, COLUMNS, ROWS, shownAs(world));
    writeFileSync(process.argv[2] ?? "docs/two-agents.svg", svg);
    console.log(`${svg.length} bytes`);
  } finally {
    await world.dispose();
  }
}

void main();
