// One call that may send something: by mode, by recipient and by tag.
import { isAbsolute, join } from "node:path";
import { personalSettingsPath } from "../core/paths.ts";
import type { Context } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";
import { isDraft, isSender, recipientsOf, sameAddress } from "./senders.ts";
import { type Contact, readContacts } from "./store.ts";

type Call = Context<Context["input"] & { tool_name: string; tool_input: Record<string, unknown> }>;

export type Need = "direct" | "draft";

/** Why a message to these people may not go out; nothing when each of them has the tag for it. */
export function whyNotTo(recipients: readonly string[], contacts: readonly Contact[], need: Need) {
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

function denied(ctx: Context, rule: string, why: string, instead: string): Outcome {
  const { tool_name } = ctx.input as unknown as { tool_name: string };
  const file = personalSettingsPath(ctx.paths);
  return {
    deny: `Outgoing communication, rule ${rule}: ${tool_name} sends to the outside, and ${why}. ${instead} Only the user can change this: comms.tools and comms.contacts in ${file}.`,
    rule,
  };
}

function contactsPath(ctx: Context): string | undefined {
  const path = ctx.settings["comms.contacts"]?.replace(/^~(?=[\\/]|$)/, ctx.paths.home);
  return path === undefined || isAbsolute(path) ? path : join(ctx.paths.home, path);
}

const KEEP_IT = "Put the text into your report or a file, so that the user can send it.";

function whenAttended(ctx: Context, tool: string, input: Record<string, unknown>): Outcome | undefined {
  const path = contactsPath(ctx);
  const known = path === undefined ? undefined : readContacts(path);
  const lack = known ? known.problem : "there is no contacts file that allows anyone";
  if (!known || lack) return denied(ctx, "comms-contact", lack ?? "", KEEP_IT);
  const recipients = recipientsOf(tool, input);
  if (recipients.length === 0) return denied(ctx, "comms-recipient", "its recipient cannot be read", KEEP_IT);
  const need = isDraft(tool, input) ? "draft" : "direct";
  const problem = whyNotTo(recipients, known.contacts, need);
  if (problem)
    return denied(
      ctx,
      problem.rule,
      problem.why,
      problem.rule === "comms-draft" ? "Make a draft instead." : KEEP_IT,
    );
  return { journal: [{ what: "comms-allowed", tool, need, recipients }] };
}

export function checkCall(ctx: Call): Outcome | undefined {
  const { tool_name: tool, tool_input: input } = ctx.input;
  const unattended = ctx.mode !== "interactive";
  if (!isSender(tool, input, ctx.settings["comms.tools"], unattended)) return undefined;
  if (unattended) return denied(ctx, "comms-mode", `a session in ${ctx.mode} mode may not`, KEEP_IT);
  return whenAttended(ctx, tool, input);
}
