// `swarm status`: what every agent is doing, in one table, with the evidence for each state. A lazy part.
import { type Answer, badCall, type Call } from "../cli/command.ts";
import { whyNotSegment } from "../core/paths.ts";
import { plainLine, plainLines } from "../core/text.ts";
import { readEnvironment, terminal, writeAll } from "../hook/environment.ts";
import { quotaLines } from "../people/store/quota.ts";
import { costLine } from "../people/store/summary.ts";
import { updateSession } from "../sessions/store/sessions.ts";
import { freshOverview } from "../tasks/store/index-pass.ts" with { loading: "lazy" };
import { countTasks, type Overview, overviewOf } from "../tasks/store/select.ts";
import { LONG_LIST } from "../tasks/store/task-index.ts";
import { boardTrees, treeLines } from "../worktrees/store/tree-board.ts";
import type { STATUS_FLAGS } from "./commands.ts";
import { type AgentRow, sessionRows, teamRows } from "./status-board/rows.ts";
import { board, screenful } from "./status-board/table.ts";
import { watchFiles } from "./status-board/watch.ts" with { loading: "lazy" };
import { isNative, leadOf, type Member, readTeam, statusOf, type Team } from "./store/config.ts";
import { troubledMembers } from "./store/liveness.ts";

type StatusCall = Call<typeof STATUS_FLAGS>;

export function statusVerb(call: StatusCall) {
  if (call.words[0] === "set") return setStatus(call);
  if (!call.flags.watch) return draw(call);
  if (!terminal().isTerminal || call.flags.json)
    throw badCall("--watch redraws a terminal; without one, ask again instead");
  return watch(call);
}

/** Ages go on although no file changes. */
const REDRAW_MS = 2_000;

/** Until Ctrl-C or the end of the terminal; at once when files change or the window does. */
async function watch(call: StatusCall): Promise<void> {
  let shown = "";
  const redraw = () => {
    const next = screenful(draw({ ...call, now: readEnvironment().now }).text, terminal().rows);
    if (next !== shown) writeAll(1, next);
    shown = next;
  };
  redraw();
  const watching = watchFiles(call.paths, redraw);
  const timer = setInterval(redraw, REDRAW_MS);
  process.on("SIGWINCH", () => {
    shown = "";
    redraw();
  });
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  clearInterval(timer);
  watching.end();
}

function draw(call: StatusCall) {
  const name = call.flags.team ?? call.identity.team;
  const team = name === undefined || whyNotSegment(name) ? undefined : readTeam(call.paths, name);
  if (name === undefined || !team) {
    const rows = sessionRows(call);
    return drawRows(call, { team: null }, rows, [`sessions on this machine: ${countStates(rows)}`], []);
  }
  const status = isNative(name) ? "native" : statusOf(team);
  const tasks = overviewOf(call.paths, name, LONG_LIST) ?? freshOverview(call.paths, name);
  const members = shownMembers(call, name, team);
  const rows = teamRows(call, name, { ...team, members }, tasks);
  const left = team.members.length - rows.length;
  const more = left > 0 ? `, and ${left} more that --all shows` : "";
  const head = [`${name} (${status}): ${countStates(rows) || "no members"}${more}`, ...taskLine(tasks)];
  const directories = team.members.flatMap(({ cwd }) => cwd ?? []);
  return drawRows(call, { team: name, status }, rows, head, directories);
}

/** A row costs a hundredth of a node start: its files, its process, its task. */
const MOST_ROWS = 40;

/** Of a large team the lead, those of whom it was notified, and those that were last seen; in the order of the team. */
function shownMembers({ flags, paths }: StatusCall, name: string, team: Team): Member[] {
  const { members } = team;
  if (flags.all || flags.json || isNative(name) || members.length <= MOST_ROWS) return members;
  const lead = leadOf(team);
  const troubled = new Set(troubledMembers(paths, name));
  const rankOf = ({ name: one, status, lastSeen = "" }: Member) =>
    `${one === lead ? 3 : status === "offline" ? 0 : troubled.has(one) ? 2 : 1} ${lastSeen}`;
  const ranked = members.map((member) => ({ member, rank: rankOf(member) }));
  ranked.sort((a, b) => (a.rank < b.rank ? 1 : a.rank > b.rank ? -1 : 0));
  const shown = new Set(ranked.slice(0, MOST_ROWS).map(({ member }) => member));
  return members.filter((member) => shown.has(member));
}

/** With the trees of the repositories that the members and the caller are in. */
function drawRows(
  call: StatusCall,
  whose: { team: string | null; status?: string },
  rows: AgentRow[],
  head: readonly string[],
  directories: readonly string[],
): Answer {
  const quota = quotaLines(call.paths, call.now);
  const trees = boardTrees({ ...call, fresh: call.flags.trees === true }, [...directories, call.cwd]);
  const data = { ...whose, agents: rows, quota, trees };
  if (rows.length === 0 && whose.team === null) return { text: "no session is open on this machine", data };
  const { isTerminal, columns: width } = terminal();
  // A pipe gets every column and no colour.
  const columns = isTerminal ? width : Number.POSITIVE_INFINITY;
  const above = [...head, ...quota, ...costLine(call, whose.team ?? undefined)].map(plainLine);
  const parts = [
    above.flatMap((line) => folded(line, columns)).join("\n"),
    rows.length > 0 ? board(rows, { columns, colours: isTerminal && !call.noColour }) : "",
    plainLines(treeLines(trees, call.now).flatMap((line) => folded(line, columns))),
  ];
  const text = parts.filter(Boolean).join("\n\n");
  return { text, styled: text, data }; // the board cleans its cells and adds its own colours
}

/** `tasks: 3 of 5 done, 2 of them verified` */
function taskLine(overview: Overview): string[] {
  const { done, all, verified } = countTasks(overview);
  if (all === 0) return [];
  const proven =
    verified === done ? "all verified" : verified === 0 ? "unverified" : `${verified} of them verified`;
  return [`tasks: ${done} of ${all} done${done > 0 ? `, ${proven}` : ""}`];
}

/** On a narrow terminal a line breaks between its parts. */
function folded(line: string, columns: number): string[] {
  const at = line.lastIndexOf(", ", columns - 1);
  if (line.length <= columns || at < 0) return [line];
  return [line.slice(0, at + 1), ...folded(`  ${line.slice(at + 2)}`, columns)];
}

/** `2 working, 1 idle`, in the order of the board. */
function countStates(rows: readonly AgentRow[]): string {
  const states = [...new Set(rows.map((row) => row.state))];
  return states.map((state) => `${rows.filter((row) => row.state === state).length} ${state}`).join(", ");
}

const LONGEST_STATUS = 200;

function setStatus({ words, session, paths }: StatusCall) {
  const text = plainLine(words.slice(1).join(" ")).replace(/\s+/g, " ").slice(0, LONGEST_STATUS);
  if (words.length < 2)
    throw badCall('what is the status? for example: swarm status set "fixing the parser"');
  if (!session) throw badCall("a status belongs to a session: call this in the session");
  const record = updateSession(paths, { session }, (stored) =>
    stored ? { ...stored, statusText: text || undefined } : undefined,
  );
  if (!record) throw new Error(`there is no session ${session}`);
  return { text: text ? `status: ${text}` : "status removed", data: { session, status: text || null } };
}
