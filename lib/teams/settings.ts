// The settings of teams: how often a member's sign of life is recorded, and when its silence counts.
import { defineSettings } from "../core/settings-declaration.ts";

export const TEAM_KEYS = defineSettings({
  "heartbeat.throttle_s": {
    kind: "count",
    default: 60,
    about: "at most one sign of life a member in so many seconds",
  },
  "heartbeat.stale_s": { kind: "count", default: 300, about: "silent for so long counts as stale" },
});
