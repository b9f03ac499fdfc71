// What a handler is given, and who speaks to it. Settings, identity and the session's record are read when first asked for: most
// calls need none of them.

import { type Paths, whyNotSegment } from "../core/paths.ts";
import { once, reported } from "../core/process.ts";
import { type LoadedSettings, readSettings, type Settings } from "../core/settings.ts";
import { pauseOf } from "../sessions/store/pauses.ts" with { loading: "lazy" };
import type { Pause, PauseScope } from "../sessions/store/pauses.ts";
import {
  inProcessName,
  isAnythingPaused,
  isFormer,
  otherClientOf,
  readSession,
  type SessionRecord,
} from "../sessions/store/sessions.ts";
import { readProcess, startOf } from "../system/processes.ts";
import {
  findNativeMember,
  isNative,
  isRemote,
  LEAD,
  leadOf,
  type Member,
  processLifeOf,
  readTeam,
} from "../teams/store/config.ts";
import { type Environment, workingDirectory } from "./environment.ts";
import { memberOfWindow } from "./kitty-window.ts" with { loading: "lazy" };
import type { NamedOutcome } from "./outcome.ts";

/** The fields every event shares, whatever the event. */
export interface Base {
  session_id: string;
  transcript_path: string;
  cwd: string;
  permission_mode?: string;
  agent_id?: string;
  agent_type?: string;
}

export interface Context<Input = Base> extends Environment {
  event: string;
  input: Input;
  cwd: string;
  /** In milliseconds since the start of this process (`elapsedMs`). */
  deadline: number;
  readonly loaded: LoadedSettings;
  readonly settings: Settings;
  /** Set where the name is found to be another session's. */
  identity: Identity;
  /** The session's own record, also for its subagents. A handler that writes it sets it here, so that it is read once. */
  record: SessionRecord | undefined;
  /** What holds the speaker back, where a person has paused it. */
  readonly pause: Pause | undefined;
  /** The outcomes of the handlers before this one. */
  outcomes: NamedOutcome[];
  /** Set by the guard for a shell command that it has read. */
  effects?: Effects;
  /** A client that an agent of ours started from its Bash tool: what it inherited names the parent, not itself. */
  readonly isChild: boolean;
}

export function makeContext<Input extends Base>(
  event: string,
  input: Input,
  environment: Environment,
  deadline: number,
): Context<Input> {
  const isPath = input.cwd !== "" && !input.cwd.includes("\0");
  const cwd = isPath ? input.cwd : workingDirectory(environment.paths.home);
  const settings = once(() => readSettings(environment.paths, cwd, environment.projectDir));
  let record = once(() =>
    input.session_id ? readSession(environment.paths, { session: input.session_id }) : undefined,
  );
  const child = once(() => isChildSession(input.session_id, environment));
  let identity = once(() => {
    const { paths, clientPid, pane, kitty } = environment;
    return resolveIdentity({
      payload: input,
      named: child() ? {} : environment.named,
      atm: child() ? {} : environment.atm,
      record: () => (record() ?? ofProcess(environment)) as Claim | undefined,
      isFormer: (claim) => isFormer(record() ?? {}, claim),
      native: () => findNativeMember(paths, { session: input.session_id, clientPid, pane }),
      // Later events have the session's record.
      window: () => (event === "SessionStart" && kitty.window ? memberOfWindow(environment) : undefined),
      leads: (team, agent) =>
        event === "SessionStart" ? isLeadOnRoster(paths, team, agent) : isLeadOnRecord(record(), team, agent),
    });
  });
  const pause = once(() =>
    isAnythingPaused(environment.paths)
      ? pauseOf(environment.paths, pausableAs(input.session_id, identity()))
      : undefined,
  );
  return {
    ...environment,
    event,
    input,
    cwd,
    deadline,
    outcomes: [],
    get loaded() {
      return settings();
    },
    get settings() {
      return settings().values;
    },
    get identity() {
      return identity();
    },
    set identity(found) {
      identity = () => found;
    },
    get record() {
      return record();
    },
    set record(written) {
      record = () => written;
    },
    get pause() {
      return pause();
    },
    get isChild() {
      return child();
    },
  };
}

/** As after `claude --resume` in a second terminal. */
export const runsInAnotherClient = ({ input, paths, clientPid }: Context): boolean =>
  otherClientOf(paths, { session: input.session_id, pid: clientPid }) !== undefined;

/** The session ends with its client: not after `clear` and `resume`, and not while another client runs it too. */
export const endsSession = (ctx: Context<Base & { reason: string }>): boolean =>
  ctx.input.reason !== "clear" && ctx.input.reason !== "resume" && !runsInAnotherClient(ctx);

/** A subagent is paused with its parent. */
export const pausableAs = (session: string, { kind, team, agent, parent }: Identity): PauseScope => ({
  session: session || undefined,
  team,
  agent: kind === "subagent" ? parent : agent,
});

