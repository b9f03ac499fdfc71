// The verbs of `swarm` that belong to this domain.
import { badCall, command } from "../cli/command.ts";
import { setStatus } from "./status-board/set-status.ts";
import { BOARD_FLAGS, boardVerb } from "./status-board.ts";

export const commands = [
  command({
    name: "status",
    summary: "who does what just now, with the evidence; set says what you are working on",
    usage: `swarm status [--team T] [--watch] | set "TEXT" [--session-id ID]
Who does what just now: every agent of your team, or of T, with its state and what shows it; outside a team every session of this machine.
--watch draws it anew every two seconds.
set: what this session is working on, for whoever looks at it; an empty TEXT takes it away.`,
    flags: BOARD_FLAGS,
    run: (call) => {
      if (call.words.length === 0) return boardVerb(call);
      if (call.words[0] === "set") return setStatus(call);
      throw badCall('set "what you are working on", or nothing for the board');
    },
  }),
];
