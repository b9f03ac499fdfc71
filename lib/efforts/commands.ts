import { byAction, command } from "../cli/command.ts";
import { dehydrate, finish, guard, inject, list, log, phase, preload, show, start } from "./verbs.ts" with {
  loading: "lazy",
};

export const EFFORT_FLAGS = {
  dir: "text",
  title: "text",
  mode: "text",
  phase: "text",
  "block-after": "text",
  effort: "text",
  last: "text",
  handover: "text",
  id: "text",
  tool: "text",
  input: "text",
  heartbeat: "text",
  context: "text",
  message: "text",
  "session-id": "text",
  next: "texts",
  file: "texts",
  loading: "switch",
  remove: "switch",
  deny: "switch",
  warn: "switch",
  all: "switch",
} as const;

export const commands = [
  command({
    name: "effort",
    summary: "work that survives its sessions: start, phase, log, dehydrate, finish",
    usage: `swarm effort start|phase|log|dehydrate|finish|show|list|preload|inject|guard …
start <skill> [--dir DIR] [--title T] [--phase P] [--mode M] [--block-after N] [--loading]
phase <text>            the phase the work is in
log <text>              an entry in the log; the count of tool calls starts again at 0
dehydrate <text> [--last T] [--next T]… [--handover T] [--file PATH]…   what the next window must know
finish [text]           ends the effort; the text becomes its debrief
show [ID]  list [--all]
preload [PATH…] [--remove]   files every window of the effort gets to read
inject <text> [--id ID]      shown once to the agent at work
guard [ID [--tool P] [--input P] [--phase P] [--heartbeat N] [--context N] --message T --deny|--warn | ID --remove]
A text of - is read from stdin. --effort ID names another effort than the one of this session.`,
    flags: EFFORT_FLAGS,
    sessionId: "subject",
    words: {
      start: 1,
      phase: "any",
      log: "any",
      dehydrate: "any",
      finish: "any",
      show: 1,
      list: 0,
      preload: "any",
      inject: "any",
      guard: 1,
    },
    run: byAction({ show, start, phase, log, dehydrate, finish, list, preload, inject, guard }),
  }),
];
