// A claim is a lease: it lasts while its owner shows signs of life, in its session records or in the team's config.
import type { Paths } from "../core/paths.ts";
import { once, oncePer } from "../core/process.ts";
import {
  findSession,
  lifeOfRecord,
  readSessions,
  readSubagents,
  type SessionRecord,
} from "../sessions/store/sessions.ts";
import type { Life } from "../system/processes.ts";
import { isRemote, type Member, memberOf, processLifeOf, type Team } from "../teams/store/config.ts";
import { notesOf, type Task } from "./store.ts";

export interface Sign {
  life: Life;
  lastSeen: string | undefined;
  /** A tool is running: no sign is expected then, as long as the process is proven alive. */
  isBusy: boolean;
}

/** A claim is lost by proof that the owner is gone, or by silence. An owner of whom nothing is known, or that is paused, keeps it. */
export function whyLost(
  signs: Sign[],
  claimedAtMs: number,
  now: Date,
  staleAfterMs: number,
  isPaused = () => false,
) {
  const living = signs.filter((sign) => sign.life !== "gone");
  if (signs.length === 0) return undefined;
  if (living.length === 0) return "is gone";
  const seen = living.map((sign) => Date.parse(sign.lastSeen ?? ""));
  if (living.some((sign) => sign.isBusy && sign.life === "alive") || seen.some(Number.isNaN))
    return undefined;
  const newest = Math.max(...seen, claimedAtMs || 0);
  if (now.getTime() - newest <= staleAfterMs || isPaused()) return undefined;
  return `was last seen at ${new Date(newest).toISOString()}`;
}

/** Reads the records once, when first called. */
export function signReader(paths: Paths, team: string | undefined, config: Team | undefined) {
  const sessions = once(() => readSessions(paths).filter((record) => record.team === team));
  const ofOwner = oncePer((owner: string) => ofMember(paths, owner, sessions(), config));
  return (task: Task): Sign[] => {
    if (team) return ofOwner(task.owner ?? "");
    const record = findSession(paths, notesOf(task).lease?.session);
    return record ? [signOf(record)] : [];
  };
}

function ofMember(paths: Paths, name: string, sessions: SessionRecord[], config: Team | undefined): Sign[] {
  const own = sessions.filter((record) => record.agent === name).map((record) => signOf(record));
  const inside = sessions.flatMap((record) =>
    readSubagents(paths, record.session)
      .filter((one) => one.agent === name)
      .map((one) => signOf(one, record)),
  );
  return [...own, ...inside, ...memberSign(config && memberOf(config, name))];
}

function signOf(record: SessionRecord, session = record): Sign {
  return {
    life: record.endedAt ? "gone" : lifeOfRecord(session),
    lastSeen: record.lastSeen,
    isBusy: record.state === "tool_active",
  };
}

/** Of a remote one what its machine says; a machine that is silent proves nothing, but its claims last no longer than others. */
function memberSign(member: Member | undefined): Sign[] {
  if (!member?.lastSeen) return [];
  const { lastSeen, status } = member;
  if (!isRemote(member))
    return [{ life: status === "offline" ? "gone" : processLifeOf(member), lastSeen, isBusy: false }];
  const { state, machineSeen = lastSeen } = member;
  const life = state === "gone" ? "gone" : "alive";
  return [{ life, lastSeen: state === "working" ? machineSeen : lastSeen, isBusy: false }];
}
