// Runs the ```console blocks of a page and compares what they print. A page is one walk: its blocks share a home, in order.
//
//   $ swarm task claim 2    # as amy; exit code 1
//   > a second line of the same command
//   what it prints; a line that is only … stands for any number of lines
//
// `as NAME` runs the verb in the session of that agent, as the client's Bash tool would; without it the verb runs in a plain terminal.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInProcess } from "../../test/support/in-process.ts";

const ROOT = join(import.meta.dirname ?? __dirname, "..", "..");
/** The home that pages show. */
const SHOWN_HOME = "/home/ann";
const SHOWN_PROJECT = `${SHOWN_HOME}/shop`;

export interface Step {
  /** The lines of the page that hold the expected output, the end excluded. */
  from: number;
  to: number;
  command: string;
  as?: string;
  exitCode: number;
  expected: string;
}

export interface Result extends Step {
  printed: string;
  status: number | null;
}

export function stepsIn(page: string): Step[] {
  const steps: Step[] = [];
  let inside = false;
  for (const [at, line] of page.split("\n").entries()) {
    if (line.startsWith("```")) inside = !inside && line === "```console";
    else if (!inside) continue;
    else if (line.startsWith("$ ")) steps.push(stepOf(line.slice(2), at + 1));
    else {
      const step = steps.at(-1);
      if (!step) throw new Error(`line ${at + 1}: output before any command`);
      if (line.startsWith("> ") && step.to === step.from) {
        step.command += `\n${line.slice(2)}`;
        step.from = step.to = at + 1;
      } else {
        step.expected += `${line}\n`;
        step.to = at + 1;
      }
    }
  }
  return steps;
}

/** Everything else needs a client, a network or a screen: such a block is marked `text` or `sh`. */
const RUNNABLE = /^(swarm|npm start|node plugin\/|cat|cp|ls|mkdir|printf)\b/;

