// `swarm status`: who does what just now, in one table, each state with what it was seen by.

import { badCall, type Call } from "../cli/command.ts";
import { whyNotSegment } from "../core/paths.ts";
import { plainLine } from "../core/text.ts";
import { sleepSync } from "../core/time.ts";
import { readEnvironment } from "../hook/environment.ts";
import { terminal, writeAll } from "../hook/stdio.ts";
import { type AgentRow, sessionRows, teamRows } from "./status-board/gather.ts";
import { board, type Screen } from "./status-board/table.ts";
import { isNative, readTeam } from "./store/config.ts";

export const BOARD_FLAGS = {
  team: { type: "string" },
  watch: { type: "boolean" },
  "session-id": { type: "string" },
} as const;
type BoardCall = Call<typeof BOARD_FLAGS>;

const REDRAW_MS = 2_000;
const CLEAR = "\u001b[H\u001b[2J";

export function boardVerb(call: BoardCall) {
  return call.flags.watch ? watch(call) : drawn(call);
}

/** Until Ctrl-C. */
function watch(call: BoardCall): never {
  if (!terminal().isTerminal || call.flags.json)
    throw badCall("--watch redraws a terminal; without one, ask again instead");
  for (let now = call.now; ; now = readEnvironment().now) {
    writeAll(1, `${CLEAR}${drawn({ ...call, now }).text}\n`);
    sleepSync(REDRAW_MS);
  }
}

function drawn(call: BoardCall) {
  const name = call.flags.team ?? call.identity.team;
  if (name === undefined) return machine(call);
  const team = whyNotSegment(name) ? undefined : readTeam(call.paths, name);
  if (!team && call.flags.team === undefined) return machine(call);
  if (!team)
    throw badCall(`there is no team ${JSON.stringify(name)}; \`swarm list-teams\` shows those there are`);
  const status = isNative(name) ? "native" : (team.status ?? "active");
  const rows = teamRows(call, name, team);
  const head = `${name} (${status}): ${summed(rows) || "no members"}`;
  return { ...shown(call, head, rows), data: { team: name, status, agents: rows } };
}

function machine(call: BoardCall) {
  const rows = sessionRows(call);
  const data = { team: null, agents: rows };
  if (rows.length === 0) return { text: "no session is open on this machine", data };
  return { ...shown(call, `sessions on this machine: ${summed(rows)}`, rows), data };
}

function shown(call: BoardCall, head: string, rows: AgentRow[]): { text: string; styled: string } {
  const line = plainLine(head);
  const text = rows.length > 0 ? `${line}\n\n${board(rows, screenOf(call))}` : line;
  return { text, styled: text }; // the board cleans its cells and adds its own colours
}

/** `2 working, 1 idle`, in the order in which they stand on the board. */
function summed(rows: readonly AgentRow[]): string {
  const states = [...new Set(rows.map((row) => row.state))];
  return states.map((state) => `${rows.filter((row) => row.state === state).length} ${state}`).join(", ");
}

/** A pipe gets every column and no colour. */
function screenOf({ noColour }: BoardCall): Screen {
  const { isTerminal, columns } = terminal();
  return { columns: isTerminal ? columns : Number.POSITIVE_INFINITY, colours: isTerminal && !noColour };
}
