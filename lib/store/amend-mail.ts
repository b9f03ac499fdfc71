// Mail whose reader is on another machine: what became of it there is written into the local copy that its sender looks at.
import type { Message } from "../parse/message.ts";
import { appendArchive } from "./archive.ts";
import { messagesIn, type Slot, update } from "./inbox.ts";
import { inboxPath, type Places } from "./paths.ts";

/** `amend` says what changes in a message; read mail beyond `keepRead` goes to the archive. Gives the ids that changed. */
export function amendMessages(
  places: Places,
  team: string,
  agent: string,
  amend: (message: Message) => Partial<Message> | undefined,
  keepRead: number,
): Set<string> {
  const met = new Set<string>();
  update(inboxPath(places, team, agent), {}, (slots) => {
    const amended = slots.map((slot) => amendedSlot(slot, amend, met));
    if (met.size === 0) return undefined;
    const read = amended.filter(({ message }) => message?.read);
    const old = new Set(read.slice(0, Math.max(0, read.length - keepRead)));
    appendArchive(places, team, agent, messagesIn([...old]));
    return amended.filter((slot) => !old.has(slot));
  });
  return met;
}

function amendedSlot(
  slot: Slot,
  amend: (message: Message) => Partial<Message> | undefined,
  met: Set<string>,
): Slot {
  const more = slot.message && amend(slot.message);
  if (!slot.message || !more) return slot;
  met.add(slot.message.id);
  const entry = { ...slot.message, ...more } as Message;
  return { entry, message: entry };
}
