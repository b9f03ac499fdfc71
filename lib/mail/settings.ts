import { defineSettings } from "../core/settings-declaration.ts";

export const MAIL_KEYS = defineSettings({
  "mail.deliver": {
    kind: "list",
    default: ["start", "prompt", "tool", "stop", "push"],
    about: "the moments at which mail is delivered",
  },
  "mail.gather_ms": {
    kind: "count",
    default: 1_500,
    about: "how long mail for an idle lead is gathered before it is woken, at most 3000",
  },
  "mail.keep_read": {
    kind: "count",
    default: 50,
    about: "read messages kept in an inbox before they move to the archive",
  },
  "mail.retention_days": {
    kind: "count",
    default: 30,
    about: "read messages older than this move to the archive; unread ones only of removed members",
  },
  "mail.max_unread": {
    kind: "count",
    default: 2_000,
    about: "unread messages an inbox holds before senders are refused",
  },
  "mail.max_bytes": {
    kind: "count",
    default: 4 * 1024 * 1024,
    about: "bytes of unread mail an inbox holds before senders are refused, at most 8 MB",
  },
});
