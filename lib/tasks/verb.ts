// `swarm task`: the task list for everyone, also where the client offers no Task tools.

import { badCall, type Call } from "../cli/command.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import { plainLine, plainLines, plainText } from "../core/text.ts";
import { type Identity, shownAs } from "../hook/identity.ts";
import { readSubagents } from "../sessions/store/sessions.ts";
import { LEAD, memberOf, readNativeTeams, readTeam } from "../teams/store/config.ts";
import { change, claim, create, found, release, remove, type Wish } from "./actions.ts";
import { type Actor, openBlockers } from "./rules.ts";
import type { Task } from "./store.ts";
import { actorOf, boardOf, listOf, type TaskContext } from "./task-context.ts";
import { lineOf, pageOf, statusOf } from "./text.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
export const TASK_FLAGS = {
  team: text,
  as: text,
  "session-id": text,
  subject: text,
  description: text,
  "active-form": text,
  status: text,
  owner: text,
  assign: text,
  comment: text,
  "blocked-by": text,
  blocks: text,
  mine: flag,
  blocked: flag,
} as const;
type TaskCall = Call<typeof TASK_FLAGS>;
type Act = (call: TaskCall, taskContext: TaskContext) => { text: string; data: unknown; exitCode?: number };

const ACTIONS: Record<string, Act> = {
  create: (call, taskContext) => {
    const wish = wishOf(call);
    const subject = wish.subject ?? call.words.slice(1).join(" ");
    if (!subject.trim()) throw badCall("what is to be done? swarm task create SUBJECT");
    if (call.flags.status) throw badCall("a new task is pending; --status comes later");
    const task = create(taskContext, { ...wish, subject });
    return { text: `created ${lineOf(task, boardOf(taskContext).tasks)}`, data: task };
  },
  list,
  show: (call, taskContext) => {
    const task = found(taskContext, idOf(call));
    const board = boardOf(taskContext);
    const lost = task.owner ? board.whyLost(task) : undefined;
    return { text: pageOf(task, board.tasks, lost), data: { ...task, shownStatus: statusOf(task), lost } };
  },
  claim: (call, taskContext) => {
    if (!taskContext.actor.name) throw badCall("a person gives work: swarm task update ID --owner NAME");
    const task = claim(
      taskContext,
      taskContext.actor.name,
      call.words[1] === undefined ? undefined : idOf(call),
    );
    if (!task)
      return { text: "nothing is free: swarm task list shows who has what", data: null, exitCode: 1 };
    const words = `yours: ${lineOf(task, boardOf(taskContext).tasks)}\n${plainText(task.description)}`;
    return { text: words.trimEnd(), data: task };
  },
  update: (call, taskContext) => changed(taskContext, idOf(call), wishOf(call)),
  done: (call, taskContext) =>
    changed(taskContext, idOf(call), { ...wishOf(call), status: "completed", state: "" }),
  release: (call, taskContext) => {
    const task = release(taskContext, idOf(call), call.flags.comment);
    return { text: `free again: ${lineOf(task, boardOf(taskContext).tasks)}`, data: task };
  },
  delete: (call, taskContext) => {
    const task = remove(taskContext, idOf(call));
    return { text: `deleted #${task.id}  ${plainLine(task.subject)}`, data: task };
  },
};

export function taskVerb(call: TaskCall) {
  const [action = "list"] = call.words;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!act) throw badCall(`${Object.keys(ACTIONS).join(", ")}, not ${JSON.stringify(action)}`);
  return act(call, deskOf(call));
}

function deskOf(call: TaskCall): TaskContext {
  const { paths, now, cwd, session, loaded, flags, identity } = call;
  const team = flags.team ?? identity.team;
  const list = flags.team ?? listOf(call, team, session);
  const bad = team === undefined ? undefined : whyNotSegment(team);
  if (bad) throw badCall(`the team's name ${bad}`);
  return { paths, now, cwd, list, team, session, settings: loaded.values, actor: actorFor(call, team) };
}

/** In another team's list an agent has neither the name nor the rights of a member. */
function actorFor(call: TaskCall, team: string | undefined): Actor {
  const own = ownActor(call, team);
  const { as } = call.flags;
  return as === undefined || as === own.name ? own : { name: voiceFor(call, as, team), isLead: false };
}

function ownActor({ identity, session, flags }: TaskCall, team: string | undefined): Actor {
  if (identity.kind === "person") return { name: undefined, isLead: true };
  if (!identity.agent && !flags.team) return { name: LEAD, isLead: true }; // a session's own list
  const isOutside = identity.agent !== undefined && identity.team !== team;
  return { name: shownAs(identity, session, team), isLead: !isOutside && actorOf(identity).isLead };
}

