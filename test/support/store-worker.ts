// A process that does one store operation again and again and says so each time it was accepted.
// argv: what, path, name, how often.
import { writeSync } from "node:fs";
import * as z from "zod/mini";
import { appendLine, updateJson } from "../../lib/core/json.ts";

const [what = "", path = "", name = "", times = "1"] = process.argv.slice(2);
const schema = z.array(z.string());

for (let n = 0; n < Number(times); n++) {
  const entry = `${name}-${n}`;
  if (what === "update")
    updateJson(path, schema, (stored = []) => [...stored, entry], { durable: n % 2 === 0, waitMs: 30_000 });
  else appendLine(path, { entry, filler: "x".repeat(200) });
  writeSync(1, `${entry}\n`);
}