export function isChildSession(
  session: string,
  { wrapperId, clientPid, paths }: Pick<Environment, "wrapperId" | "clientPid" | "paths">,
): boolean {
  if (!wrapperId || wrapperId === session || whyNotSegment(wrapperId)) return false;
  const other = readSession(paths, { session: wrapperId });
  return other !== undefined && other.pid !== clientPid;
}

/** After `/clear` the session is new and its record empty, but the process still knows whose it is. */
function ofProcess({ paths, clientPid }: Environment): Claim | undefined {
  const known = readProcess(paths, clientPid);
  return known?.startedAt && known.startedAt === startOf(clientPid) ? known : undefined;
}

// Who speaks, and for which team. It weighs evidence that others gathered and says which it used, in this order: payload, the
// client's own command line, environment (Claude Swarm's variables, then ATM's), session record, the native team's config, the
// variables of its kitty window. A project's file is no evidence: anyone can write one.

/** The speaker of a verb outside any session; no member can have this name. */
export const PERSON = "person";

export type Kind = "person" | "solo" | "lead" | "named" | "pane" | "in-process" | "subagent";

export interface Identity {
  kind: Kind;
  team: string | undefined;
  /** The name others use; `undefined` outside a team. */
  agent: string | undefined;
  isLead: boolean;
  /** A subagent's parent, by name, and whether it leads the team. */
  parent?: string;
  isParentLead?: boolean;
  evidence: string[];
}

/** How others see the speaker, in this team or from outside it. */
export function shownAs(
  { kind, agent, team: own }: Identity,
  session: string | undefined,
  team?: string,
): string {
  if (kind === "person") return PERSON;
  if (agent && (own === team || !own)) return agent;
  if (agent) return `${agent}@${own}`;
  return session ? `solo-${session.slice(0, 8)}` : "solo";
}

/** Of a session outside every team. */
export const NOBODY: Identity = {
  kind: "solo",
  team: undefined,
  agent: undefined,
  isLead: false,
  evidence: [],
};

export type Claim = Partial<Pick<Identity, "team" | "agent" | "isLead" | "kind">>;

export interface Evidence {
  payload: { agent_id?: string; agent_type?: string; teammate_name?: string; team_name?: string };
  named: Environment["named"];
  atm: Environment["atm"];
  record: () => Claim | undefined;
  /** Another session has become this member since. */
  isFormer?: (claim: Claim) => boolean;
  /** From the native teams' files: by the client's command line or pane, or as their lead. */
  native: () => (Claim & { by: "process" | "pane" | "lead" }) | undefined;
  /** From the variables of the terminal window it runs in. */
  window?: () => Claim | undefined;
  /** By the roster of a named team, whose lead may have any name. */
  leads?: (team: string, agent: string) => boolean;
}

/** A teammate in a process of its own: its session is an agent's, not a coordinator's. */
export const isTeammateSession = ({ kind, isLead, agent }: Identity): boolean =>
  (kind === "named" || kind === "pane") && !isLead && agent !== undefined;

export function resolveIdentity(evidence: Evidence): Identity {
  const { agent_id, agent_type, teammate_name, team_name } = evidence.payload;
  const speaker = resolveSession(evidence);
  const team = team_name || speaker.team;
  // An in-process teammate carries its name in both id and type.
  if (agent_id && agent_type && inProcessName(agent_id) === agent_type)
    return { kind: "in-process", team, agent: agent_type, isLead: false, evidence: ["payload agent_id"] };
  if (agent_id)
    return {
      kind: "subagent",
      team: speaker.team,
      agent: agent_type || agent_id,
      isLead: false,
      parent: speaker.agent,
      isParentLead: speaker.isLead,
      evidence: ["payload agent_id", ...speaker.evidence],
    };
  if (!teammate_name) return speaker;
  const shares = speaker.isLead && speaker.agent !== teammate_name;
  return {
    kind: speaker.kind === "named" ? "named" : shares ? "in-process" : "pane",
    team,
    agent: teammate_name,
    isLead: teammate_name === LEAD,
    evidence: ["payload teammate_name"],
  };
}