/** In-process teammates share their lead's session, and only `--as` tells them apart. */
function voiceFor(call: TaskCall, name: string, team: string | undefined): string {
  const { identity, session, paths } = call;
  if (identity.kind === "person" || !session)
    throw badCall(`--as is for voices of a session; to give work to somebody: --owner ${plainLine(name)}`);
  const bad = whyNotSegment(name);
  if (bad) throw badCall(`--as: the name ${bad}`);
  const isVoice = readSubagents(paths, session).some((voice) => voice.agent === name);
  const isInside = isVoice || inProcessNames(paths, identity).includes(name);
  const roster = team ? readTeam(paths, team) : undefined;
  if (!isInside && roster && memberOf(roster, name))
    throw new Error(`--as ${name}: that member of team ${team} does not speak from this session`);
  return name;
}

/** Of the native team this session leads. */
const inProcessNames = (paths: Paths, { team, isLead }: Identity): string[] =>
  readNativeTeams(paths)
    .filter((one) => isLead && one.name === team)
    .flatMap((one) => one.members.flatMap((member) => (member.backendType === "tmux" ? [] : member.name)));

function idOf({ words }: TaskCall): string {
  const id = words[1]?.replace(/^#/, "");
  if (!id || !/^[1-9]\d{0,8}$/.test(id)) throw badCall("which task? its number");
  return id;
}

function wishOf({ flags, stdin }: TaskCall): Wish {
  const owner = flags.owner ?? flags.assign;
  const name = owner?.replace(/^@/, "");
  const bad = name ? whyNotSegment(name) : undefined;
  if (bad) throw badCall(`the owner's name ${bad}`);
  return {
    subject: flags.subject,
    description: flags.description === "-" ? stdin() : flags.description,
    activeForm: flags["active-form"],
    comment: flags.comment,
    owner: name,
    blockedBy: idsOf(flags["blocked-by"]),
    blocks: idsOf(flags.blocks),
    ...(flags.status === undefined ? {} : statusWish(flags.status)),
  };
}

const idsOf = (given: string | undefined) =>
  given
    ?.split(/[\s,]+/)
    .filter(Boolean)
    .map((id) => {
      const number = id.replace(/^#/, "");
      if (!/^[1-9]\d{0,8}$/.test(number)) throw badCall(`${JSON.stringify(id)} is no task number`);
      return number;
    });

const normal = (status: string) => status.toLowerCase().replaceAll("-", "_");

/** Seed 001's five statuses on the client's three. */
export function statusWish(given: string): Pick<Wish, "status" | "state"> {
  const status = normal(given);
  if (status === "pending" || status === "in_progress" || status === "completed")
    return { status, state: "" };
  if (status === "blocked") return { state: "blocked" };
  if (status === "in_review") return { status: "in_progress", state: "in_review" };
  throw badCall("--status is pending, in_progress, completed, blocked or in_review");
}

function changed(taskContext: TaskContext, id: string, wish: Wish) {
  if (!Object.values(wish).some((value) => value !== undefined)) throw badCall("change what? see --help");
  const { task, unblocked, told } = change(taskContext, id, wish);
  const whose = (one: Task) => one.owner ?? "free";
  const lines = [
    lineOf(task, boardOf(taskContext).tasks),
    ...unblocked.map((one) => `unblocked: #${one.id}  ${plainLine(one.subject)}  (${whose(one)})`),
    ...(told.length > 0 ? [`told: ${told.join(", ")}`] : []),
  ];
  return { text: plainLines(lines), data: { task, unblocked, told } };
}

function list({ flags }: TaskCall, taskContext: TaskContext) {
  const { tasks } = boardOf(taskContext);
  const owner = flags.mine ? taskContext.actor.name : (flags.owner ?? flags.assign);
  const status = flags.status && normal(flags.status);
  const shown = tasks
    .filter((task) => status === undefined || statusOf(task) === status || task.status === status)
    .filter((task) => owner === undefined || task.owner === owner)
    .filter((task) => !flags.blocked || openBlockers(task, tasks).length > 0);
  const none = tasks.length > 0 ? "no task fits" : `no task in list ${taskContext.list}`;
  return {
    text: plainLines(shown.map((task) => lineOf(task, tasks))) || none,
    data: shown.map((task) => ({ ...task, shownStatus: statusOf(task) })),
  };
}
