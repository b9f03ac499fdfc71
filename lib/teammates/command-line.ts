// The client's command line for a teammate: a list of words, so that nothing in them is ever read as a command.

export interface Start {
  /** The program, or an interpreter and its script. */
  command: string[];
  session: string;
  /** The conversation is there already and goes on. */
  again: boolean;
  title: string;
  model?: string;
  agent?: string;
  permissionMode?: string;
  pluginDirs: string[];
  /** The directory of a first prompt that was too long for a word. */
  readable?: string;
  systemPrompt: string;
}

export const BYPASS = "bypassPermissions";

export function clientWords(start: Start): string[] {
  return [
    ...start.command.slice(1),
    ...(start.again ? ["--resume", start.session] : ["--session-id", start.session]),
    ...["--name", start.title],
    ...option("--model", start.model),
    ...option("--agent", start.agent),
    ...(start.permissionMode === BYPASS
      ? ["--dangerously-skip-permissions"]
      : option("--permission-mode", start.permissionMode)),
    ...start.pluginDirs.flatMap((dir) => ["--plugin-dir", dir]),
    ...option("--add-dir", start.readable),
    ...["--append-system-prompt", start.systemPrompt],
  ];
}

/** What follows `--` is the prompt, whatever it begins with. */
export const interactiveWords = (start: Start, prompt: string): string[] => [
  ...clientWords(start),
  "--",
  prompt,
];

/** The prompt comes on stdin. */
export const headlessWords = (start: Start): string[] => [
  ...clientWords(start),
  "-p",
  ...["--output-format", "stream-json", "--verbose"],
];

const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value]);

/** The `--plugin-dir`s of the lead's client, made absolute by where it was started. */
export function pluginDirsOf(args: readonly string[], absolute: (path: string) => string): string[] {
  return args.flatMap((word, at) => {
    if (word.startsWith("--plugin-dir=")) return absolute(word.slice("--plugin-dir=".length));
    const next = args[at + 1];
    return word === "--plugin-dir" && next !== undefined ? absolute(next) : [];
  });
}
