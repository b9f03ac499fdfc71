// The client's own way of writing, by proper-lockfile itself, beside ours on the same inbox and the same task list. Real clients of
// both versions do the same in test/client/shared-files.test.ts.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { as, aTeam, inboxOf, TEAM } from "../../test/support/a-team.ts";
import type { Home } from "../../test/support/home-at.ts";
import { aTorturedHome, removeHome } from "./fixture.ts";
import { damaged, filesIn, mailIn } from "./inspect.ts";
import { inLanes, startVerb } from "./processes.ts";
import { isOver, type Scenario } from "./scenario.ts";
import { described, isMeant } from "./verdict.ts";

const WRITER = join(import.meta.dirname, "client-writer.cjs");
const WRITERS = 2;
const EACH = 100;
const TASKS = `.claude/tasks/${TEAM}`;

export const clientProtocol: Scenario = {
  name: "the client's own locking beside ours",
  weight: 1,
  atLeast: { points: 10 },
  run: async (ask) => {
    const home = aTorturedHome();
    try {
      aTeam(home);
      home.write(inboxOf("bob"), []);
      mkdirSync(home.path(TASKS), { recursive: true });
      const failures: string[] = [];
      const theirs = writers(home);
      const ours: string[] = [];
      const calls = Array.from({ length: EACH }, (_, n) => n);
      await inLanes(
        4,
        calls,
        async (n) => {
          const isMail = n % 2 === 0;
          const words = isMail ? ["send", "bob", `ours ${n}`] : ["task", "create", `ours ${n}`];
          const ran = await startVerb(home, words, { env: as("alice") });
          if (!isMeant({ isHook: false }, ran)) failures.push(described(ran));
          ask.count.points++;
          if (ran.exitCode === 0) ours.push(`${isMail ? "mail" : "task"} ours ${n}`);
        },
        () => !isOver(ask),
      );
      const accepted = [...ours, ...(await Promise.all(theirs)).flat()];
      const there = new Set([...[...mailIn(home)].map((text) => `mail ${text}`), ...subjects(home)]);
      failures.push(
        ...accepted.filter((one) => !there.has(one)).map((one) => `${one} is lost`),
        ...damaged(home),
      );
      return {
        done: `${WRITERS} writers as the client writes, and swarm send and swarm task, on one inbox and one task list`,
        figures: `${accepted.length} writes accepted, ${ours.length} of them ours, none lost`,
        failures,
      };
    } finally {
      removeHome(home);
    }
  },
};

const subjects = (home: Home): string[] =>
  filesIn(home.path(TASKS)).flatMap((path) =>
    /[\\/]\d+\.json$/.test(path) ? [`task ${home.json(path.slice(home.root.length)).subject}`] : [],
  );

function writers(home: Home): Promise<string[]>[] {
  return Array.from({ length: WRITERS }, (_, n) =>
    ["inbox", "tasks"].map((what) => writer(home, what, `client${n}`)),
  ).flat();
}

function writer(home: Home, what: string, name: string): Promise<string[]> {
  const path = home.path(what === "inbox" ? inboxOf("bob") : TASKS);
  const child = spawn(process.execPath, [WRITER, what, path, name, String(EACH / 2)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  const kind = what === "inbox" ? "mail" : "task";
  return new Promise((resolve) =>
    child.on("close", () => resolve(text.split("\n").flatMap((line) => (line ? [`${kind} ${line}`] : [])))),
  );
}
