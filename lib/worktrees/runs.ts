// Notes each test or build run of an agent, and says when others changed the tree under it.

import { newId } from "../core/journal.ts";
import { cutAt, escapeLine } from "../core/text.ts";
import type { Base, Context } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";
import { runIn } from "./run-patterns.ts";
import { agentOf, keyOf, shownName } from "./store/agents.ts";
import { branchOf, type Tree } from "./store/repository.ts";
import { appendRun, changesByOthers, interferenceText, type Run } from "./store/runs.ts";
import { fingerprintOf, plainGit, readState } from "./store/tree-state.ts";

export type BashResult = Context<
  Base & {
    tool_input: Record<string, unknown>;
    tool_use_id?: string;
    tool_response?: unknown;
    error?: unknown;
    is_interrupt?: boolean;
    duration_ms?: number;
  }
>;

/** This hook begins a moment after the command has ended. */
const LATE_MS = 2_000;
const LONGEST_COMMAND = 300;
const FINGERPRINT_WITHIN_MS = 1_500;

export function noteRun(ctx: BashResult, tree: Tree): Outcome | undefined {
  const { command } = ctx.input.tool_input;
  const found = typeof command === "string" ? runIn(command, ctx.settings["worktrees.runs"]) : undefined;
  if (!found) return undefined;
  const own = keyOf(agentOf(ctx.input));
  const began = beganAt(ctx);
  const others = changesByOthers(ctx.paths, tree, began, own);
  const state = readState(plainGit(ctx.env, tree.top), FINGERPRINT_WITHIN_MS);
  const run: Run = {
    id: `r-${newId(ctx.now)}`,
    began: began.toISOString(),
    ended: ctx.now.toISOString(),
    command: cutAt(found.text, LONGEST_COMMAND),
    exitCode: exitCodeOf(ctx),
    ...(found.isLast ? {} : { isWhole: true }),
    ...(isBackground(ctx) ? { isBackground: true } : {}),
    tree: tree.top,
    branch: branchOf(tree),
    ...("why" in state ? {} : { fingerprint: fingerprintOf(tree.top, state) }),
    agent: ctx.identity.agent ?? shownName({ session: ctx.input.session_id }),
    team: ctx.identity.team,
    session: ctx.input.session_id,
    others,
  };
  appendRun(ctx.paths, tree, run);
  if (others.length === 0) return undefined;
  const text = `${escapeLine(interferenceText(others, "this run"))}; run again before trusting it (\`${escapeLine(run.command)}\`, run ${run.id}; \`swarm runs\` lists all)`;
  return {
    context: { name: "a run that others disturbed", text, priority: 70, where: "swarm runs" },
    journal: [{ what: "run-void", run: run.id, command: run.command, others }],
  };
}

/** The client's own measure; the record says when the call was asked for, before any permission. */
function beganAt({ input, now, record }: BashResult): Date {
  const measured = input.duration_ms === undefined ? undefined : now.getTime() - input.duration_ms - LATE_MS;
  const asked = record?.tool?.id === input.tool_use_id ? Date.parse(record?.tool?.since ?? "") : Number.NaN;
  const known = [measured, asked].filter((one) => one !== undefined && Number.isFinite(one)) as number[];
  return new Date(known.length > 0 ? Math.max(...known) : now.getTime());
}

const isBackground = ({ input }: BashResult) =>
  input.tool_input["run_in_background"] === true ||
  (input.tool_response as { backgroundTaskId?: unknown } | undefined)?.backgroundTaskId !== undefined;

function exitCodeOf(ctx: BashResult): number | undefined {
  const { tool_response, error, is_interrupt } = ctx.input;
  if (is_interrupt || isBackground(ctx)) return undefined;
  if ((tool_response as { interrupted?: unknown } | undefined)?.interrupted === true) return undefined;
  if (error === undefined) return 0;
  const code = /^Exit code (\d{1,3})\b/.exec(typeof error === "string" ? error : "")?.[1];
  return code === undefined ? undefined : Number(code);
}
