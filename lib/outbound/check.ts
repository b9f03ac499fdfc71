// Whether a tool call may send something to the outside: by session mode, recipient and the recipient's tag. Patterns in `comms.tools`
// name a tool (`mcp__gmail__send_*`) or a command (`Bash(mail *)`).

import { isAbsolute, join } from "node:path";
import { patternOf } from "../core/glob.ts";
import { personalSettingsPath } from "../core/paths.ts";
import type { Context } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";
import { SHELLS } from "../hook/tools.ts";
import { type Contact, readContacts } from "./store.ts";

type Call = Context<Context["input"] & { tool_name: string; tool_input: Record<string, unknown> }>;

const KEEP_IT = "Put the text into your report or a file, so that the user can send it.";

export function checkCall(ctx: Call): Outcome | undefined {
  const { tool_name: tool, tool_input: input } = ctx.input;
  const isUnattended = ctx.mode !== "interactive";
  if (!isSender(tool, input, ctx.settings["comms.tools"], isUnattended)) return undefined;
  if (isUnattended) return deny(ctx, "comms-mode", `a session in ${ctx.mode} mode may not`);
  const path = contactsPath(ctx);
  const known = path === undefined ? undefined : readContacts(path);
  if (!known) return deny(ctx, "comms-contact", "there is no contacts file that allows anyone");
  if (known.problem) return deny(ctx, "comms-contact", known.problem);
  const recipients = recipientsOf(tool, input);
  if (recipients.length === 0) return deny(ctx, "comms-recipient", "its recipient cannot be read");
  const need = isDraft(tool, input) ? "draft" : "direct";
  const problem = whyNotTo(recipients, known.contacts, need);
  if (problem) return deny(ctx, problem.rule, problem.why);
  return { journal: [{ what: "comms-allowed", tool, need, recipients }] };
}

function contactsPath(ctx: Context): string | undefined {
  const path = ctx.settings["comms.contacts"]?.replace(/^~(?=[\\/]|$)/, () => ctx.paths.home);
  return path === undefined || isAbsolute(path) ? path : join(ctx.paths.home, path);
}

function deny({ input, paths }: Call, rule: string, why: string): Outcome {
  const instead = rule === "comms-draft" ? "Make a draft instead." : KEEP_IT;
  return {
    deny: `Outgoing communication, rule ${rule}: ${input.tool_name} sends to the outside, and ${why}. ${instead} Only the user can change this: comms.tools and comms.contacts in ${personalSettingsPath(paths)}.`,
    rule,
  };
}

/** Why a message to these people may not go out; `undefined` when each of them has the tag for it. */
export function whyNotTo(
  recipients: readonly string[],
  contacts: readonly Contact[],
  need: "direct" | "draft",
) {
  const allowed = need === "draft" ? ["claude_direct", "claude_draft"] : ["claude_direct"];
  for (const recipient of recipients) {
    const contact = contacts.find((one) => one.addresses.some((address) => sameAddress(address, recipient)));
    if (!contact)
      return { rule: "comms-contact", why: `${JSON.stringify(recipient)} is not in the contacts file` };
    if (contact.tags.some((tag) => allowed.includes(tag))) continue;
    const draftOnly = contact.tags.includes("claude_draft");
    const why = draftOnly
      ? `${contact.name || recipient} has the tag claude_draft: a draft may be made, the person sends it`
      : `${contact.name || recipient} has neither the tag claude_direct nor claude_draft`;
    return { rule: draftOnly ? "comms-draft" : "comms-contact", why };
  }
  return undefined;
}

type Input = Readonly<Record<string, unknown>>;

/** Tools of the client and our own: they talk to agents on this machine, whatever a broad pattern says. */
const INTERNAL =
  /^(SendMessage|Agent|Task\w*|Read|Write|Edit|MultiEdit|NotebookEdit|Glob|Grep|TodoWrite|Skill|ToolSearch|AskUserQuestion|ExitPlanMode|EnterPlanMode)$/;

/** Well-known senders, for sessions without a person: a mail or chat server, and a verb that sends. */
const KNOWN_SENDER =
  /^mcp__(?:.*_)?(?:gmail|e?mail|outlook|smtp|slack|discord|telegram|whatsapp|imessage|signal|sms|twilio|mattermost|mastodon|twitter)(?:_.*)?__(?:.*_)?(?:send|post|reply|forward|schedule|tweet|publish)(?:_.*)?$/i;

const isLike = (pattern: string, text: string) => patternOf(pattern, { starsOnly: true }).matches(text);

const commandOf = (input: Input) => (typeof input["command"] === "string" ? input["command"] : "");

/** What may stand before a command's name. */
const BEFORE_NAME =
  /^(?:\s+|[({!]|(?:if|then|elif|else|while|until|do|time|sudo|env|exec|nohup)\s|\w+=\S*\s)+/;

/** Each simple command of a line counts on its own, as it is written and by its name. */
const commandsIn = (line: string) =>
  line.split(/&&|\|\||[;|&\n]/).flatMap((part) => [part.trim(), part.replace(BEFORE_NAME, "").trim()]);

function matches(tool: string, input: Input, pattern: string): boolean {
  const [, name = "", command] = /^([^()]+)\((.*)\)$/s.exec(pattern) ?? [];
  if (command !== undefined)
    return isLike(name, tool) && commandsIn(commandOf(input)).some((one) => isLike(command, one));
  if (INTERNAL.test(tool) || SHELLS.includes(tool)) return pattern === tool;
  return isLike(pattern, tool);
}

export function isSender(tool: string, input: Input, patterns: readonly string[], unattended: boolean) {
  return patterns.some((pattern) => matches(tool, input, pattern)) || (unattended && KNOWN_SENDER.test(tool));
}

/** `create_draft` makes one, `send_draft` sends it. */
export const isDraft = (tool: string, input: Input): boolean =>
  input["draft"] === true ||
  input["is_draft"] === true ||
  (/(^|_)drafts?(_|$)/i.test(tool.replace(/^mcp__/, "")) && !/(^|_)(send|publish|schedule)(_|$)/i.test(tool));

const ADDRESS_KEYS =
  /^((to|cc|bcc|recipients?)_?(recipient|e?mail|addresse?|number|user|id)?s?|emails?|addresses|phones?|phone_?numbers?|numbers?|channels?|channel_?ids?|chat_?ids?|users?|user_?ids?|contacts?|handles?|conversation_?ids?|attendees)$/i;
// Tried only where a word begins: from each letter of a long one, a command with a file in it would take seconds.
const MAIL_IN_COMMAND = /(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+/g;
const PHONE_IN_COMMAND = /\+\d[\d\s().-]{6,}\d/g;

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return value.split(/[,;]/);
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const recipientsIn = (command: string): string[] => [
  ...(command.match(MAIL_IN_COMMAND) ?? []),
  ...(command.replace(MAIL_IN_COMMAND, " ").match(PHONE_IN_COMMAND) ?? []),
];

export function recipientsOf(tool: string, input: Input): string[] {
  if (SHELLS.includes(tool)) return recipientsIn(commandOf(input));
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