function stepOf(line: string, at: number): Step {
  const [, command = line, remark = ""] = line.match(/^(.*?)\s+# (.*)$/) ?? [];
  if (!RUNNABLE.test(command))
    throw new Error(`line ${at}: \`${command}\` is not a command that pages may run`);
  return {
    from: at,
    to: at,
    command,
    as: remark.match(/\bas ([\w-]+)/)?.[1],
    exitCode: Number(remark.match(/exit code (\d+)/)?.[1] ?? 0),
    expected: "",
  };
}

const WORD = /"[^"\\$`\n]*"|'[^'\n]*'|[^\s"'\\$`&|;<>()*?[\]{}~#!]+/;
const PLAIN_CALL = new RegExp(`^swarm( (${WORD.source}))+$`);
/** Verbs that answer later, or are about their own process. */
const OF_ITS_OWN = ["demo", "notify", "serve", "relay"];

/** The words of a call of `swarm` in which the shell has nothing to do: it needs no process. */
export function plainCall(command: string): string[] | undefined {
  if (!PLAIN_CALL.test(command)) return undefined;
  const [, ...words] = command.match(new RegExp(WORD, "g")) ?? [];
  if (OF_ITS_OWN.includes(words[0] ?? "")) return undefined;
  return words.map((word) => (/^["']/.test(word) ? word.slice(1, -1) : word));
}

/** What differs from run to run: ids, times, sizes, process numbers. */
export const normalised = (text: string): string =>
  text
    .replace(/\b(?=[a-z]*\d)[0-9a-z]{8}-[0-9a-z]{2,6}\b|\b[a-z]{8}-(?=[a-z]*\d)[0-9a-z]{2,6}\b/g, "<id>")
    .replace(/\d{4}-\d\d-\d\d(T[\d:.]+Z| \d\d:\d\d)?/g, "<time>")
    .replace(/\b\d+(\.\d+)?( ?)(ms|s|KB|MB)\b/g, "<n>$2$3")
    .replace(/\b\d+(?=[smh]\b)/g, "<n>")
    .replace(/\bprocess \d+/g, "process <n>")
    .replace(/\bNode \d+\.\d+\.\d+/g, "Node <version>")
    .replace(/\S*swarm-(demo|docs)-\w+/g, "<home>")
    .replace(/(?<=\S) {2,}/g, "  ") // columns move with what stands in them
    .replace(/ +$/gm, "")
    .trimEnd();

/** True when the lines agree; a line … in `expected` stands for any number of them. */
export function agrees(expected: string, printed: string): boolean {
  const pattern = normalised(expected)
    .split("\n")
    .map((line) =>
      line.trim() === "…" ? "(?:.*\\n)*?" : `${line.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\n`,
    )
    .join("");
  return new RegExp(`^${pattern}$`).test(`${normalised(printed)}\n`);
}

class Stage {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), "swarm-docs-")));
  readonly project = join(this.home, "shop");
  /** Stand-ins for client processes: whether an agent is alive is decided by its process. */
  readonly clients = new Map<string, ChildProcess>();

  constructor() {
    mkdirSync(this.project);
    mkdirSync(join(this.home, "tmp"));
    spawnSync("git", ["init", "-q"], { cwd: this.project });
  }

  run(command: string, as: string | undefined): { printed: string; status: number | null } {
    const env = as ? this.sessionOf(as) : this.terminal();
    const words = plainCall(command);
    if (words) {
      const { stdout, stderr, exitCode } = runInProcess({
        ...{ name: "swarm", args: words, input: "", env, cwd: this.project },
      });
      return { printed: this.asShown(stdout + stderr), status: exitCode };
    }
    const inCheckout = /^(npm|node) /.test(command);
    const done = spawnSync("bash", ["-c", `exec 2>&1\n${command}`], {
      cwd: inCheckout ? ROOT : this.project,
      env,
      encoding: "utf8",
      timeout: 60_000,
    });
    return { printed: this.asShown(done.stdout), status: done.status };
  }

  terminal(): Record<string, string> {
    return {
      PATH: `${join(ROOT, "plugin/bin")}:${process.env["PATH"]}`,
      HOME: this.home,
      TMPDIR: join(this.home, "tmp"),
      npm_config_loglevel: "silent",
    };
  }

  /** What the client gives to a Bash call in the session of `agent`; the first use starts that session. */
  sessionOf(agent: string): Record<string, string> {
    const isNew = !this.clients.has(agent);
    const client =
      this.clients.get(agent) ?? spawn("sleep", ["1000"], { stdio: "ignore", env: this.terminal() });
    this.clients.set(agent, client);
    const session = `${agent}-session`;
    const env = {
      ...this.terminal(),
      CLAUDECODE: "1",
      CLAUDE_PID: String(client.pid),
      CLAUDE_CODE_SESSION_ID: session,
      CLAUDE_PROJECT_DIR: this.project,
    };
    if (isNew)
      runInProcess({
        ...{ name: "session-start", args: [], env, cwd: this.project },
        input: JSON.stringify({
          hook_event_name: "SessionStart",
          session_id: session,
          cwd: this.project,
          source: "startup",
        }),
      });
    return env;
  }

  asShown(text: string): string {
    return text.replaceAll(this.project, SHOWN_PROJECT).replaceAll(this.home, SHOWN_HOME);
  }

  end(): void {
    for (const client of this.clients.values()) client.kill();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

export function runPage(page: string, isWanted = (_: Step) => true): Result[] {
  const steps = stepsIn(page).filter(isWanted);
  if (steps.length === 0) return [];
  const stage = new Stage();
  try {
    return steps.map((step) => ({ ...step, ...stage.run(step.command, step.as) }));
  } finally {
    stage.end();
  }
}

/** Where the page leaves lines out, it goes on to: as many at the beginning and at the end as before. */
function abridged(expected: string, printed: string): string[] {
  const lines = printed === "" ? [] : printed.trimEnd().split("\n");
  const shown = expected.trimEnd().split("\n");
  const head = shown.indexOf("…");
  if (head < 0) return lines;
  const tail = shown.length - 1 - shown.lastIndexOf("…");
  return [...lines.slice(0, head), "…", ...lines.slice(Math.max(head, lines.length - tail))];
}

/** The page with what its commands print now, where that is not what it says. */
export function withOutput(page: string): string {
  const lines = page.split("\n");
  for (const { from, to, expected, printed } of runPage(page).reverse())
    if (!agrees(expected, printed)) lines.splice(from, to - from, ...abridged(expected, printed));
  return lines.join("\n");
}
