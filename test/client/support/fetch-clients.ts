// Vitest's global setup: both clients are on disk before the first test's clock starts.
import { CLIENTS, clientBinary } from "./clients.ts";

export async function setup() {
  await Promise.all(CLIENTS.map(clientBinary));
}
