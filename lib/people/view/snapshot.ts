// Everything the live view shows, as plain data: agents, tasks, costs, limits, who can be written to, and what happened.
import { createHash } from "node:crypto";
import type { Call } from "../../cli/command.ts";
import { cutAt } from "../../core/text.ts";
import { gather, type Story } from "../../ops/report/gather.ts";
import type { Entry } from "../../ops/report/story.ts";
import { type Pause, pauseOf, readPauses } from "../../sessions/store/pauses.ts";
import { readSessions } from "../../sessions/store/sessions.ts";
import { type AgentRow, sessionRows, teamRows } from "../../teams/status-board/rows.ts";
import { listTeams, memberNames, readTeam, type Team } from "../../teams/store/config.ts";
import { boardTrees } from "../../worktrees/store/tree-board.ts";
import { costsOf } from "../store/costs.ts";
import { quotaLines } from "../store/quota.ts";

export type Seeing = Pick<Call<Record<never, never>>, "paths" | "now" | "loaded" | "compactWindow" | "env">;

interface AgentView {
  key: string;
  agent: string;
  role: string;
  state: string;
  evidence: string;
  task: string;
  context: number | null;
  unread: number;
  lastSeen: string;
  /** `own`: by a pause of this agent, which the page can lift; `all`: by a wider one. */
  paused: "" | "own" | "all";
}

export interface EntryView extends Entry {
  key: string;
}

/** Each is sent when it has changed. */
export interface Sections {
  agents: AgentView[];
  tasks: Story["tasks"];
  recipients: { team: string; name: string }[];
  trees: TreeView[];
  quota: string[];
  cost: CostView;
}

/** A working tree that agents share a repository with. */
interface TreeView {
  key: string;
  agents: string;
  branch: string;
  /** `3 changed, 2 ahead of main, 1 behind` */
  state: string;
  /** Conflicts that are forecast, and what is claimed. */
  notes: string[];
}

export interface CostView {
  usd: number | null;
  rows: { key: string; output: number; messages: number; usd: number | null }[];
  isCounting: boolean;
}

const MOST_ENTRIES = 10_000;
const MOST_CHARACTERS = 8_000_000;
const LONGEST_TEXT = 2_000;
/** States change every few seconds: the table shows the present one. */
const SHOWN = new Set(["message", "task", "decision", "context"]);

export interface Snapshot extends Omit<Sections, "cost"> {
  entries: EntryView[];
}

export function snapshot(seeing: Seeing, team: string | undefined, since: Date): Snapshot {
  const { tasks, entries } = gather(seeing, team, since);
  const roster = team === undefined ? undefined : readTeam(seeing.paths, team);
  const rows = team !== undefined && roster ? teamRows(seeing, team, roster) : sessionRows(seeing);
  const pauses = readPauses(seeing.paths);
  return {
    agents: rows.map((row) => ({
      paused: pausedBy(seeing, pauses, roster ? row : withoutTeam(row)),
      // Agents inside the lead's session have its id, and sessions outside any team may share a name.
      key: roster ? row.agent : (row.session ?? row.agent),
      agent: row.agent,
      role: row.role ?? "",
      state: row.state,
      evidence: row.evidence,
      task: row.task ?? "",
      context: row.context === undefined ? null : Math.round(row.context),
      unread: row.unread ?? 0,
      lastSeen: row.lastSeen ?? "",
    })),
    tasks,
    recipients: recipients(seeing, team),
    trees: treesOf(seeing, roster),
    quota: quotaLines(seeing.paths, seeing.now),
    entries: newest(entries.filter(({ kind }) => SHOWN.has(kind))),
  };
}

/** As last counted: git is not asked. */
function treesOf({ paths, now, env }: Seeing, roster: Team | undefined): TreeView[] {
  const directories = (roster?.members ?? readSessions(paths)).flatMap(({ cwd }) => cwd ?? []);
  return boardTrees({ paths, env, now, fresh: false }, directories).map((tree) => ({
    key: tree.top,
    agents: tree.agents.join(", "),
    branch: tree.branch ?? "no branch",
    state: [
      tree.changed === undefined ? "" : tree.changed === 0 ? "clean" : `${tree.changed} changed`,
      tree.against === undefined ? "" : `${tree.ahead} ahead of ${tree.against}, ${tree.behind} behind`,
    ]
      .filter(Boolean)
      .join(", "),
    notes: [
      ...tree.conflicts.map((one) => `would conflict with ${one.with.join(", ")} in ${one.files.join(", ")}`),
      ...(tree.claims.length > 0 ? [`claims ${tree.claims.join(", ")}`] : []),
    ],
  }));
}

/** In the list of all sessions it is called `alice@harbour`. */
const withoutTeam = (row: AgentRow): AgentRow => ({ ...row, agent: row.agent.replace(/@[^@]*$/, "") });

function pausedBy({ paths }: Seeing, pauses: readonly Pause[], row: AgentRow): AgentView["paused"] {
  const pause = pauseOf(paths, row, pauses);
  if (!pause) return "";
  return pause.agent !== undefined || pause.session !== undefined ? "own" : "all";
}

function recipients({ paths }: Seeing, team: string | undefined): Sections["recipients"] {
  return (team === undefined ? listTeams(paths) : [team]).flatMap((one) => {
    const roster = readTeam(paths, one);
    return roster ? memberNames(roster).map((name) => ({ team: one, name })) : [];
  });
}

/** Two equal entries of one moment differ in their number. */
function newest(entries: readonly Entry[]): EntryView[] {
  const seen = new Map<string, number>();
  let room = MOST_CHARACTERS;
  const kept = entries.slice(-MOST_ENTRIES).map((entry) => {
    const text =
      entry.text && entry.text.length > LONGEST_TEXT ? `${cutAt(entry.text, LONGEST_TEXT)}…` : entry.text;
    const { at, kind, agent, to, head } = entry;
    const what = createHash("sha256")
      .update(JSON.stringify([at, kind, agent, to, head]))
      .digest("base64url")
      .slice(0, 16);
    const n = seen.get(what) ?? 0;
    seen.set(what, n + 1);
    return { ...entry, text, key: `${what}${n}` };
  });
  const fitting = kept.reverse().filter((entry) => {
    room -= entry.head.length + (entry.text?.length ?? 0);
    return room > 0;
  });
  return fitting.reverse();
}

const COUNT_MS = 400;
const MOST_ROWS = 50;

export function costView({ paths, now, loaded }: Seeing, team: string | undefined, since: Date): CostView {
  const asked = { paths, now, prices: loaded.values["cost.prices"], since, team };
  const counting = costsOf(asked, { until: Date.now() + COUNT_MS });
  const { totals, rows } = counting.by("agent");
  return {
    usd: totals.usd,
    rows: rows.slice(0, MOST_ROWS).map(({ key, output, messages, usd }) => ({ key, output, messages, usd })),
    isCounting: counting.unread.bytes > 0,
  };
}
