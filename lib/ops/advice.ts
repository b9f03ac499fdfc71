// What changes a decision: settings that a person may paste as they are, or a command. A test applies each of them.
import type { JournalLine } from "../core/journal.ts";

export interface Advice {
  /** What it does, in a few words. */
  does: string;
  /** For the person's settings.toml, whole. */
  toml?: string;
  /** In a terminal or by the agent. */
  run?: string;
}

/** The narrowest first; the last switches the whole feature off. */
export function adviceFor(line: JournalLine): Advice[] {
  const { feature } = line;
  const rule = String(line["rule"] ?? "");
  const reason = String(line["reason"] ?? "");
  return [
    ...(ownAdvice[feature]?.(rule, reason, line) ?? []),
    {
      does: "switches the whole feature off",
      toml: table("features", feature, false),
    },
    { does: "switches it off for one session", run: `SWARM_DISABLE=${feature} claude` },
  ];
}

type Own = (rule: string, reason: string, line: JournalLine) => Advice[];

const table = (name: string, key: string, value: unknown): string =>
  `[${name}]\n${/^[\w-]+$/.test(key) ? key : JSON.stringify(key)} = ${JSON.stringify(value)}`;

const ownAdvice: Readonly<Record<string, Own>> = {
  // Its own words name the setting, where there is one.
  "command-guard": (rule, reason) =>
    !reason.includes(`guard.rules.${rule} =`)
      ? []
      : [
          { does: "leaves it to you where you can answer", toml: table("guard.rules", rule, "ask") },
          { does: "switches the rule off", toml: table("guard.rules", rule, "off") },
        ],
  "spawn-gate": (rule, reason) => SPAWN_RULES[rule]?.(reason) ?? [],
  comms: () => [
    { does: "counts no tool as one that sends to the outside", toml: table("comms", "tools", []) },
  ],
  tasks: (rule) =>
    rule === "tasks.verify"
      ? [{ does: "sets another check, here one that always passes", toml: table("tasks", "verify", "true") }]
      : [{ does: "switches the task rules off", toml: table("tasks", "enforce", false) }],
  scratchpad: () => [{ does: "switches the protocol off", toml: table("scratchpad", "enabled", "off") }],
  effort: effortAdvice,
  worktrees: (rule) => WORKTREE_RULES[rule] ?? [],
  pause: () => [{ does: "shows what is paused and by whom; a person lifts it", run: "swarm pause" }],
};

const LEAD_TEAM = /^Policy team: (.+)$/m;

const SPAWN_RULES: Readonly<Record<string, (reason: string) => Advice[]>> = {
  "orchestrator-named": (reason) =>
    reason.includes("spawn_policy in")
      ? []
      : [
          {
            does: "demands no name (a project's own list still counts)",
            toml: table("gate", "orchestrators", []),
          },
        ],
  "lead-only": (reason) => {
    const team = LEAD_TEAM.exec(reason)?.[1] ?? "";
    return [
      {
        does: "lets every member of the team spawn",
        toml: table(`team.${JSON.stringify(team)}`, "spawn_policy", "any-member"),
      },
      ...(reason.includes("swarm lead take")
        ? [{ does: "takes the lead; the old one is gone", run: `swarm lead take ${team}` }]
        : []),
    ];
  },
  "max-teammates": (reason) => raised("max_teammates", reason),
  "max-spawns-per-hour": (reason) => raised("max_spawns_per_hour", reason),
  "max-depth": (reason) => raised("max_depth", reason),
  "max-premium": (reason) => raised("max_premium", reason),
};

/** Twice what was asked for; a project's .atm.toml can only lower it. */
function raised(key: string, reason: string): Advice[] {
  const asked = Number(/\bmakes? (?:agents )?(\d+)/.exec(reason)?.[1] ?? 8);
  return [{ does: "raises the limit (a project can only lower it)", toml: table("gate", key, asked * 2) }];
}

function effortAdvice(rule: string, _: string, { session }: JournalLine): Advice[] {
  const [, kind = "", name = ""] = /^([^:]*):(.*)$/.exec(rule) ?? [];
  if (kind === "heartbeat")
    return [
      {
        does: "is what it asks for",
        run: 'swarm effort log "what was done | what was found | what comes next"',
      },
      { does: "allows more calls between two entries", toml: table("effort", "block_after", 1000) },
    ];
  if (kind === "overflow") return [{ does: "warns later", toml: table("effort", "overflow_warn", 99) }];
  if (kind === "precompact" || name === "precompact-kill")
    return [
      { does: "takes a snapshot and lets it compact", toml: table("effort", "precompact", "snapshot") },
    ];
  return kind === "effort"
    ? [
        {
          does: "removes this guard of the effort",
          run: `swarm effort guard ${name} --remove --session-id ${session}`,
        },
      ]
    : [];
}

const shared = { does: "lets such git commands pass", toml: table("worktrees", "shared_checkout", "off") };
const WORKTREE_RULES: Readonly<Record<string, Advice[]>> = {
  "worktrees:busy-index": [shared],
  "worktrees:sweep": [shared],
  "worktrees:move": [shared],
  "worktrees:claim": [{ does: "shows who claimed what, and until when", run: "swarm claims" }],
  "worktrees:collision": [{ does: "only tells the agent", toml: table("worktrees", "collisions", "notice") }],
};