function resolveSession(evidence: Evidence): Identity {
  const native = once(evidence.native);
  const claims: [string, () => Claim | undefined][] = [
    ["client command line", () => (native()?.by === "process" ? native() : undefined)],
    ["environment", () => fromNamed(evidence.named)],
    ["environment ATM_*", () => ({ team: evidence.atm.team, agent: evidence.atm.identity })],
    ["session record", evidence.record],
    ["native team config", native],
    ["kitty window", () => evidence.window?.()],
  ];
  const found: Identity = { ...NOBODY, evidence: [] };
  for (const [by, ask] of claims) {
    const claim = ask();
    if (!claim || (claim.team && found.team && claim.team !== found.team)) continue;
    if (claim.agent && evidence.isFormer?.({ agent: claim.agent, team: claim.team ?? found.team })) continue;
    const news = (claim.team && !found.team) || (claim.agent && !found.agent);
    if (!news) continue;
    found.evidence.push(by);
    found.team ??= claim.team;
    if (!found.agent && claim.agent) {
      found.agent = claim.agent;
      found.isLead = claim.isLead ?? claim.agent === LEAD;
      found.kind = claim.kind ?? "solo";
    }
    if (found.team && found.agent) break;
  }
  if (found.team && found.agent && !found.isLead)
    found.isLead = evidence.leads?.(found.team, found.agent) === true;
  if (found.kind === "solo" && found.team && found.agent) found.kind = found.isLead ? "lead" : "named";
  return found;
}

/** A session's start asks the roster, and writes the answer on the session's record for later events. */
function isLeadOnRoster(paths: Paths, team: string, agent: string): boolean {
  if (isNative(team) || whyNotSegment(team)) return false;
  const roster = reported(() => readTeam(paths, team));
  return roster !== undefined && leadOf(roster) === agent;
}

const isLeadOnRecord = (record: SessionRecord | undefined, team: string, agent: string): boolean =>
  record?.isLead === true && record.team === team && record.agent === agent;

function fromNamed({ team, agent, agentId, agentType, leadId }: Evidence["named"]): Claim {
  const isLead = agent === LEAD || agentType === LEAD || (agentId !== undefined && agentId === leadId);
  return { team, agent, isLead, kind: team && agent ? "named" : undefined };
}

/** Whose mail a session reads and whose heartbeat it gives, in a named team. The client serves its own (native) teams. */
export interface Mailbox {
  team: string;
  agent: string;
  isLead: boolean;
}

/** Subagents have no mailbox. */
export const mailboxOf = (ctx: Context): Mailbox | undefined =>
  ctx.input.agent_id ? undefined : sessionMailboxOf(ctx);

/** The mailbox of the session, also for its subagents. The record is cheaper to read than all evidence. */
export function sessionMailboxOf(ctx: Context): Mailbox | undefined {
  const known = ctx.event === "SessionStart" ? undefined : ctx.record;
  const { team, agent, isLead } = known ?? parentOf(ctx.identity);
  if (!team || !agent || isNative(team) || whyNotSegment(team) || whyNotSegment(agent)) return undefined;
  return { team, agent, isLead: isLead === true };
}

/** By the record or by all evidence: they differ where a session has joined a second team. */
export const speaksAsTeammate = (ctx: Context): boolean =>
  isTeammate(mailboxOf(ctx)) || isTeammate(ctx.identity);

const isTeammate = (speaker: Pick<Identity, "agent" | "isLead"> | undefined) =>
  speaker?.agent !== undefined && !speaker.isLead;

const parentOf = (speaker: Identity) =>
  speaker.kind === "subagent"
    ? { team: speaker.team, agent: speaker.parent, isLead: speaker.isParentLead }
    : speaker;

/** Another live process or machine has this name. A client started from a member's Bash tool inherits the member's variables, and
 *  must neither read its mail nor end in its name. */
export function isTaken(member: Member | undefined, ctx: Context): boolean {
  if (member && isRemote(member)) return true;
  if (!member?.pid || member.status === "offline") return false;
  if (member.pid === ctx.clientPid || (member.sessionId ?? "") === ctx.input.session_id) return false;
  const life = processLifeOf(member);
  return life === "alive" || (life === "unknown" && !isStale(member.lastSeen, ctx));
}

export const isStale = (lastSeen: string | undefined, { now, settings }: Context): boolean =>
  !(now.getTime() - Date.parse(lastSeen ?? "") <= settings["heartbeat.stale_s"] * 1000);

// What a shell command will do to files, as the guard's parser reads it, for the handlers that come after the guard.

export interface GitCall {
  /** Where it works: `cd`, `-C`, `--work-tree` and `--git-dir` followed. */
  cwd: string;
  verb: string;
  args: readonly string[];
}

/** Absolute paths; a path may hold the shell's patterns. What cannot be known before the run is left out. */
export interface Effects {
  /** Written or deleted. */
  files: Set<string>;
  /** Removed with everything below, or filled with files of unknown names. */
  directories: Set<string>;
  /** Read by redirection or by a filter: what a patch is applied from. */
  inputs: Set<string>;
  /** Text that `git apply` or `patch` is given in the command itself, and where it runs. */
  patches: { cwd: string; text: string; files: readonly string[]; isGit: boolean }[];
  git: GitCall[];
}

export const noEffects = (): Effects => ({
  files: new Set(),
  directories: new Set(),
  inputs: new Set(),
  patches: [],
  git: [],
});
