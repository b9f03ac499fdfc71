// Most calls of most people concern nobody but the guard: a session without a team, an effort or settings. All that a run would
// do for them is to move the mark on the session's record and to say what the guard objects to; that is done here, before
// anything else is loaded. In any doubt the run has its way. Written as one piece and with its own paths, since every
// function and import costs more than what it does: test/hooks/quiet-call.test.ts holds it to leaving what a run leaves, and to
// stepping aside.
import { constants, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isoTime } from "../parse/moment.ts";
import type { Env } from "./surroundings.ts";

export const HARMLESS = ["Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "ToolSearch", "NotebookRead"];
export const GUARDED = ["Bash", "Write", "Edit", "MultiEdit", "NotebookEdit"];

/** A FIFO in a file's place does not stall the call. */
const UNBLOCKED = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Loaded only for the tools it knows. */
export interface Guard {
  objectionTo(input: never, env: Env): Objection | undefined;
  /** When everything is said. */
  answered(env: Env): void;
}

export interface Objection {
  /** What is denied is not recorded as done. */
  isDenial: boolean;
  say(): void;
}

/** A first glance, which must cost the others nothing. */
export function mayBeQuiet(payload: string, env: Env): boolean {
  const key = '"tool_name":"';
  const at = payload.indexOf(key) + key.length;
  const name = payload.slice(at, payload.indexOf('"', at));
  return (
    (HARMLESS.includes(name) || GUARDED.includes(name)) &&
    !env["CLAUDE_CODE_TEAM_NAME"] &&
    !existsSync(`${env["CLAUDE_PROJECT_DIR"]}/.atm.toml`)
  );
}

/** False: this call is one for a run. An arrow: V8 compiles it only where it is called, and in a team it is not. */
export const passQuietly = (payload: string, env: Env, guard: () => Guard): boolean => {
  let temp = "";
  let isSaid = false;
  try {
    const input = JSON.parse(payload);
    const { session_id: session, cwd, tool_name: name, tool_use_id: id, permission_mode: permission } = input;
    const base = env["CLAUDE_CONFIG_DIR"] ?? `${env["HOME"]}/.claude`;
    const path = `${base}/swarm/sessions/${session}.json`;
    const isPlain =
      (HARMLESS.includes(name) || GUARDED.includes(name)) && // the glance may have met another key of that name
      base.startsWith("/") &&
      /^[\w-]{5,100}$/.test(session) &&
      typeof cwd === "string" &&
      cwd.startsWith("/") &&
      (env["CLAUDE_PROJECT_DIR"] ?? cwd) === cwd &&
      typeof id === "string" &&
      typeof (permission ?? "") === "string" &&
      typeof (input.transcript_path ?? "") === "string" &&
      typeof input.tool_input === "object" &&
      input.tool_input !== null &&
      !Array.isArray(input.tool_input) &&
      input.agent_id === undefined;
    if (!isPlain || env["SWARM_DISABLE"] || env["CLAUDE_SESSION_MODE"]) return false;
    if (existsSync(`${cwd}/.atm.toml`)) return false;
    const record = JSON.parse(
      readFileSync(path, { encoding: "utf8", flag: (constants.O_RDONLY | UNBLOCKED) as never }),
    );
    const isAlone = record.status === "working" && record.team === undefined && record.endedAt === undefined;
    if (!isAlone || (record.state !== "active" && record.state !== "tool_active")) return false;
    if (existsSync(`${base}/swarm/efforts/windows/${session}`)) return false;
    if (existsSync(`${base}/swarm/context/${session}/due`)) return false;
    if (existsSync(`${base}/swarm/settings.toml`)) return false;
    const objection = GUARDED.includes(name) ? guard().objectionTo(input as never, env) : undefined;
    if (!objection?.isDenial) {
      const since = isoTime(new Date());
      const mark = { state: "tool_active", lastSeen: since, tool: { name, id, since, permission } };
      temp = `${path}.tmp.${process.pid.toString(16)}-0`;
      const text = `${JSON.stringify({ ...record, ...mark }, null, 2)}\n`;
      writeFileSync(temp, text, { encoding: "utf8", flag: "wx", mode: 0o600 });
      renameSync(temp, path);
      temp = "";
    }
    if (objection) {
      objection.say();
      isSaid = true;
    }
    if (GUARDED.includes(name)) guard().answered(env);
    const flag = (constants.O_APPEND | constants.O_WRONLY | UNBLOCKED) as never;
    const ms = (process.uptime() * 1000).toFixed(1);
    writeFileSync(`${base}/swarm/fired/PreToolUse`, `${ms}\n`, { encoding: "utf8", flag });
    return true;
  } catch {
    if (temp) rmSync(temp, { force: true });
    return isSaid;
  }
};
