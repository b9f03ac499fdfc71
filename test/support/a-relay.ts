// A machine's settings for a relay.
import type { Relay } from "../../lib/machines/store/relay.ts";
import { TEAM } from "./a-team.ts";

export const aRelay = (url: string, machine: string, more: Partial<Relay> = {}): Relay => ({
  url,
  team: TEAM,
  machine,
  secret: `secret of ${machine}`,
  replicas: 1,
  joinedAt: "2026-02-20T12:00:00Z",
  ...more,
});
