// A process that writes messages to a member elsewhere, one after the other, and says which were accepted. It may be killed.
// argv: the home, from, to, the first number, how many.
import { writeSync } from "node:fs";
import { hasCode } from "../../../lib/core/files.ts";
import { sleepSync } from "../../../lib/core/process.ts";
import { appendMessage } from "../../../lib/mail/store/inbox.ts";
import type { Message } from "../../../lib/mail/store/message.ts";
import { TEAM } from "../../../test/support/a-team.ts";
import { homeAt } from "../../../test/support/home-at.ts";

const FULL_PAUSE_MS = 100;
const [root = "", from = "", to = "", first = "0", count = "0"] = process.argv.slice(2);
const { paths } = homeAt(root);

/** A full outbox refuses: then again, as an agent would. */
function accepted(message: Message): void {
  for (;;)
    try {
      appendMessage(paths, TEAM, to, message, { waitMs: 60_000 });
      return;
    } catch (error) {
      if (!hasCode(error, "EMAILBOXFULL")) throw error;
      sleepSync(FULL_PAUSE_MS);
    }
}

for (let n = Number(first); n < Number(first) + Number(count); n++) {
  const id = `${from}-${to}-${n}`;
  accepted({ id, from, text: `message ${n}`, timestamp: new Date().toISOString(), read: false });
  writeSync(1, `${n}\n`);
}
