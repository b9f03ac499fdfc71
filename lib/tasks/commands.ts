// `swarm task`: the shared task list for people and agents, also where the client has no Task tools.
import { type Answer, badCall, byAction, type Call, command } from "../cli/command.ts";
import { requireMemberName, requireTeamName } from "../cli/unknown-names.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import { plainLine, plainLines, plainText } from "../core/text.ts";
import { type Identity, shownAs } from "../hook/context.ts";
import { readSubagents } from "../sessions/store/sessions.ts";
import { isNative, LEAD, memberOf, readTeam } from "../teams/store/config.ts";
import { plainPattern, whyNotPattern } from "../worktrees/store/patterns.ts";
import { lastRunNote } from "../worktrees/store/runs.ts";
import * as actions from "./actions.ts";
import { type Actor, openBlockers, type TaskLookup } from "./rules.ts";
import * as pass from "./store/index-pass.ts" with { loading: "lazy" };
import { countIn, overviewOf, selectTasks } from "./store/select.ts";
import { LONG_LIST, type TaskKind } from "./store/task-index.ts";
import {
  hasTaskList,
  isOpen,
  isTaskId,
  notesOf,
  proofOf,
  shownStatus,
  statusOf,
  type Task,
} from "./store.ts";
import { authorOf, boardOf, listOf, type TaskContext } from "./task-context.ts";
import { evidenceOf, verifiedByRun } from "./verify.ts";

const FLAGS = {
  team: "text",
  as: "text",
  "session-id": "text",
  subject: "text",
  description: "text",
  "active-form": "text",
  status: "text",
  owner: "text",
  comment: "text",
  evidence: "text",
  run: "text",
  "blocked-by": "text",
  blocks: "text",
  files: "texts",
  mine: "switch",
  blocked: "switch",
  all: "switch",
  beside: "switch",
} as const;
type TaskCall = Call<typeof FLAGS>;

/** The first is the one of a call without an action. */
const ACTIONS: Record<string, (call: TaskCall) => Answer> = {
  list,
  create: (call) => {
    const context = contextOf(call);
    const edit = editOf(call);
    const subject = edit.subject ?? call.words.slice(1).join(" ");
    if (!subject.trim()) throw badCall("a task needs a subject: swarm task create SUBJECT");
    if (call.flags.status) throw badCall("a new task is pending; set --status with swarm task update");
    const task = actions.create(context, { ...edit, subject });
    const overlaps = actions.overlappingTasks(context, task);
    const lines = [
      `created ${lineOf(task, boardOf(context).tasks)}`,
      ...overlaps.map((one) => `its files overlap with ${lineOf(one, new Map())}`),
    ];
    return { text: plainLines(lines), data: { ...task, overlaps: overlaps.map(({ id }) => id) } };
  },
  show: (call) => {
    const context = contextOf(call);
    const task = actions.requireTask(context, idOf(call));
    const board = boardOf(context);
    const lost = task.owner ? board.whyLost(task) : undefined;
    return { text: detailsOf(task, board.tasks, lost), data: { ...dataOf(task), lost } };
  },
  claim: (call) => {
    const context = contextOf(call);
    if (!context.actor.name)
      throw badCall("only an agent claims a task; to assign one: swarm task update ID --owner NAME");
    const id = call.words[1] === undefined ? undefined : idOf(call);
    const task = actions.claim(context, context.actor.name, id);
    if (!task) return { text: "No task is free; swarm task list shows the owners.", data: null, exitCode: 1 };
    const line = lineOf(task, boardOf(context).tasks);
    return { text: `claimed ${line}\n${plainText(task.description)}`.trimEnd(), data: task };
  },
  update: (call) => changed(contextOf(call), idOf(call), editOf(call)),
  done: (call) => changed(contextOf(call), idOf(call), editOf(call, "completed")),
  release: (call) => {
    const context = contextOf(call);
    const task = actions.release(context, idOf(call), call.flags.comment);
    return { text: `released ${lineOf(task, boardOf(context).tasks)}`, data: task };
  },
  delete: (call) => {
    const task = actions.remove(contextOf(call), idOf(call));
    return { text: `deleted #${task.id}  ${plainLine(task.subject)}`, data: task };
  },
  index,
};

