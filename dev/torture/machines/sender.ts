// A process that writes messages to a member elsewhere, one after the other, and says which were accepted. It may be killed.
// argv: the home, from, to, the first number, how many.
import { writeSync } from "node:fs";
import { appendMessage } from "../../../lib/store/inbox.ts";
import { TEAM } from "../../../test/support/a-team.ts";
import { homeAt } from "../../../test/support/home-at.ts";

const [root = "", from = "", to = "", first = "0", count = "0"] = process.argv.slice(2);
const { places } = homeAt(root);

for (let n = Number(first); n < Number(first) + Number(count); n++) {
  const id = `${from}-${to}-${n}`;
  const message = { id, from, text: `message ${n}`, timestamp: new Date().toISOString(), read: false };
  appendMessage(places, TEAM, to, message, { waitMs: 60_000 });
  writeSync(1, `${n}\n`);
}
