// kitty, by its remote control (`allow_remote_control` and `listen_on` in kitty.conf): arguments as a list, never through a shell.
import { attempt } from "../core/files.ts";
import { type Opening, outputOf, runProgram } from "./tmux.ts";

/** Each call starts an interpreter of its own: seconds on a busy machine. */
const LIMIT_MS = 15_000;
/** In the window's environment: its variables by `--var` are unknown to kitty before 0.29, as Debian 12 has it. */
const MARK = "SWARM_WINDOW";
const SPLIT = ["--type=window", "--location=vsplit"];
const MODES: Record<string, string[]> = {
  tab: ["--type=tab"],
  window: ["--type=os-window"],
};

export function openWindow(socket: string, mode = "split", opening: Opening) {
  const words = [
    ...["launch", ...(MODES[mode] ?? SPLIT), "--keep-focus"],
    ...[`--cwd=${opening.cwd}`, `--title=${opening.title}`],
    ...opening.unset.map((name) => `--env=${name}`), // without a value it is taken away
    ...Object.entries(opening.set).map(([name, value]) => `--env=${name}=${value}`),
    ...[`--env=${MARK}=${opening.mark}`, "--", opening.program, ...opening.args],
  ];
  const id = ask(socket, words).trim();
  return { id, pid: readWindows(socket).find((window) => window.id === id)?.pid };
}

interface Listed {
  id: number;
  pid?: number;
  env?: Record<string, string>;
  /** Set by `--var`, by other programs too. */
  user_vars?: Record<string, string>;
}

/** None when kitty is missing or does not answer: then nothing is proven ours. */
export function readWindows(socket: string, limitMs = LIMIT_MS) {
  const screens: unknown = attempt(() => JSON.parse(ask(socket, ["ls"], limitMs)));
  return (Array.isArray(screens) ? (screens as { tabs?: { windows?: Listed[] }[] }[]) : [])
    .flatMap((screen) => screen.tabs ?? [])
    .flatMap((tab) => tab.windows ?? [])
    .map(({ id, pid, env, user_vars }) => ({
      id: String(id),
      pid,
      mark: env?.[MARK] ?? "",
      variables: user_vars,
    }));
}

export const closeWindow = (socket: string, id: string): void => {
  tryAsk(socket, ["close-window", `--match=id:${id}`]);
};

const ask = (socket: string, words: string[], limitMs = LIMIT_MS): string =>
  outputOf(`kitty ${words[0]}`, tryAsk(socket, words, limitMs));

const tryAsk = (socket: string, words: string[], limitMs = LIMIT_MS) =>
  runProgram("kitty", ["@", "--to", socket, ...words], limitMs);
