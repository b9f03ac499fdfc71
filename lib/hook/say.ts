// The run's words to the client.
import type { NamedOutcome } from "./outcome.ts";
import { writeAll } from "./stdio.ts";
import { encode } from "./wire.ts";

export function say(event: string, outcomes: NamedOutcome[]): void {
  const reply = encode(event, outcomes);
  if (reply.stdout) writeAll(1, reply.stdout);
  if (reply.stderr) writeAll(2, reply.stderr);
  process.exitCode = reply.exitCode;
}
