// Every kind of file Swarm leaves on a machine: gc, the doctor, docs/reference/files.md and the tests work from this list. Each kind
// is declared in the store that writes it; the first that matches a path counts.
import { STATUS_LINE_FILES } from "../context/store/status-line.ts";
import { CONTEXT_FILES } from "../context/store/window.ts";
import { CORE_FILES, type FileKind } from "../core/file-kind.ts";
import { JOURNAL_FILES } from "../core/journal.ts";
import { EFFORT_FILES } from "../efforts/store/efforts.ts";
import { WINDOW_FILES } from "../efforts/store/windows.ts";
import { BLOCK_COUNTS } from "../hook/gate.ts";
import { RELAY_FILES } from "../machines/store/paths.ts";
import { MAILBOX_FILES } from "../mail/store/mailbox-files.ts";
import { MAIL_SESSION_FILES } from "../mail/store/session-files.ts";
import { WAKE_TRIGGERS } from "../mail/store/wake-triggers.ts";
import { BUDGET_FILE } from "../people/store/budget.ts";
import { COST_INDEX_FILE } from "../people/store/cost-index.ts";
import { NOTIFY_FILES } from "../people/store/moments.ts";
import { QUOTA_FILE } from "../people/store/quota.ts";
import { LIFECYCLE_LOG } from "../sessions/store/lifecycle.ts";
import { SESSION_FILES } from "../sessions/store/sessions.ts";
import { PROCESS_FILES } from "../system/processes.ts";
import { TASK_FILES } from "../tasks/store.ts";
import { MEMBER_FILES } from "../teammates/store/member-files.ts";
import { SETUP_FILES } from "../teammates/store/setup.ts";
import { SPAWN_LEDGER, SPAWN_TRACES } from "../teammates/store/spawns.ts";
import { TEAM_FILES } from "../teams/store/config.ts";
import { HEARTBEAT_FILES } from "../teams/store/liveness.ts";
import { PRESENCE_FILES } from "../worktrees/store/agents.ts";
import { CLAIM_FILES } from "../worktrees/store/claims.ts";
import { FORECAST } from "../worktrees/store/forecast.ts";
import { TURN_FILES } from "../worktrees/store/index-turn.ts";
import { LEDGER } from "../worktrees/store/ledger.ts";
import { RUNS } from "../worktrees/store/runs.ts";
import { TREE_NOTES } from "../worktrees/store/tree-notes.ts";
import { TREE_FILES } from "../worktrees/store/trees.ts";
import { OPS_FILES } from "./store/state-files.ts";

export const FILE_KINDS: readonly FileKind[] = [
  ...CORE_FILES,
  ...JOURNAL_FILES,
  BLOCK_COUNTS,
  ...SESSION_FILES,
  PROCESS_FILES,
  LIFECYCLE_LOG,
  ...TEAM_FILES,
  ...HEARTBEAT_FILES,
  ...TASK_FILES,
  ...MAILBOX_FILES,
  WAKE_TRIGGERS,
  ...MAIL_SESSION_FILES,
  ...RELAY_FILES,
  SPAWN_LEDGER,
  ...SPAWN_TRACES,
  ...MEMBER_FILES,
  SETUP_FILES,
  CONTEXT_FILES,
  STATUS_LINE_FILES,
  WINDOW_FILES, // before the efforts, whose path covers it
  EFFORT_FILES,
  ...TREE_FILES,
  RUNS,
  FORECAST,
  TREE_NOTES,
  ...OPS_FILES,
  COST_INDEX_FILE,
  BUDGET_FILE,
  QUOTA_FILE,
  ...NOTIFY_FILES,
  LEDGER,
  PRESENCE_FILES,
  CLAIM_FILES,
  TURN_FILES,
];

const PATTERNS = new Map(FILE_KINDS.map((kind) => [kind, patternOf(kind)]));

/** `path` is below the client's directory, with `/` between its parts. */
export const kindOf = (path: string): FileKind | undefined =>
  FILE_KINDS.find((kind) => PATTERNS.get(kind)?.test(path));

/** The session or the process number in a path of this kind. */
export const ownerOf = (kind: FileKind, path: string): string =>
  PATTERNS.get(kind)?.exec(path)?.groups?.["owner"] ?? "";

function patternOf({ path, maxBytes }: FileKind): RegExp {
  const source = path
    .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(",", "|")})`)
    .replace("<session>", "(?<owner>[^/]+)")
    .replaceAll("<hex>", "[0-9a-f]+")
    .replace("<pid>", "(?<owner>\\d+)")
    .replace(/<(?!owner)\w+>/g, "[^/]+")
    .replace(/^\\\*\\\*/, ".*");
  const end = path.endsWith("/") ? "" : path.endsWith(".lock") ? "(?:/|$)" : maxBytes ? "(?:\\.1)?$" : "$";
  return new RegExp(`^${source}${end}`, "s"); // a name may hold a line break
}
