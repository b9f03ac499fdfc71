// Inboxes: one JSON array a member, in the client's entry format plus our keys. Entries we cannot read stay where they are.
import * as z from "zod/mini";
import { inboxPath, type Places } from "./paths.ts";
import { updateJson } from "./update-json.ts";

export interface Message {
  id: string;
  from: string;
  text: string;
  timestamp: string;
  read: boolean;
  summary?: string;
  color?: string;
  /** `report` for a teammate's last words, `system` for our own notes. */
  kind?: string;
  replyTo?: string;
  state?: string;
  [key: string]: unknown;
}

const entries = () => z.array(z.unknown());

/** Accepted means on disk: synced before this returns. */
export function appendMessage(places: Places, team: string, to: string, message: Message): void {
  updateJson(inboxPath(places, team, to), entries(), (stored = []) => [...stored, message], {
    durable: true,
  });
}
