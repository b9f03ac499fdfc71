// What holds where nobody has set anything; settings-keys.ts says what each means and who may set it.
import { GUARD_DEFAULTS } from "./guard-defaults.ts";

type Text = string | undefined;
type Count = number | undefined;
type List = readonly string[];
type Table = Readonly<Record<string, unknown>>;

const NO_LIST: List = [];
const NO_TABLE: Table = {};

const ALL = {
  __proto__: null as never, // made faster so, and every call makes it
  "core.default_team": undefined as Text,
  "core.identity": undefined as Text,
  "core.welcome-message": undefined as Text,
  "gate.orchestrators": ["scrum-master"] as List,
  "gate.max_teammates": 16,
  "gate.max_spawns_per_hour": undefined as Count,
  "gate.max_depth": undefined as Count,
  "gate.premium_models": ["opus"] as List,
  "gate.max_premium": undefined as Count,
  team: NO_TABLE,
  ...GUARD_DEFAULTS,
  "comms.tools": NO_LIST,
  "comms.contacts": undefined as Text,
  "context.core": ["Desktop/TODAY.md", "Desktop/MEMORY.md", "Desktop/SYSTEM-INDEX.md"] as List,
  "context.roles_dir": undefined as Text,
  "context.window": undefined as Count,
  "context.warn": [60, 80, 90, 95] as readonly number[],
  "context.max_chars": 6_000,
  "heartbeat.throttle_s": 60,
  "heartbeat.stale_s": 300,
  "mail.deliver": ["start", "prompt", "tool", "stop", "push"] as List,
  "mail.keep_read": 50,
  "mail.retention_days": 30,
  "mail.max_unread": 2_000,
  "mail.max_bytes": 4 * 1024 * 1024,
  "teammates.keep_alive": false,
  "tasks.enforce": true,
  "tasks.verify": undefined as Text,
  "tasks.verify_timeout_s": 120,
  "tasks.hold_idle": false,
  "effort.block_after": 10,
  "effort.overflow_warn": 90,
  "effort.precompact": "snapshot" as "snapshot" | "block" | "kill",
  "scratchpad.enabled": "auto" as "auto" | "on" | "off",
  "scratchpad.sections": ["What I did", "Cross-agent observations", "Unresolved"] as List,
  "scratchpad.exclude": ["coordinator", "ego"] as List,
  "scratchpad.exempt": ["Explore", "Plan"] as List,
  "scratchpad.empty_is_missing": false,
  "scratchpad.max_blocks": 2,
  "display.pane_color": "team" as "team" | "always" | "off",
  "gc.keep_days": 30,
  features: NO_TABLE,
};

export type Settings = Readonly<Omit<typeof ALL, "__proto__">>;
export const DEFAULTS: Settings = ALL;
export type SettingName = keyof Settings;
