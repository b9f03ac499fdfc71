// The run's words to the client.
import type { Spoken } from "./outcome.ts";
import { writeAll } from "./stdio.ts";
import { encode } from "./wire.ts";

export function say(event: string, spoken: Spoken[]): void {
  const reply = encode(event, spoken);
  if (reply.stdout) writeAll(1, reply.stdout);
  if (reply.stderr) writeAll(2, reply.stderr);
  process.exitCode = reply.exitCode;
}