function contextOf(call: TaskCall): TaskContext {
  const { paths, now, cwd, env, session, loaded, flags, identity } = call;
  const team = flags.team ?? identity.team ?? teamOfList(call);
  const list = flags.team ?? listOf(call, team, session);
  // Sessions have lists of their own, without a team.
  if (team !== undefined && (whyNotSegment(team) || !hasTaskList(paths, team))) requireTeamName(paths, team);
  return { paths, now, cwd, env, list, team, session, settings: loaded.values, actor: actorFor(call, team) };
}

/** Whose list the environment names. */
const teamOfList = ({ paths, taskList }: TaskCall): string | undefined =>
  taskList !== undefined && !whyNotSegment(taskList) && readTeam(paths, taskList) ? taskList : undefined;

/** A session leads its own list. In a team's list only a member has a name there, and only the lead the rights of one. */
function ownActor({ identity, session }: TaskCall, team: string | undefined): Actor {
  if (identity.kind === "person") return { name: undefined, isLead: true };
  if (team === undefined || team === session) return { name: LEAD, isLead: true };
  return { name: shownAs(identity, session, team), isLead: identity.isLead && identity.team === team };
}

/** In-process teammates share their lead's session; `--as` says which of them calls. */
function actorFor(call: TaskCall, team: string | undefined): Actor {
  const { identity, session, paths } = call;
  const { as: name } = call.flags;
  const own = ownActor(call, team);
  if (name === undefined || name === own.name) return own;
  if (identity.kind === "person" || !session)
    throw badCall(
      `--as names an agent inside the calling session; to assign a task: --owner ${plainLine(name)}`,
    );
  const bad = whyNotSegment(name);
  if (bad) throw badCall(`--as: the name ${bad}`);
  const isInside =
    readSubagents(paths, session).some((one) => one.agent === name) ||
    inProcessNames(paths, identity).includes(name);
  if (!isInside && team && memberOf(readTeam(paths, team), name))
    throw new Error(`--as ${name}: that member of team ${team} does not run in this session`);
  return { name, isLead: false };
}

/** Of the native team this session leads. */
function inProcessNames(paths: Paths, { team, isLead }: Identity): string[] {
  const own = isLead && team && isNative(team) ? readTeam(paths, team) : undefined;
  return (own?.members ?? []).filter((one) => one.backendType !== "tmux").map(({ name }) => name);
}

