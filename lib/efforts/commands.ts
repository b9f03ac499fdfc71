// The verbs of `swarm` that belong to this domain.
import { command } from "../cli/command.ts";
import { effortVerb } from "./verbs.ts";

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;

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
inject <text> [--id ID]      told once to the agent at work
guard [ID [--tool P] [--input P] [--phase P] [--heartbeat N] [--context N] --message T --deny|--warn | ID --remove]
A text of - is read from stdin. --effort ID names another effort than the one of this session.`,
    flags: {
      dir: text,
      title: text,
      mode: text,
      phase: text,
      "block-after": text,
      effort: text,
      last: text,
      handover: text,
      id: text,
      tool: text,
      input: text,
      heartbeat: text,
      context: text,
      message: text,
      "session-id": text,
      next: texts,
      file: texts,
      loading: flag,
      remove: flag,
      deny: flag,
      warn: flag,
      all: flag,
    },
    sessionId: "subject",
    run: effortVerb,
  }),
];
