// Whether an agent told somebody how its work stands, read from the tail of its transcript. The format is the
// client's own: what cannot be read counts as not there.

interface Block {
  type?: string;
  name?: string;
  input?: { command?: unknown; status?: unknown };
}

const REPORTS = /\bswarm\s+(send|broadcast|task\s+(release|update\b.*--comment))\b/s;
const STARTS = /\bswarm\s+task\s+claim\b/;

/** Counts what came after the last task was started. */
export function hasReported(tail: string): boolean {
  let reported = false;
  for (const block of tail.split("\n").flatMap(toolUses)) {
    if (isStart(block)) reported = false;
    else if (isReport(block)) reported = true;
  }
  return reported;
}

const commandOf = ({ name, input }: Block) => (name === "Bash" ? String(input?.command ?? "") : "");

const isReport = (block: Block) => block.name === "SendMessage" || REPORTS.test(commandOf(block));

const isStart = (block: Block) =>
  (block.name === "TaskUpdate" && block.input?.status === "in_progress") || STARTS.test(commandOf(block));

function toolUses(line: string): Block[] {
  if (!line.includes('"tool_use"')) return [];
  try {
    const { message } = JSON.parse(line) as { message?: { content?: unknown } };
    const blocks = Array.isArray(message?.content) ? (message.content as (Block | null)[]) : [];
    return blocks.flatMap((block) => (block?.type === "tool_use" ? block : []));
  } catch {
    return []; // half-written, or cut by the tail
  }
}
