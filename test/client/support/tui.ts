// The interactive client in a tmux server of its own. The server is started with the world's environment,
// because panes that the client opens for its teammates inherit the server's, not the client's.
import { spawnSync } from "node:child_process";
import { until } from "../../support/until.ts";

export type Tui = {
  screen: (pane?: string) => string;
  wait: (sight: RegExp, ms?: number) => Promise<void>;
  keys: (...names: string[]) => void;
  /** In another pane. */
  keysIn: (pane: string, ...names: string[]) => void;
  /** Types a line and sends it, once the client is idle. */
  type: (text: string) => Promise<void>;
  /** Says yes to the question about a command. The client ignores a key that comes as it draws the question: asks again. */
  allow: (command: RegExp) => Promise<void>;
  panes: () => string[];
  /** Any command of its tmux server. */
  tmux: (...words: string[]) => string;
  /** Leaves by /exit, whatever still runs in the background. */
  exit: () => Promise<void>;
  close: () => void;
};

export type TuiOptions = {
  binary: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  socket: string;
};

const LEAD = "%0";
const NEW_SESSION = "-f /dev/null new-session -d -x 180 -y 50".split(" ");
// The lead's pane outlives the client, so that its last words can be read.
const KEEP_PANE = `set-option -p -t ${LEAD} remain-on-exit on`.split(" ");

export function startTui({ binary, args, cwd, env, socket }: TuiOptions): Tui {
  const ask = (...words: string[]) => spawnSync("tmux", ["-S", socket, ...words], { env, encoding: "utf8" });
  const tmux = (...words: string[]) => {
    const { status, stdout, stderr } = ask(...words);
    if (status !== 0) throw new Error(`tmux ${words[0]}: ${stderr}`);
    return stdout.trimEnd();
  };
  const screen = (pane = LEAD) => tmux("capture-pane", "-p", "-t", pane);
  const keys = (...names: string[]) => void tmux("send-keys", "-t", LEAD, ...names);
  const sight = async (seen: () => unknown, what: string, ms?: number) =>
    void (await until(seen, { what, ms, onTimeout: screen }));
  const isInPrompt = (text: string) => promptOf(screen()).includes(squeeze(text));
  const send = async (text: string) => {
    await sight(() => !screen().includes("esc to interrupt"), "the client to be idle");
    tmux("send-keys", "-t", LEAD, "-l", text);
    await sight(() => isInPrompt(text), `${text} in the prompt`);
    keys("Enter");
  };
  const isAskedAbout = (command: RegExp) => {
    const [, asked = ""] = screen()
      .split(/^ *Bash command$/m)
      .slice(-2);
    return command.test(asked) && asked.includes("Do you want to proceed");
  };
  const stopsTasks = () => screen().includes("Exit and stop tasks");
  const hasLeft = () => tmux("display-message", "-p", "-t", LEAD, "#{pane_dead}") === "1";

  tmux(...NEW_SESSION, "-c", cwd, "--", binary, ...args, ";", ...KEEP_PANE);

  return {
    screen,
    tmux,
    keys,
    keysIn: (pane, ...names) => void tmux("send-keys", "-t", pane, ...names),
    panes: () => tmux("list-panes", "-a", "-F", "#{pane_id}").split("\n"),
    wait: (pattern, ms) => sight(() => pattern.test(screen()), `${pattern} on the screen`, ms),
    async type(text) {
      await send(text);
      await sight(() => !isInPrompt(text), `${text} to be taken`);
    },
    async allow(command) {
      await sight(() => isAskedAbout(command), `a question about ${command}`, 60_000);
      const isAnswered = () => !isAskedAbout(command) || keys("Enter");
      await until(isAnswered, { what: "an answer to be taken", everyMs: 1_000, onTimeout: screen });
    },
    async exit() {
      await send("/exit");
      await sight(() => hasLeft() || (stopsTasks() && keys("Enter")), "the client to leave");
    },
    close: () => void ask("kill-server"),
  };
}

const squeeze = (text: string) => text.replace(/\s+/g, "");

const promptOf = (screen: string) => squeeze(screen.slice(screen.lastIndexOf("❯")));
