// Mail from Swarm to a team's lead.
import type { Paths } from "../../core/paths.ts";
import { promptSubject } from "../../sessions/store/client-state.ts";
import { readSubagents, type SessionRecord, updateSession } from "../../sessions/store/sessions.ts";
import { isNative, leadOf, memberOf, readTeam } from "../../teams/store/config.ts";
import { claimNotice, type PromptNotice } from "../../teams/store/liveness.ts";
import { appendMessage } from "./inbox.ts";
import { type Draft, newMessage } from "./message.ts";

/** Nothing is sent where there is no such team, for example one that only `.atm.toml` names. */
export function notifyLead(paths: Paths, team: string, note: Omit<Draft, "kind">): void {
  const config = readTeam(paths, team);
  if (config) appendMessage(paths, team, leadOf(config), newMessage({ ...note, kind: "system" }));
}

/** The question that an agent inside a session asks. */
export const promptInside = (paths: Paths, session: string): SessionRecord["prompt"] =>
  readSubagents(paths, session).find((one) => one.prompt && !one.endedAt)?.prompt;

/** A member's client shows a question to a person. */
export function notePrompt(paths: Paths, record: SessionRecord | undefined, at: Date): void {
  if (!record?.prompt) return;
  const waits = record.prompt.kind === "question" ? "waits for an answer" : "waits for permission";
  const where = record.pane ? `, pane ${record.pane}` : "";
  const subject = promptSubject(record.prompt) ?? "its screen says for what";
  note(paths, record, at, "waits", `${waits}: ${subject}${where}`);
}

/** `record` is as it was while the question was open. An agent inside a session was reported under its session. */
export function notePromptEnd(paths: Paths, record: SessionRecord, at: Date): void {
  const { session, agentId, prompt } = record;
  let reported: SessionRecord | undefined = agentId ? undefined : record;
  if (agentId && prompt)
    updateSession(paths, { session }, (stored) => {
      reported = stored?.prompt?.since === prompt.since ? stored : undefined;
      return reported && { ...reported, prompt: undefined };
    });
  if (!reported?.prompt?.isReported) return;
  const subject = promptSubject(reported.prompt) ?? "its question is closed";
  note(paths, reported, at, "answered", `no longer waits: ${subject}`);
}

/** From the member itself, where its team has a lead that is another; `state` is what the lead then believes. */
function note(
  paths: Paths,
  { team, agent, isLead, prompt }: SessionRecord,
  at: Date,
  state: PromptNotice,
  text: string,
): void {
  if (!prompt || !team || !agent || isLead || isNative(team) || !memberOf(readTeam(paths, team), agent))
    return;
  const said = `${agent} ${text}`;
  notifyLead(paths, team, { from: agent, text: said, summary: said, at, routine: true });
  claimNotice(paths, team, agent, { state, sign: prompt.since });
}
