// Which calls send to the outside, and to whom. Patterns name a tool (`mcp__gmail__send_*`) or a command (`Bash(mail *)`).
import { patternOf } from "../core/glob.ts";

type Input = Readonly<Record<string, unknown>>;

/** Tools of the client and our own: they talk to agents on this machine, whatever a broad pattern says. */
const INTERNAL =
  /^(SendMessage|Agent|Task\w*|Read|Write|Edit|MultiEdit|NotebookEdit|Glob|Grep|TodoWrite|Skill|ToolSearch|AskUserQuestion|ExitPlanMode|EnterPlanMode)$/;

/** Well-known senders, for sessions without a person: a mail or chat server, and a verb that sends. */
const KNOWN_SENDER =
  /^mcp__(?:.*_)?(?:gmail|e?mail|outlook|smtp|slack|discord|telegram|whatsapp|imessage|signal|sms|twilio|mattermost|mastodon|twitter)(?:_.*)?__(?:.*_)?(?:send|post|reply|forward|schedule|tweet|publish)(?:_.*)?$/i;

const isLike = (pattern: string, text: string) => patternOf(pattern, { starsOnly: true }).matches(text);

const commandOf = (input: Input) => (typeof input["command"] === "string" ? input["command"] : "");

/** Each simple command of a line counts on its own. */
const commandsIn = (line: string) => line.split(/&&|\|\||[;|&\n]/).map((part) => part.trim());

function matches(tool: string, input: Input, pattern: string): boolean {
  const [, name = "", command] = /^([^()]+)\((.*)\)$/s.exec(pattern) ?? [];
  if (command !== undefined) {
    return isLike(name, tool) && commandsIn(commandOf(input)).some((one) => isLike(command, one));
  }
  if (INTERNAL.test(tool) || /^(Bash|PowerShell)$/.test(tool)) return pattern === tool;
  return isLike(pattern, tool);
}

export const isSender = (
  tool: string,
  input: Input,
  patterns: readonly string[],
  unattended: boolean,
): boolean =>
  patterns.some((pattern) => matches(tool, input, pattern)) || (unattended && KNOWN_SENDER.test(tool));

/** `create_draft` makes one, `send_draft` sends it. */
export const isDraft = (tool: string, input: Input): boolean =>
  input["draft"] === true ||
  input["is_draft"] === true ||
  (/(^|_)drafts?(_|$)/i.test(tool.replace(/^mcp__/, "")) && !/(^|_)(send|publish|schedule)(_|$)/i.test(tool));

const ADDRESS_KEYS =
  /^(to|cc|bcc|recipients?|to_?(email|address|number|user)?s?|emails?|addresses|phones?|phone_?numbers?|numbers?|channels?|channel_?ids?|chat_?ids?|users?|user_?ids?|contacts?|handles?|conversation_?ids?|attendees)$/i;
const IN_COMMAND = /[\w.+-]+@[\w-]+\.[\w.-]+|\+\d[\d\s().-]{6,}\d/g;

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return value.split(/[,;]/);
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

export function recipientsOf(tool: string, input: Input): string[] {
  if (tool === "Bash" || tool === "PowerShell") return commandOf(input).match(IN_COMMAND) ?? [];
  return Object.entries(input)
    .flatMap(([key, value]) => (ADDRESS_KEYS.test(key) ? textsIn(value) : []))
    .map((text) => text.trim())
    .filter(Boolean);
}

/** `Ada <ada@example.com>` is ada@example.com; a phone number is its digits. */
function plain(address: string): string {
  const bare = (/<([^<>]+)>\s*$/.exec(address)?.[1] ?? address).trim().toLowerCase();
  return /^\+?[\d\s().-]{7,}$/.test(bare) ? bare.replace(/[^\d+]/g, "") : bare;
}

export const sameAddress = (a: string, b: string): boolean => plain(a) === plain(b) && plain(a) !== "";
