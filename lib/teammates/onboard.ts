// `swarm onboard`: the first steps, with a mark at the next one.

import type { Call } from "../cli/command.ts";
import { readAllMail } from "../mail/store/inbox.ts";
import { findProgram } from "../system/programs.ts";
import { readTasks } from "../tasks/store.ts";
import { isNative, readTeam } from "../teams/store/config.ts";

interface Step {
  title: string;
  command: string;
  about: string;
  /** Its output. */
  shows: string;
  done: boolean;
}

type OnboardCall = Call<Record<never, never>>;

export function onboardVerb(call: OnboardCall) {
  const steps = stepsFor(factsOf(call));
  const next = steps.find((step) => !step.done);
  const sign = (step: Step) => (step.done ? "[x]" : step === next ? "-->" : "[ ]");
  const lines = steps.flatMap((step, at) => [
    `${sign(step)} ${at + 1}. ${step.title}`,
    `       ${step.command}`,
    ...step.shows.split("\n").map((line) => `         > ${line}`),
    `       ${step.about}`,
  ]);
  return { text: ["Two agents that talk, in five minutes.", "", ...lines].join("\n"), data: steps };
}

export interface Facts {
  insideSession: boolean;
  hasTmux: boolean;
  team: string | undefined;
  teammates: number;
  /** A message was sent in the team. */
  hasTalked: boolean;
  hasTasks: boolean;
}

function factsOf(call: OnboardCall): Facts {
  const { team } = call.identity;
  const own = team && !isNative(team) ? readTeam(call.paths, team) : undefined;
  return {
    insideSession: call.session !== undefined,
    hasTmux: findProgram("tmux", call.env["PATH"]) !== undefined,
    team: own ? team : undefined,
    teammates: Math.max(0, (own?.members.length ?? 0) - 1),
    hasTalked: own?.members.some(({ name }) => hasMail(call, team ?? "", name)) === true,
    hasTasks: own !== undefined && readTasks(call.paths, team ?? "").length > 0,
  };
}

/** Messages of agents, not of Swarm itself. */
const hasMail = ({ paths }: OnboardCall, team: string, name: string) =>
  readAllMail(paths, team, name).some(({ kind }) => kind === undefined);

export function stepsFor({ insideSession, hasTmux, team, teammates, hasTalked, hasTasks }: Facts): Step[] {
  const name = team ?? "demo";
  return [
    {
      title: "Start Claude Code inside tmux, so that you see your teammates beside you",
      command: "tmux new -s work claude",
      about: hasTmux
        ? "Without tmux, teammates run without a screen."
        : "tmux is not installed here: teammates run without a screen.",
      shows: "Claude Code v2.1.325",
      done: insideSession,
    },
    {
      title: "Make a team; this session becomes its lead",
      command: `/swarm-create ${name} my first team`,
      about: "In a terminal: swarm create. `swarm list-teams` shows it.",
      shows: `Created team ${name}. You lead it. Next: \`swarm spawn <name> --prompt "…"\` opens a teammate.`,
      done: team !== undefined,
    },
    {
      title: "Open a teammate with its first task",
      command: '/swarm-spawn ada --prompt "Read README.md and send team-lead three sentences about it."',
      about: "A second client opens in a pane. It knows its name, its team and the swarm commands.",
      shows: "ada is up: tmux pane %1",
      done: teammates > 0,
    },
    {
      title: "Talk to it",
      command: '/swarm-send ada "Which part was hard to understand?"',
      about: "The answer comes to you by itself; /swarm-inbox shows what came, /swarm-status who does what.",
      shows: "mwiwytpe-bzf0 to ada: queued",
      done: hasTalked,
    },
    {
      title: "Share work as tasks",
      command: '/task-create "Fix the typos in README.md" --owner ada',
      about: "/task-list shows who does what.",
      shows: "created #1  pending  Fix the typos in README.md  @ada",
      done: hasTasks,
    },
    {
      title: "Stop for today, go on tomorrow",
      command: `/swarm-suspend, and later /swarm-resume ${name}`,
      about:
        "Teammates come back with their conversation, their tasks and their mail. /swarm-cleanup ends the team for good.",
      shows: `team ${name} is suspended; \`swarm resume ${name}\` brings it back\n  ada: ended`,
      done: false,
    },
  ];
}
