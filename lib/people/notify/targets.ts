// The ways to reach a person. Each gets the same short text, has its own time limit, and says why it failed; no shell is involved.
import { spawn } from "node:child_process";
import { closeSync, constants, openSync, writeFileSync } from "node:fs";
import { attempt } from "../../core/files.ts";
import { escapeXml } from "../../core/text.ts";
import { endGroup } from "../../system/processes.ts";
import { findProgram } from "../../system/programs.ts";
import { socketOf } from "../../system/tmux.ts";
import { labelOf, type Outcome, type Target } from "../store/moments.ts";

// Windows has neither, and no such terminal.
const { O_WRONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

export interface Message {
  title: string;
  body: string;
}

/** Where a desktop notification can go: what this process and the agents' clients have. */
export interface Desktop {
  path: string;
  platform: string;
  /** A display or a session bus to show something on. */
  hasScreen: boolean;
  tmux: string[];
  /** Client processes whose terminal may be written to. */
  pids: number[];
}

const LIMIT_MS = 10_000;

export const sendToAll = (
  targets: readonly Target[],
  message: Message,
  desktop: Desktop,
  limitMs = LIMIT_MS,
) => Promise.all(targets.map((target) => sendTo(target, message, desktop, limitMs)));

async function sendTo(target: Target, message: Message, desktop: Desktop, limitMs: number): Promise<Outcome> {
  try {
    await senderOf(target)(message, desktop, limitMs);
    return { target: labelOf(target) };
  } catch (error) {
    return { target: labelOf(target), error: reasonOf(error) };
  }
}

type Sender = (message: Message, desktop: Desktop, limitMs: number) => Promise<void>;

function senderOf(target: Target): Sender {
  if (typeof target !== "string")
    return ({ title, body }, _, limitMs) => run([...target], limitMs, `${title}\n${body}\n`);
  if (target === "desktop") return toDesktop;
  const [kind, url] = [target.slice(0, target.indexOf(":")), target.slice(target.indexOf(":") + 1)];
  return kind === "ntfy" ? toNtfy(url) : toWebhook(url);
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === "TimeoutError" || name === "AbortError") return "no answer in time";
  return cause?.code ?? cause?.message ?? message;
}

const toNtfy =
  (url: string): Sender =>
  ({ title, body }, _, limitMs) =>
    post(
      url,
      body,
      { "content-type": "text/plain; charset=utf-8", title: asciiOf(title), tags: "robot" },
      limitMs,
    );

/** A header holds no more. */
const asciiOf = (text: string) => text.replace(/[^\x20-\x7e]/g, "?");

/** As Slack and what imitates it takes it; `<!channel>` and links need an unescaped `<`. */
const toWebhook =
  (url: string): Sender =>
  ({ title, body }, _, limitMs) => {
    const text = escapeXml(`${title}\n${body}`);
    return post(url, JSON.stringify({ text }), { "content-type": "application/json" }, limitMs);
  };

async function post(
  url: string,
  body: string,
  headers: Record<string, string>,
  limitMs: number,
): Promise<void> {
  const { username, password, ...parts } = splitLogin(url);
  const login: Record<string, string> =
    username || password
      ? { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` }
      : {};
  const response = await fetch(parts.url, {
    method: "POST",
    body,
    headers: { ...headers, ...login },
    redirect: "error",
    signal: AbortSignal.timeout(limitMs),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`answered ${response.status}`);
}

/** `fetch` refuses an address with a login in it. */
function splitLogin(given: string) {
  const url = new URL(given);
  const [username, password] = [decoded(url.username), decoded(url.password)];
  url.username = "";
  url.password = "";
  return { url, username, password };
}

/** A percent sign may stand for itself. */
const decoded = (text: string): string => attempt(() => decodeURIComponent(text)) ?? text;

async function toDesktop(message: Message, desktop: Desktop, limitMs: number): Promise<void> {
  const ways = waysOn(message, desktop);
  if (ways.length === 0) throw new Error("no notify-send, osascript, tmux or terminal to show it");
  const errors: string[] = [];
  for (const way of ways)
    try {
      return await way(limitMs);
    } catch (error) {
      errors.push(reasonOf(error));
    }
  throw new Error(errors.join("; "));
}

type Way = (limitMs: number) => Promise<void>;

/** The first that works is enough. */
export function waysOn({ title, body }: Message, desktop: Desktop): Way[] {
  const has = (name: string) => findProgram(name, desktop.path);
  const notifySend = desktop.hasScreen ? has("notify-send") : undefined;
  const osascript = desktop.platform === "darwin" ? has("osascript") : undefined;
  const tmux = has("tmux");
  return [
    // Bodies are markup to many desktops.
    ...(notifySend
      ? [(ms: number) => run([notifySend, "--app-name=swarm", "--", title, escapeXml(body)], ms)]
      : []),
    // The text is an argument of the script, not a part of it.
    ...(osascript
      ? [(ms: number) => run([osascript, ...APPLE.flatMap((line) => ["-e", line]), "--", body, title], ms)]
      : []),
    ...(tmux
      ? [...new Set(desktop.tmux.map(socketOf))].map(
          (socket) => (ms: number) =>
            run([tmux, "-S", socket, "display-message", "-d", "15000", tmuxText(`${title}: ${body}`)], ms),
        )
      : []),
    ...desktop.pids.map(
      (pid) => async (ms: number) => toTerminal(await terminalOf(pid, ms), `${title}: ${body}`),
    ),
  ];
}

const APPLE = ["on run argv", "display notification (item 1 of argv) with title (item 2 of argv)", "end run"];
/** `#(…)` in a tmux message is a command that tmux runs, and `%H` the hour. */
export const tmuxText = (text: string): string => oneLine(text).replace(/[#%]/g, "$&$&");
const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");

async function terminalOf(pid: number, limitMs: number): Promise<string> {
  const tty = (await runProgram(["ps", "-o", "tty=", "-p", String(pid)], limitMs, { isRead: true })).trim();
  if (!/^[\w/]+$/.test(tty)) throw new Error("its client has no terminal");
  return `/dev/${tty}`;
}

/** OSC 9, which iTerm2, kitty, WezTerm, Windows Terminal and others show as a notification. After Ctrl-S a write would wait for ever. */
function toTerminal(path: string, text: string): void {
  const fd = openSync(path, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  try {
    writeFileSync(fd, `\u001b]9;${oneLine(text)}\u0007`);
  } finally {
    closeSync(fd);
  }
}

const run = async (command: readonly string[], limitMs: number, input?: string): Promise<void> => {
  await runProgram(command, limitMs, { input });
};

/**
 * What it prints, where that is read: then it has ended when its output has, which may be later than its process. A person's program
 * has ended with its process, whatever it leaves running.
 */
function runProgram(
  [program = "", ...args]: readonly string[],
  limitMs: number,
  { input, isRead = false }: { input?: string; isRead?: boolean },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: [input === undefined ? "ignore" : "pipe", isRead ? "pipe" : "ignore", "ignore"],
      detached: true,
    });
    let said = "";
    const timer = setTimeout(() => {
      if (child.pid) endGroup(child.pid); // with whatever it has started: it has a group of its own
      reject(new Error("no answer in time"));
    }, limitMs);
    child.stdout?.on("data", (chunk) => {
      said = (said + String(chunk)).slice(0, 10_000);
    });
    child.stdin?.on("error", () => {}); // it may end without reading
    child.stdin?.end(input);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on(isRead ? "close" : "exit", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(said);
      else reject(new Error(signal ? `ended by ${signal}` : `exit code ${code}`));
    });
  });
}
