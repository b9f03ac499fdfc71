// `swarm journal`: every decision can be looked up afterwards.
import { badCall, type Call, countOf } from "../cli/command.ts";
import { requireDay } from "../cli/since.ts";
import { dayOf, type JournalLine, readJournal } from "../core/journal.ts";
import { type Paths, personalSettingsPath } from "../core/paths.ts";
import { plainLines, plainText, toText } from "../core/text.ts";
import { DAY_MS } from "../core/time.ts";
import type { EXPLAIN_FLAGS, JOURNAL_FLAGS } from "./commands.ts";
import { isDecision } from "./report/story.ts";

const USUAL_LINES = 20;

export function journalVerb({ flags, paths, now }: Call<typeof JOURNAL_FLAGS>) {
  const day = requireDay(flags.day ?? dayOf(now));
  const last = countOf(flags.last ?? USUAL_LINES, "--last is a number of lines");
  const lines = readJournal(paths, day)
    .filter((line) => !flags["session-id"] || line.session === flags["session-id"])
    .filter((line) => !flags.denied || line.what === "deny" || line.what === "ask")
    .slice(-last);
  return { text: plainLines(lines.map(asText)) || `No entries on ${day}.`, data: lines };
}

function asText({ id, at, event, session, agent, feature, what, ...details }: JournalLine): string {
  const rest = Object.entries(details)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const who = `${session.slice(0, 8)}/${agent}`;
  return `${at}  ${id}  ${event}  ${who}  ${feature}: ${what}  ${rest.join(" ")}`.trimEnd();
}

// `swarm explain`: a past decision from the journal: what was asked for, the rule, the reason, and what changes it.
type ExplainCall = Call<typeof EXPLAIN_FLAGS>;

const DAYS_BACK = 14;

export function explainVerb(call: ExplainCall) {
  const [asked = "last"] = call.words;
  const line = asked === "last" ? lastDecision(call) : byId(call, asked);
  const change = isDecision(line) ? adviceFor(line) : [];
  return { text: inWords(line, change, call.paths), data: { ...line, change } };
}

/** The newest of the calling session; from a plain terminal, of any session. */
function lastDecision({ paths, now, session }: ExplainCall): JournalLine {
  for (let back = 0; back < DAYS_BACK; back++) {
    const day = dayOf(new Date(now.getTime() - back * DAY_MS));
    const found = readJournal(paths, day).findLast(
      (line) => isDecision(line) && (!session || line.session === session),
    );
    if (found) return found;
  }
  const whose = session ? ` of session ${session}` : "";
  throw new Error(`the journal has no decision${whose} in the last ${DAYS_BACK} days`);
}

/** An id begins with its time, so its day is known. */
function byId({ paths }: ExplainCall, id: string): JournalLine {
  const at = new Date(Number.parseInt(id.split("-")[0] ?? "", 36));
  if (!/^[0-9a-z]+-[0-9a-z]+$/.test(id) || Number.isNaN(at.getTime()))
    throw badCall(`${JSON.stringify(id)} is no id of the journal; swarm journal shows them`);
  const line = readJournal(paths, dayOf(at)).find((one) => one.id === id);
  if (line) return line;
  throw new Error(`the journal has no decision ${id}; swarm journal --denied lists the newest`);
}

const VERDICTS: Record<string, string> = {
  deny: "denied",
  ask: "left to the person",
  warn: "allowed, with a warning",
  spawn: "allowed",
};

function inWords(line: JournalLine, change: readonly Advice[], paths: Paths): string {
  const { id, at, event, session, agent, feature, what, rule, reason, tool, input, ...others } = line;
  const rows = [
    ["decision", `${id}: ${VERDICTS[what] ?? what}`],
    ["when", `${at}, at ${event}`],
    ["who", `${agent} of session ${session}`],
    ["feature", feature],
    ["rule", rule],
    ["asked for", [tool, input].filter(Boolean).join(" ")],
    ...Object.entries(others).map(([name, value]) => [name, JSON.stringify(value)]),
  ];
  const width = Math.max(...rows.map(([name]) => String(name).length));
  return [
    plainLines(rows.flatMap(([name, value]) => (value ? `${String(name).padEnd(width)}  ${value}` : []))),
    ...(reason ? ["", "reason:", ...plainText(String(reason)).split("\n").map(indented)] : []),
    ...(change.length > 0 ? ["", `to change it (settings belong into ${personalSettingsPath(paths)}):`] : []),
    ...change.flatMap(({ does, toml, run = "" }) =>
      [`# ${does}`, ...(toml ?? run).split("\n"), ""].map(indented),
    ),
  ]
    .join("\n")
    .trimEnd();
}

