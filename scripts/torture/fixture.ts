// A home in which much has happened: a team with mail of every state, tasks, an effort, sessions. What must never get lost is
// listed, so that any later state can be held against it.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sleepSync } from "../../lib/core/process.ts";
import { as, aTeam, inboxOf, TEAM } from "../../test/support/a-team.ts";
import { type Home, homeAt } from "../../test/support/home-at.ts";
import { filesIn, mailIn } from "./inspect.ts";
import { startHook, startVerb } from "./processes.ts";

export const aTorturedHome = (place = tmpdir()): Home => homeAt(mkdtempSync(join(place, "swarm-torture-")));

const PATIENCE = 40;
const PAUSE_MS = 50;

/** A helper that outlives its hook may still be at work there: then once more, with what it has brought. */
function untilAlone(work: () => void): void {
  for (let tries = 1; ; tries++) {
    try {
      work();
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (tries === PATIENCE || (code !== "ENOTEMPTY" && code !== "EEXIST")) throw error;
      sleepSync(PAUSE_MS);
    }
  }
}

export const removeTree = (path: string): void =>
  untilAlone(() => rmSync(path, { recursive: true, force: true }));

const putBack = (copy: string, path: string): void =>
  untilAlone(() => {
    removeTree(path);
    cpSync(copy, path, { recursive: true });
  });

export const removeHome = (home: Home): void => removeTree(home.root);

const READ = 52; // two more than an inbox keeps: the next mark moves them to the archive
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const mail = [
  ...Array.from({ length: READ }, (_, n) => ({ text: `read ${n}`, read: true, state: "shown" })),
  { text: "too old to be shown", timestamp: ago(40) },
  { text: "waits one" },
  { text: "waits two" },
].map((one, n) => ({ id: `f-${n}`, from: "alice", timestamp: ago(1), read: false, ...one }));

const task = (id: string, more: object) => ({
  id,
  subject: `task ${id}`,
  description: "",
  status: "pending",
  blocks: [],
  blockedBy: [],
  ...more,
});

export const BOB = { session_id: "s-bob" };
export const LEAD = { session_id: "lead-session" };

export async function fill(home: Home): Promise<void> {
  aTeam(home);
  home.write(inboxOf("bob"), mail);
  home.write(inboxOf("team-lead"), [{ ...mail.at(-1), id: "f-lead", text: "for the lead" }]);
  home.write(
    `.claude/tasks/${TEAM}/1.json`,
    task("1", { status: "in_progress", owner: "bob", blocks: ["2"] }),
  );
  home.write(`.claude/tasks/${TEAM}/2.json`, task("2", { blockedBy: ["1"] }));
  home.write(`.claude/tasks/${TEAM}/3.json`, task("3", {}));
  home.write("project/.atm.toml", `[core]\ndefault_team = "${TEAM}"\n`);
  home.write("project/transcript.jsonl", `${JSON.stringify({ type: "user" })}\n`);
  mkdirSync(home.path("project/.claude/scratchpad"), { recursive: true });
  const quiet = { ...as("bob"), SWARM_DISABLE: "inbox" };
  await startHook(home, "session-start", { ...BOB, source: "startup" }, { env: quiet });
  await startVerb(home, ["effort", "start", "fix", "--dir", "work", "--session-id", BOB.session_id]);
}

/** A home that can be brought back to how it was filled, under the same name: records hold absolute paths. */
export async function aFilledHome(
  place = tmpdir(),
): Promise<{ home: Home; renew: () => void; remove: () => void }> {
  const home = aTorturedHome(place);
  await fill(home);
  const copy = mkdtempSync(join(place, "swarm-torture-copy-"));
  cpSync(home.root, copy, { recursive: true });
  return {
    home,
    renew: () => {
      for (const name of [".claude", "project", "tmp"]) {
        putBack(join(copy, name), home.path(name));
      }
    },
    remove: () => {
      removeHome(home);
      removeTree(copy);
    },
  };
}

/** What was accepted before the fault and must still be there, wherever it was moved to. */
export function missing(home: Home, gone: readonly string[] = []): string[] {
  const texts = mailIn(home);
  const everything = filesIn(home.path(".claude"));
  const holds = (ending: RegExp, words: string) =>
    everything.some((path) => ending.test(path) && readFileSync(path, "utf8").includes(words));
  return [
    ...mail.filter((one) => !texts.has(one.text)).map((one) => `message "${one.text}"`),
    ...["1", "2", "3"]
      .filter((id) => !holds(new RegExp(`[\\\\/]${id}\\.json$`), `task ${id}`))
      .map((id) => `task ${id}`),
    ...["team-lead", "alice", "bob"]
      .filter((name) => !holds(/config\.json$/, `"${name}"`))
      .map((name) => `member ${name}`),
    ...(holds(/efforts[\\/]1[\\/].*\.json$/, "fix") ? [] : ["effort 1"]),
  ].filter((what) => !gone.includes(what));
}
