// `swarm onboard`: the first steps, with a mark at the next one.

import type { Call } from "../cli/command.ts";
import { contextOfSession, contextTokens } from "../context/store/window.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import { readAllMail } from "../mail/store/inbox.ts";
import { findSession } from "../sessions/store/sessions.ts";
import { findProgram } from "../system/programs.ts";
import { readTasks } from "../tasks/store.ts";
import { isNative, readTeam } from "../teams/store/config.ts";
import { ALLOW_RULES, markRulesOffered, missingRules, wereRulesOffered } from "./store/setup.ts";

type Step = ReturnType<typeof stepsFor>[number];

export function onboardVerb(call: Call) {
  const facts = factsOf(call);
  const steps = stepsFor(facts);
  const next = steps.find((step) => !step.done && !step.isOptional);
  if (facts.insideSession && facts.rules === "missing") markRulesOffered(call.paths, call.now);
  const sign = (step: Step) => (step.done ? "[x]" : step === next ? "-->" : "[ ]");
  const lines = steps.flatMap((step, at) => [
    `${sign(step)} ${at + 1}. ${step.title}`,
    `       ${step.command}`,
    ...step.shows.split("\n").map((line) => `         > ${line}`),
    `       ${step.about}`,
  ]);
  const notes = isWindowUnknown(call) ? ["", UNKNOWN_WINDOW] : [];
  return { text: ["Two agents that talk, in five minutes.", "", ...lines, ...notes].join("\n"), data: steps };
}

const UNKNOWN_WINDOW =
  "The context window of this session's model is not known, so no warning comes before it is full: `swarm statusline install`, or [context] window = N in your settings.toml.";

/** Something is used, of a window of unknown size. */
function isWindowUnknown(call: Call): boolean {
  const record = findSession(call.paths, call.session);
  return contextTokens(record?.transcript) !== undefined && !(record && contextOfSession(call, record));
}

type Facts = ReturnType<typeof factsOf>;

function factsOf(call: Call) {
  const { team = "" } = call.identity;
  const own = team === "" || isNative(team) ? undefined : readTeam(call.paths, team);
  return {
    insideSession: call.session !== undefined,
    /** This session's teammates would open beside it. */
    hasScreen: call.tmux !== undefined || call.kitty.socket !== undefined,
    rules: rulesOf(call),
    hasTmux: findProgram("tmux", call.env["PATH"]) !== undefined,
    team: own ? team : undefined,
    teammates: Math.max(0, (own?.members.length ?? 0) - 1),
    hasTalked: own?.members.some(({ name }) => hasMailOfAgents(call.paths, team, name)) === true,
    hasTasks: own !== undefined && readTasks(call.paths, team).length > 0,
  };
}

/** The allow rules for the harmless verbs: offered once. */
function rulesOf({ paths }: Call): "there" | "missing" | "declined" {
  if (missingRules(paths).length === 0) return "there";
  return wereRulesOffered(paths) ? "declined" : "missing";
}

/** Swarm's own messages have a kind. */
const hasMailOfAgents = (paths: Paths, team: string, name: string) =>
  !whyNotSegment(name) && readAllMail(paths, team, name).some(({ kind }) => kind === undefined);

/** `shows` is the output of the command. The arrow passes an optional step by. */
export function stepsFor(facts: Facts) {
  const { insideSession, hasScreen, hasTmux, rules, team, teammates, hasTalked, hasTasks } = facts;
  const name = team ?? "demo";
  let aboutScreen = "Without tmux, teammates run without a screen.";
  if (!hasTmux) aboutScreen = "tmux is not installed here: teammates run without a screen.";
  else if (insideSession && !hasScreen)
    aboutScreen =
      "This session runs outside tmux and kitty: each teammate gets a tmux session of its own, and the output of /swarm-spawn says how to attach to it.";
  return [
    {
      title: "Start Claude Code inside tmux, so that you see your teammates beside you",
      command: "tmux new -s work claude",
      about: aboutScreen,
      shows: "Claude Code v2.1.325",
      done: insideSession && hasScreen,
      isOptional: insideSession,
    },
    {
      title: "Let the client run Swarm's harmless verbs (mail, tasks, status) without asking you each time",
      command: "swarm setup permissions",
      about:
        "Adds allow rules to your settings.json; --remove takes them out. Teammates get them by themselves.",
      shows: `added ${ALLOW_RULES.length} rules to permissions.allow in ~/.claude/settings.json`,
      done: rules === "there",
      isOptional: rules === "declined",
    },
    {
      title: "Make a team; this session becomes its lead",
      command: `/swarm-create ${name} my first team`,
      about:
        "In a terminal: swarm create (`swarm setup path` puts swarm there). `swarm list-teams` shows it.",
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