const indented = (text: string) => `  ${text}`.trimEnd();

// What changes a decision: settings that a person may paste as they are, or a command. A test applies each of them.

export interface Advice {
  does: string;
  /** For the person's settings.toml, whole. */
  toml?: string;
  /** In a terminal or by the agent. */
  run?: string;
}

/** The narrowest first; the last switches the whole feature off. */
export function adviceFor(line: JournalLine): Advice[] {
  const { feature } = line;
  const own = ownAdvice[feature]?.(toText(line["rule"]), toText(line["reason"]), line) ?? [];
  return [
    ...own,
    setting("switches the whole feature off", "features", feature, false),
    { does: "switches it off for one session", run: `SWARM_DISABLE=${feature} claude` },
  ];
}

const setting = (does: string, table: string, key: string, value: unknown): Advice => ({
  does,
  toml: `[${table}]\n${/^[\w-]+$/.test(key) ? key : JSON.stringify(key)} = ${JSON.stringify(value)}`,
});

type Own = (rule: string, reason: string, line: JournalLine) => Advice[];

const ownAdvice: Readonly<Record<string, Own>> = {
  // Its own words name the setting, where there is one.
  "command-guard": (rule, reason) =>
    reason.includes(`guard.rules.${rule} =`)
      ? [
          setting("leaves it to you where you can answer", "guard.rules", rule, "ask"),
          setting("switches the rule off", "guard.rules", rule, "off"),
        ]
      : [],
  "spawn-gate": spawnAdvice,
  comms: () => [setting("counts no tool as one that sends to the outside", "comms", "tools", [])],
  tasks: (rule) => [
    rule === "tasks.verify"
      ? setting("sets another check, here one that always passes", "tasks", "verify", "true")
      : setting("switches the task rules off", "tasks", "enforce", false),
  ],
  scratchpad: () => [setting("switches the protocol off", "scratchpad", "enabled", "off")],
  effort: effortAdvice,
  worktrees: worktreeAdvice,
  pause: () => [{ does: "shows what is paused and by whom; a person lifts it", run: "swarm pause" }],
};

function spawnAdvice(rule: string, reason: string): Advice[] {
  if (rule.startsWith("max-")) {
    // Twice what was asked for.
    const asked = Number(/\bmakes? (?:agents )?(\d+)/.exec(reason)?.[1] ?? 8);
    const does = "raises the limit (a project can only lower it)";
    return [setting(does, "gate", rule.replaceAll("-", "_"), asked * 2)];
  }
  if (rule === "orchestrator-named" && !reason.includes("spawn_policy in"))
    return [setting("demands no name (a project's own list still counts)", "gate", "orchestrators", [])];
  if (rule !== "lead-only") return [];
  const team = /^Policy team: (.+)$/m.exec(reason)?.[1] ?? "";
  const table = `team.${JSON.stringify(team)}`;
  return [
    setting("lets every member of the team spawn", table, "spawn_policy", "any-member"),
    ...(reason.includes("swarm lead take")
      ? [{ does: "takes the lead; the old one is gone", run: `swarm lead take ${team}` }]
      : []),
  ];
}

function effortAdvice(rule: string, _: string, { session }: JournalLine): Advice[] {
  const [, kind = "", name = ""] = /^([^:]*):(.*)$/.exec(rule) ?? [];
  if (kind === "heartbeat") {
    const run = 'swarm effort log "what was done | what was found | what comes next"';
    const later = setting("allows more calls between two entries", "effort", "block_after", 1000);
    return [{ does: "is what it asks for", run }, later];
  }
  if (kind === "overflow") return [setting("warns later", "effort", "overflow_warn", 99)];
  if (kind === "precompact" || name === "precompact-kill")
    return [setting("takes a snapshot and lets it compact", "effort", "precompact", "snapshot")];
  if (kind !== "effort") return [];
  const run = `swarm effort guard ${name} --remove --session-id ${session}`;
  return [{ does: "removes this guard of the effort", run }];
}

function worktreeAdvice(rule: string): Advice[] {
  if (rule === "worktrees:claim")
    return [{ does: "shows who claimed what, and until when", run: "swarm claims" }];
  if (rule === "worktrees:collision")
    return [setting("only tells the agent", "worktrees", "collisions", "notice")];
  if (["worktrees:busy-index", "worktrees:sweep", "worktrees:move"].includes(rule))
    return [setting("lets such git commands pass", "worktrees", "shared_checkout", "off")];
  return [];
}
