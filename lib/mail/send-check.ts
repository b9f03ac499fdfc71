// The client's SendMessage, checked by code where Claude Swarm hooks ask a model: the recipient exists, the message is not empty, a
// broadcast announces its size, and a shutdown request for a member with open work is blocked once. Without a roster everything passes.

import { asTable, asText } from "../core/json.ts";
import { nearest } from "../core/nearest.ts";
import { asWord, escapeLine } from "../core/text.ts";
import { type Context, type Identity, sessionMailboxOf } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import { blockOnce } from "../hook/gate.ts";
import type { Outcome } from "../hook/outcome.ts";
import type { Handler } from "../hook/run.ts";
import { readSubagents } from "../sessions/store/sessions.ts";
import { readOpenTasks } from "../tasks/store/select.ts";
import { statusOf } from "../tasks/store.ts";
import {
  isLedBy,
  isNative,
  LEAD,
  leadOf,
  memberNames,
  readNativeTeams,
  readTeam,
} from "../teams/store/config.ts";

export const checkMessage: Handler<typeof events.PreToolUse> = (ctx) => {
  const outgoing = asOutgoing(ctx.input.tool_input);
  const rosters = rostersOf(ctx);
  const why = whyNotSent(outgoing, rosters);
  if (why) return { deny: why.text, rule: why.rule };
  if (outgoing.kind === "shutdown") return blockOverOpenWork(ctx, outgoing.to, rosters);
  if (outgoing.kind === "broadcast") return announceSize(ctx, rosters);
};

export function whyNotSent(
  { to, kind, text, isName }: Outgoing,
  { native, named, subagents, leadIsNamed }: Rosters,
): { rule: string; text: string } | undefined {
  if (text !== undefined && text.trim() === "")
    return { rule: "send:empty", text: "The message is empty. Say what its reader should know or do." };
  if (!isName || kind === "broadcast" || subagents.includes(to)) return undefined;
  const isNamedLead = to === LEAD && leadIsNamed;
  if (!isNamedLead && (native?.names.includes(to) || to === LEAD || to === "main")) return undefined;
  if (named && (isNamedLead || named.names.includes(to))) {
    const name = isNamedLead ? named.lead : to;
    if (!named.names.includes(name))
      return {
        rule: "send:named-team",
        text: `Team ${escapeLine(named.team)} has no lead who could read this.`,
      };
    return {
      rule: "send:named-team",
      text: `${escapeLine(name)} is a member of team ${escapeLine(named.team)}, which SendMessage does not reach. Use: swarm send ${escapeLine(asWord(name))} "<text>"`,
    };
  }
  if (!native || native.names.length < 2) return undefined;
  const near = nearest(to, native.names);
  const help = near.length > 0 ? ` Nearest: ${near.map(escapeLine).join(", ")}.` : "";
  return {
    rule: "send:unknown",
    text: `There is no ${escapeLine(to)} in team ${escapeLine(native.team)}.${help} Members: ${native.names.map(escapeLine).join(", ")}.`,
  };
}

type Rosters = ReturnType<typeof rostersOf>;

/** The native team is the agent's own, or the one its session leads. */
function rostersOf(ctx: Context) {
  const { session_id } = ctx.input;
  const own = ctx.identity.team;
  const native = readNativeTeams(ctx.paths).find(
    (team) => team.name === own || isLedBy(team, { sessions: [session_id], clientPid: ctx.clientPid }),
  );
  const mailbox = sessionMailboxOf(ctx);
  const named = mailbox && readTeam(ctx.paths, mailbox.team);
  const subagents = session_id ? readSubagents(ctx.paths, session_id) : [];
  return {
    /** The client's own team, which SendMessage reaches. */
    native: native && { team: native.name, names: native.members.map((member) => member.name) },
    /** Ours, which only `swarm send` reaches. */
    named: named && {
      team: mailbox.team,
      lead: leadOf(named),
      names: memberNames(named),
    },
    /**
     * `team-lead` means the lead of the named team. Every session of the client leads a native team of its own, often an empty one, so
     * a teammate in another session that writes to `team-lead` would reach no reader.
     */
    leadIsNamed: named !== undefined && !mailbox?.isLead && !isNativeTeammate(ctx.identity),
    /** SendMessage reaches them too, by name and by id. */
    subagents: subagents.flatMap(({ agent, agentId }) => [agent ?? "", agentId ?? ""]),
  };
}

const isNativeTeammate = ({ kind, team }: Identity) =>
  kind === "in-process" || (kind === "pane" && team !== undefined && isNative(team));

function blockOverOpenWork(ctx: Context, to: string, { native, named }: Rosters): Outcome | undefined {
  const list = native?.team ?? named?.team;
  const open = list ? readOpenTasks(ctx.paths, list, { owner: to }) : [];
  if (open.length === 0) return undefined;
  const lines = open
    .slice(0, 20)
    .map((task) => `- Task #${task.id} [${escapeLine(statusOf(task))}]: ${escapeLine(task.subject)}`);
  const text = [
    `${escapeLine(to)} still has open work (${open.length}):`,
    ...lines,
    "Let it finish, or give the tasks to somebody else. To shut it down all the same, send the request once more.",
  ].join("\n");
  return blockOnce(ctx, { reason: `shutdown:${to}`, text, allowance: 1 });
}

function announceSize(ctx: Context, { native }: Rosters): Outcome | undefined {
  if (!native) return undefined;
  const readers = native.names.filter((name) => name !== ctx.identity.agent);
  const names = readers.map(escapeLine).join(", ");
  return { context: `This broadcast starts a turn in each of ${readers.length} members: ${names}.` };
}

type Outgoing = ReturnType<typeof asOutgoing>;

/** A call of SendMessage, the same for every version of the client. */
export function asOutgoing(input: Record<string, unknown>) {
  const to = asText(input["to"]) ?? asText(input["recipient"]) ?? "";
  const message = input["message"] ?? input["content"];
  const kind = kindOf(to, (asTable(message) ?? input)["type"]);
  const byName = input["recipient_kind"] === undefined || input["recipient_kind"] === "name";
  return {
    to,
    kind,
    /** `undefined` for the client's own protocol messages. */
    text: kind === "message" || kind === "broadcast" ? (asText(message) ?? "") : undefined,
    /** Whether `to` is a plain name. The client resolves everything else: ids, sockets, sessions. */
    isName: byName && /^[\p{L}][\p{L}\p{N}_-]*$/u.test(to) && !/^a[0-9a-f]{16}$/.test(to),
  };
}

function kindOf(to: string, type: unknown) {
  if (type === "shutdown_request") return "shutdown";
  if (to === "*" || type === "broadcast") return "broadcast";
  return type === undefined || type === "message" ? "message" : "other";
}
