// What the mock model says. A conversation chooses its own script: the newest [[name]] in a user turn, or the newest words that a world
// has declared as its cue, names it, and the number of answers given since is the step. The server keeps no state, so a lead, its subagents
// and its teammates can all talk at once.
export type ToolCall = { name: string; input: Record<string, unknown> };

type Usage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
};

export type Step = {
  text?: string;
  tools?: ToolCall[];
  delayMs?: number;
  error?: { status: number; type: string; message: string };
  usage?: Partial<Usage>;
};

export type Block = {
  type: string;
  text?: string;
  name?: string;
  input?: unknown;
  is_error?: boolean;
  content?: string | Block[];
};

export type Message = { role: "user" | "assistant" | "system"; content: string | Block[] };

export type Body = { model: string; messages: Message[]; tools?: { name: string }[]; stream?: boolean };

export type Script = (Step | ((body: Body) => Step))[];
export type Scripts = Record<string, Script>;

/** Words of a user turn that stand for a script, the first that matches: for worlds whose screens are shown to people. */
export type Cues = [script: string, words: RegExp][];

export type Cue = { script: string; step: number; line: Step };

/** Reserved names: requests without tools (titles, prompt hooks), and compaction. A world may script both. */
export const SIDE = "#side";
const COMPACT = "#compact";

const DONE: Step = { text: "ok" };
const TITLE: Step = { text: '{"title":"mock title"}' };
const SUMMARY: Step = { text: "<analysis>mock</analysis><summary>MOCK SUMMARY</summary>" };

/** Which line of which script answers this request. */
export function cueFor(body: Body, scripts: Scripts, cues: Cues = []): Cue {
  if (isCompaction(body)) return cue(COMPACT, 0, body, scripts, SUMMARY);
  if (!body.tools?.length) return cue(SIDE, 0, body, scripts, TITLE);
  const { messages } = body;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    const script =
      message &&
      !isAnswer(message) &&
      (markers(message).findLast((name) => name in scripts) ??
        cues.find(([, words]) => words.test(ownText(message)))?.[0]);
    if (script) return cue(script, messages.slice(at).filter(isAnswer).length, body, scripts, DONE);
  }
  return cue("#none", 0, body, scripts, DONE);
}

function cue(script: string, step: number, body: Body, scripts: Scripts, otherwise: Step): Cue {
  const line = scripts[script]?.[step] ?? otherwise;
  return { script, step, line: typeof line === "function" ? line(body) : line };
}

const isAnswer = (message: Message) => message.role === "assistant";

const markers = (message: Message) =>
  Array.from(ownText(message).matchAll(/\[\[([\w.-]+)\]\]/g), ([, name]) => name as string);

// The newest client appends role "system" messages after the user's turn, so the last message will not do.
function isCompaction({ messages }: Body): boolean {
  const last = messages.findLast((message) => message.role === "user");
  return !!last && /create a detailed summary of (the|our|this) conversation/i.test(ownText(last));
}

function ownText({ content }: Message): string {
  if (typeof content === "string") return content;
  return content.map((block) => block.text ?? "").join("\n");
}
