// The schema of a team's `config.json`. A lazy part: zod's classes for it would cost every tool call 0.05 of a node start, and few
// calls read a config.
import * as z from "zod/mini";
import {
  ignoreInvalid,
  ignoreUnless,
  isText,
  maybeNumber,
  maybeText,
  parserOf,
  someText,
} from "../../core/schema.ts";

/** A value of another type counts as missing: one odd value must not cost the team its mail. */
function configSchema() {
  const text = ignoreUnless(isText);
  const number = ignoreUnless(Number.isFinite as (value: unknown) => value is number);
  const flag = ignoreUnless((value) => typeof value === "boolean");
  // The client writes times as numbers, we write text.
  const time = ignoreUnless((value) => isText(value) || typeof value === "number");
  const member = z.looseObject({
    name: someText,
    agentId: text,
    agentType: text,
    model: text,
    color: text,
    joinedAt: time,
    cwd: text,
    sessionId: text,
    pid: number,
    pidStartedAt: text,
    paneId: text,
    /** `tmux`, `kitty`, `headless`: started by us; `joined`: a session that joined by itself and is not ours to end. */
    backend: text,
    /** Where tmux or kitty answers. */
    socket: text,
    /** What a headless teammate prints. */
    log: text,
    permissionMode: text,
    /** `starting`, `active`, `idle`, `offline`. */
    status: text,
    lastSeen: text,
    prompt: text,
    // The client's own names, in native teams.
    tmuxPaneId: text,
    backendType: text,
    isActive: flag,
    // Of a member on another machine: which, its name there, what that machine last said of it, and when that machine gave a sign.
    machine: text,
    agent: text,
    state: text,
    proof: text,
    task: text,
    context: number,
    machineSeen: text,
  });
  const members = z.pipe(
    z.transform((list) =>
      Array.isArray(list) ? list.filter((one) => one?.name && typeof one.name === "string") : (list ?? []),
    ),
    z.array(member),
  );
  return z.looseObject({
    name: text,
    description: text,
    createdAt: time,
    leadAgentId: text,
    leadSessionId: text,
    leadProcess: ignoreInvalid(z.looseObject({ pid: z.number(), procStart: maybeText })),
    /** `active`, `suspended`, `archived`. */
    status: text,
    suspendedAt: text,
    resumedAt: text,
    members,
  });
}

export type Team = z.output<ReturnType<typeof configSchema>>;
export type Member = Team["members"][number];

/** Throws where it is no object. */
export const parseConfig = parserOf(configSchema);

function endMarkSchema() {
  return z.looseObject({ ended: someText, at: someText, pid: maybeNumber, session: maybeText });
}
/** `ended` is the member's name; `pid` and `session` are those it had then. */
export type EndMark = Pick<z.output<ReturnType<typeof endMarkSchema>>, "ended" | "at" | "pid" | "session">;

export const parseEndMark = parserOf(endMarkSchema);
