// Whether a member still lives, from evidence: its process, its session's last word, its pane. `gone` only with proof.

import type { Paths } from "../../core/paths.ts";
import { readSession } from "../../sessions/store/sessions.ts";
import { readPanes } from "../../system/panes.ts";
import { type Life, lifeOf } from "../../system/processes.ts";
import type { Member } from "./team.ts";

export interface MemberLife {
  life: Life;
  /** What was seen, for whoever has to believe it. */
  proof?: string;
}

export function lifeOfMember(paths: Paths, member: Member): MemberLife {
  const life = lifeOf({ pid: member.pid, startedAt: member.pidStartedAt });
  if (life === "alive") return { life };
  if (life === "gone") return { life, proof: `process ${member.pid} has ended` };
  const ended = member.sessionId ? readSession(paths, { session: member.sessionId })?.endedAt : undefined;
  if (ended) return { life: "gone", proof: `its session ended at ${ended}` };
  return isPaneClosed(member)
    ? { life: "gone", proof: `pane ${member.paneId} is closed` }
    : { life: "unknown" };
}

function isPaneClosed({ paneId, socket, backend }: Member): boolean {
  if (!paneId || typeof socket !== "string" || backend === "kitty") return false;
  return readPanes(socket)?.has(paneId) === false;
}