function idOf({ words }: TaskCall): string {
  const id = words[1]?.replace(/^#/, "");
  if (!id || !isTaskId(id)) throw badCall("which task? give its number");
  return id;
}

function editOf(call: TaskCall, status = call.flags.status): actions.TaskEdit {
  const { flags, stdin } = call;
  const owner = ownerOf(call);
  const bad = owner ? whyNotSegment(owner) : undefined;
  if (bad) throw badCall(`the owner's name ${bad}`);
  if (flags.subject?.trim() === "") throw badCall("a task needs a subject");
  const says = status === undefined ? {} : statusEdit(status);
  return {
    subject: flags.subject,
    description: flags.description === "-" ? stdin() : flags.description,
    activeForm: flags["active-form"],
    comment: flags.comment,
    owner,
    blockedBy: idsOf(flags["blocked-by"]),
    blocks: idsOf(flags.blocks),
    files: filesOf(flags.files),
    ...says,
    ...proofIn(call, says.status === "completed"),
  };
}

/** As lists show it, too. */
const ownerOf = ({ flags }: TaskCall) => flags.owner?.replace(/^@/, "");

/** `--evidence` may name a run, too. */
function proofIn(call: TaskCall, completes: boolean) {
  const { evidence: file, run = file?.match(/^r-[\w-]+$/)?.[0] } = call.flags;
  if ((file ?? run) !== undefined && !completes)
    throw badCall("--run and --evidence prove a task that is completed: swarm task done ID");
  return {
    evidence: file === undefined || file === run ? undefined : evidenceOf(call, file),
    verified: run === undefined ? undefined : verifiedByRun(call.paths, run),
  };
}

/** Below the top level of the repository, separated by commas or given several times. */
const filesOf = (given: string[] | undefined): string[] | undefined =>
  given
    ?.flatMap((one) => one.split(/,(?![^{]*\})/))
    .filter(Boolean)
    .map((pattern) => {
      const why = whyNotPattern(pattern);
      if (why) throw badCall(`--files: ${JSON.stringify(plainLine(pattern))} ${why}`);
      return plainPattern(pattern);
    });

const idsOf = (given: string | undefined) =>
  given
    ?.split(/[\s,]+/)
    .filter(Boolean)
    .map((id) => {
      const number = id.replace(/^#/, "");
      if (!isTaskId(number)) throw badCall(`${JSON.stringify(id)} is no task number`);
      return number;
    });

const normal = (status: string) => status.toLowerCase().replaceAll("-", "_");

/** The five statuses of Claude Swarm hooks, expressed by the client's three and ours. */
function statusEdit(given: string): Pick<actions.TaskEdit, "status" | "state"> {
  const status = normal(given);
  if (status === "pending" || status === "in_progress" || status === "completed")
    return { status, state: "" };
  if (status === "blocked") return { state: "blocked" };
  if (status === "in_review") return { status: "in_progress", state: "in_review" };
  throw badCall("--status is pending, in_progress, completed, blocked or in_review");
}

function changed(context: TaskContext, id: string, edit: actions.TaskEdit) {
  if (!Object.values(edit).some((value) => value !== undefined))
    throw badCall("nothing to change; see swarm help task");
  const { paths, cwd, session } = context;
  const { task, unblocked, notified } = actions.change(context, id, edit);
  const note = session && edit.status === "completed" ? lastRunNote(paths, cwd, { session }) : undefined;
  const lines = [
    lineOf(task, boardOf(context).tasks),
    ...unblocked.map((one) => `unblocked: #${one.id}  ${plainLine(one.subject)}  (${one.owner ?? "free"})`),
    ...(notified.length > 0 ? [`notified: ${notified.join(", ")}`] : []),
    ...(note ? [note] : []),
  ];
  return { text: plainLines(lines), data: { task, unblocked, notified } };
}

/** Of a longer list the open tasks come first, then the latest of the others. Each of them is read; which they are the index says, as
 *  it does to hooks. What is searched for may be any task, so for that every file is looked at where something has changed. */
const MOST_SHOWN = 200;

function list(call: TaskCall) {
  const { flags } = call;
  const context = contextOf(call);
  const { tasks: lookup, roster } = boardOf(context);
  const isWhole = flags.all || flags.json || flags.blocked;
  const owner = flags.mine ? authorOf(context) : ownerOf(call);
  const isPlain = !isWhole && owner === undefined && !flags.status;
  const overview =
    (isPlain ? overviewOf(context.paths, context.list, LONG_LIST) : undefined) ??
    pass.freshOverview(context.paths, context.list);
  const status = flags.status && normal(flags.status);
  const isOwned = (kind: TaskKind) => owner === undefined || (kind.owner ?? "") === owner;
  if (!flags.mine && owner && roster && countIn(overview, isOwned) === 0)
    requireMemberName(owner, context.team ?? context.list, roster);
  const hasStatus = (kind: TaskKind) => shownStatus(kind) === status || kind.status === status;
  if (status && countIn(overview, hasStatus) === 0) statusEdit(status); // which refuses an unknown one
  const wanted = (kind: TaskKind) => (status === undefined || hasStatus(kind)) && isOwned(kind);
  const most = isWhole ? Number.POSITIVE_INFINITY : MOST_SHOWN;
  const some = (which: (kind: TaskKind) => boolean, limit: { first?: number; last?: number }) =>
    selectTasks(context.paths, overview, (kind) => wanted(kind) && which(kind), limit);
  const open = some(isOpen, { first: most });
  const others = some((kind) => !isOpen(kind), { last: most - open.tasks.length });
  const tasks = [...open.tasks, ...others.tasks].sort((a, b) => Number(a.id) - Number(b.id));
  const shown = flags.blocked ? tasks.filter((task) => openBlockers(task, lookup).length > 0) : tasks;
  const isOwn = context.team === undefined && context.list === context.session;
  const listName = isOwn ? "this session's own list" : `list ${context.list}`;
  const none = countIn(overview, () => true) > 0 ? "no matching task" : `no task in ${listName}`;
  const more = open.count + others.count - tasks.length;
  const lines = [
    ...shown.map((task) => lineOf(task, lookup)),
    ...(more > 0 ? [`… and ${more} more: swarm task list --all`] : []),
  ];
  return { text: plainLines(lines) || none, data: shown.map(dataOf) };
}

const dataOf = (task: Task) => ({ ...task, shownStatus: statusOf(task), proof: proofOf(task) });

/** Started by hooks, beside the turn. */
function index(call: TaskCall) {
  const { paths, flags, session } = call;
  const list = flags.team ?? listOf(call, call.identity.team, session);
  if (flags.beside) pass.awaitQuiet(paths, list);
  const made = pass.indexTasks(paths, list);
  const tasks = made?.groups.reduce((sum, { ids }) => sum + ids.length, 0);
  const text = tasks ? `${tasks} tasks of list ${list}` : `list ${list} is short: it needs no index`;
  return { text, data: { list, tasks: tasks ?? null } };
}

function lineOf(task: Task, tasks: TaskLookup): string {
  const open = openBlockers(task, tasks).map((one) => `#${one.id}`);
  const owner = task.owner ? `  @${task.owner}` : "";
  const waits = isOpen(task) && open.length > 0 ? `  waits for ${open.join(", ")}` : "";
  const proof = proofOf(task);
  return `#${task.id}  ${statusOf(task)}  ${plainLine(task.subject)}${owner}${waits}${proof ? `  (${proof})` : ""}`;
}

function detailsOf(task: Task, tasks: TaskLookup, lost: string | undefined): string {
  const { comments = [], files = [], lease } = notesOf(task);
  const others = (ids: string[]) => ids.map((id) => `#${plainLine(id)}`).join(", ");
  return [
    plainLine(lineOf(task, tasks)),
    ...(task.description ? ["", plainText(task.description), ""] : []),
    ...(lease && task.status === "in_progress" ? [`claimed at ${plainLine(lease.at)}`] : []),
    ...(files.length > 0 ? [`files: ${plainLine(files.join(" "))}`] : []),
    ...(lost && isOpen(task) ? [`its owner ${lost}: anyone may claim it`] : []),
    ...(task.blockedBy.length > 0 ? [`waits for: ${others(task.blockedBy)}`] : []),
    ...(task.blocks.length > 0 ? [`blocks: ${others(task.blocks)}`] : []),
    ...comments.map((one) => `${plainLine(one.timestamp)}  ${plainLine(one.author)}: ${indented(one.text)}`),
  ].join("\n");
}

/** No line of it can pass as the comment of another. */
const indented = (text: string): string => plainText(text).replaceAll("\n", "\n  ");

export const commands = [
  command({
    name: "task",
    summary: "the shared task list: create, claim, finish, hand back",
    usage: `swarm task create SUBJECT | list | show ID | claim [ID] | update ID | done ID | release ID | delete ID | index
create   [--description TEXT|-] [--active-form TEXT] [--owner NAME] [--comment TEXT] [--blocked-by 1,2] [--blocks 3]
         [--files GLOB]…: files below the top level of the repository, claimed by its owner while the task is in progress
list     [--status STATUS] [--owner NAME | --mine] [--blocked] [--all]: of a long list 200, the open ones first; --all or --json: all;
         --owner "" those without an owner
claim    the task with this number, or the first that is yours or free; it stays yours while you show signs of life
update   [--status STATUS] [--owner NAME] [--comment TEXT] [--blocked-by 1,2] [--blocks 3] [--files GLOB]… [--subject TEXT]
         [--description TEXT|-] [--active-form TEXT]; --owner "" removes the owner
done     [--run ID | --evidence FILE] completed, after the check in tasks.verify if there is one; shows what it unblocked and notifies the lead
         and the owners. Lists say what proves it: the check, or a run of \`swarm runs\`, and the tree it ran on; or a file
release  gives it back: pending, without an owner
index    looks at every file of a list of more than 200 tasks, so that hooks need not; they start it themselves beside the turn (--beside)
STATUS   pending, in_progress, completed; also blocked and in_review, which the client does not know
Everywhere: --team NAME for another list, --as NAME in an in-process teammate, which shares its lead's shell.`,
    flags: FLAGS,
    words: { create: "any", list: 0, index: 0, show: 1, claim: 1, update: 1, done: 1, release: 1, delete: 1 },
    team: "data",
    run: byAction(ACTIONS),
  }),
];
