// What may be sent to the outside, and to whom.
import { defineSettings } from "../core/settings-declaration.ts";

export const OUTBOUND_KEYS = defineSettings({
  "comms.tools": { kind: "list", default: [], about: "patterns of tools that send to the outside" },
  "comms.contacts": { kind: "text", about: "file with the contacts and their tags" },
});
