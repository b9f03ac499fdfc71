// The interactive client in a tmux server of its own. The server is started with the world's environment,
// because panes that the client opens for its teammates inherit the server's, not the client's.
import { spawnSync } from "node:child_process";
import { until } from "./until.ts";

export type Tui = {
  screen: (pane?: string) => string;
  wait: (sight: RegExp, ms?: number) => Promise<void>;
  keys: (...names: string[]) => void;
  /** Types a line and sends it. */
  type: (text: string) => Promise<void>;
  panes: () => string[];
  /** Leaves as a person would, by Ctrl-C. */
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
  const sight = async (seen: () => unknown, what: string, ms?: number, everyMs?: number) =>
    void (await until(seen, { what, ms, everyMs, onTimeout: screen }));
  const hasLeft = () => tmux("display-message", "-p", "-t", LEAD, "#{pane_dead}") === "1";

  tmux(...NEW_SESSION, "-c", cwd, "--", binary, ...args, ";", ...KEEP_PANE);

  return {
    screen,
    keys,
    panes: () => tmux("list-panes", "-a", "-F", "#{pane_id}").split("\n"),
    wait: (pattern, ms) => sight(() => pattern.test(screen()), `${pattern} on the screen`, ms),
    async type(text) {
      tmux("send-keys", "-t", LEAD, "-l", text);
      await sight(() => promptOf(screen()).includes(squeeze(text)), `${text} in the prompt`, 10_000);
      keys("Enter");
    },
    // A Ctrl-C too many would hit a client that no longer reads keys, and kill it.
    async exit() {
      await sight(() => /again to exit/i.test(screen()) || keys("C-c"), "the client to ask", 20_000, 500);
      keys("C-c");
      await sight(hasLeft, "the client to leave");
    },
    close: () => void ask("kill-server"),
  };
}

const squeeze = (text: string) => text.replace(/\s+/g, "");

const promptOf = (screen: string) => squeeze(screen.slice(screen.lastIndexOf("❯")));
