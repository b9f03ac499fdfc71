// What this machine says of its own members: as its own files show them, with ages instead of times.
import { contextOfSession } from "../context/store/window.ts";
import { cutAt } from "../core/text.ts";
import { clientStateOf } from "../sessions/store/client-state.ts";
import { pauseOf } from "../sessions/store/pauses.ts";
import {
  findSession,
  isOpenSession,
  lastSignOf,
  readSubagents,
  type SessionRecord,
} from "../sessions/store/sessions.ts";
import { overviewOf, tasksInProgress } from "../tasks/store/select.ts";
import { type State, stateOf } from "../teams/store/agent-state.ts";
import { type Member, readTeam } from "../teams/store/config.ts";
import { lifeOfMember } from "../teams/store/liveness.ts";
import { localMembers } from "./addresses.ts";
import { hasPassed } from "./clock.ts";
import type { Engine } from "./engine.ts";
import type { Here } from "./here.ts";
import { KEYS } from "./names.ts";
import { isName, LEFT, type MemberNews, member as memberNews, withoutUnfit } from "./wire.ts";

const LONGEST_LINE = 200;
/** A sign of life alone is not worth a message more often. */
const SIGN_EVERY_MS = 15_000;
const SAME_SIGN_MS = 1_000;

function newsOf(
  here: Here,
  member: Member,
  atWork: ReturnType<typeof tasksInProgress>,
  now: Date,
): MemberNews {
  const { paths } = here;
  const record = findSession(paths, member.sessionId);
  const { life, evidence } = lifeOfMember(paths, member);
  const task = atWork.get(member.name)?.first;
  const seen = [record?.lastSeen, member.lastSeen].map((at) => Date.parse(at ?? "")).filter((at) => at > 0);
  return withoutGaps({
    v: 1,
    agentId: member.agentId,
    agentType: member.agentType,
    model: member.model,
    color: member.color,
    status: life === "gone" ? "offline" : member.status,
    state: record || life === "gone" ? stateIn(here, member, record, now) : undefined,
    proof: life === "gone" ? evidence : undefined,
    task: task ? `#${task.id} ${task.subject}` : record?.statusText,
    context: record && life !== "gone" ? contextOf(here, record) : undefined,
    ageMs: seen.length > 0 ? Math.max(0, now.getTime() - Math.max(...seen)) : undefined,
  });
}

function contextOf({ paths, settings }: Here, record: SessionRecord): number | undefined {
  const use = contextOfSession({ paths, loaded: { values: settings }, compactWindow: undefined }, record);
  return use && Math.round(use.share);
}

/** As on this machine's own board. Thinking between two tool calls is work: news of each would be too many messages. */
function stateIn(
  { paths, settings, team }: Here,
  member: Member,
  record: SessionRecord | undefined,
  now: Date,
): State {
  const known = {
    ...lifeOfMember(paths, member),
    isSuspended: false,
    paused: pauseOf(paths, { team, agent: member.name, session: member.sessionId })?.by,
    session: record,
    client: record && clientStateOf(paths, record),
    lastSign: record && lastSignOf(record, readSubagents(paths, record.session).filter(isOpenSession)),
  };
  const { state } = stateOf(known, now, settings["heartbeat.stale_s"] * 1_000);
  return state === "thinking" ? "working" : state;
}

/** Lines without breaks, cut; what is not known is left out, and what the other machines would not take. */
function withoutGaps(news: MemberNews): MemberNews {
  const entries = Object.entries(news).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined) return [];
    if (typeof value !== "string") return [[name, value]];
    return [[name, cutAt(value.replace(/[\u0000-\u001f\u007f]+/g, " "), LONGEST_LINE)]];
  });
  return withoutUnfit(memberNews, Object.fromEntries(entries) as MemberNews);
}

interface Said {
  text: string;
  seen: number;
  at: number;
}

/** Publishes what is new: a change at once, a mere sign of life now and then, a departure once. */
export function presence(here: Here): (engine: Engine, onRelay: Iterable<string>) => Promise<void> {
  const said = new Map<string, Said>();
  let saidTo: Engine["kv"] | undefined;
  return async ({ kv, clockMs }, onRelay) => {
    // Over a new connection all of it: the server may have lost what it was given.
    if (kv !== saidTo) said.clear();
    saidTo = kv;
    const now = new Date();
    const wholeS = Math.round(clockMs / 1_000) * 1_000;
    const config = readTeam(here.paths, here.team);
    const members = localMembers(config).filter(({ name }) => isName(name));
    const atWork = tasksInProgress(here.paths, overviewOf(here.paths, here.team));
    for (const member of members) {
      const { ageMs, ...news } = { ...newsOf(here, member, atWork, now), clockMs: wholeS };
      const [text, seen] = [JSON.stringify(news), ageMs === undefined ? 0 : now.getTime() - ageMs];
      const before = said.get(member.name);
      const isDue = before && (before.seen === 0 || hasPassed(SIGN_EVERY_MS, before.at, now.getTime()));
      const isSign = before && isDue && hasPassed(SAME_SIGN_MS, before.seen, seen);
      if (before?.text === text && !isSign) continue;
      await kv.put(
        KEYS.member({ machine: here.machine, agent: member.name }),
        JSON.stringify({ ...news, ageMs }),
      );
      said.set(member.name, { text, seen, at: now.getTime() });
    }
    for (const name of new Set([...said.keys(), ...onRelay])) {
      if (!config || members.some((member) => member.name === name)) continue;
      await kv.put(KEYS.member({ machine: here.machine, agent: name }), LEFT);
      said.delete(name);
    }
  };
}
