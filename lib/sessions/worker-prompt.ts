// The client's own pane teammates fire no event when they ask for permission, and have no state file. Their lead's client shows the question
// and says whose it is, in a notification "alice needs permission for Bash" (2.1.197 and 2.1.325).
import type { Paths } from "../core/paths.ts";
import { isNative, readTeam } from "../teams/store/config.ts";
import {
  isOpenSession,
  newestFirst,
  readSessions,
  sessionsBefore,
  updateSession,
  withTransition,
} from "./store/sessions.ts";

const MESSAGE = /^([\w.-]{1,64}) needs permission for ([\w.-]{1,100})$/;

/** On record for the teammate until its next event. */
export function recordWorkerPrompt(paths: Paths, leadSession: string, message: string, now: Date): void {
  const [, agent, tool] = MESSAGE.exec(message) ?? [];
  if (!agent) return;
  const leads = new Set(sessionsBefore(paths, leadSession));
  const asking = readSessions(paths)
    .filter((one) => one.agent === agent && isOpenSession(one))
    .sort(newestFirst)
    .find(({ team = "" }) => isNative(team) && leads.has(readTeam(paths, team)?.leadSessionId ?? ""));
  if (!asking) return;
  const prompt = { kind: "permission", tool, since: now.toISOString(), shownBy: leadSession };
  updateSession(paths, { session: asking.session }, (stored) =>
    stored && !stored.endedAt
      ? { ...withTransition(stored, "waiting", now), lastSeen: stored.lastSeen, prompt }
      : undefined,
  );
}
