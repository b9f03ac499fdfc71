// `swarm` commands about teams and their members.
import { type Call, command } from "../cli/command.ts";
import * as verbs from "./verbs.ts" with { loading: "lazy" };

// The code of the verbs is a lazy part, which takes only types from here.
/** Of every verb that starts clients. */
const START = { backend: "text", wait: "text", "plugin-dir": "texts", "session-id": "text" } as const;
const WORKTREE = { worktree: "optional", base: "text" } as const;
const FLAGS = {
  create: { "session-id": "text" },
  join: { name: "text", type: "text", "session-id": "text" },
  spawn: {
    ...START,
    ...WORKTREE,
    team: "text",
    type: "text",
    model: "text",
    prompt: "text",
    "prompt-file": "text",
    color: "text",
    cwd: "text",
    "permission-mode": "text",
    "dangerously-skip-permissions": "switch",
    "dry-run": "switch",
  },
  suspend: { team: "text", ended: "text", "session-id": "text" },
  resume: { ...START, team: "text", force: "switch", fresh: "switch" },
  kill: { team: "text", all: "switch", "session-id": "text" },
  stop: { all: "switch", "dry-run": "switch", "session-id": "text" },
  cleanup: {
    team: "text",
    yes: "switch",
    force: "switch",
    members: "switch",
    agent: "text",
    "session-id": "text",
  },
  list: { all: "switch" },
  lead: { force: "switch", "session-id": "text" },
  setup: { remove: "switch" },
} as const;

export type CallOf<Verb extends keyof typeof FLAGS> = Call<(typeof FLAGS)[Verb]>;
export type StartCall = Call<typeof START>;
export type WorktreeCall = Call<typeof WORKTREE>;

export const commands = [
  command({
    name: "create",
    summary: "create a team; the calling session leads it",
    usage: `swarm create TEAM [description …]
Creates a team; the calling session becomes its lead. From a plain terminal it has no lead yet.
Names have letters, digits, - and _, begin with a letter or a digit, and have at most 100 characters.`,
    flags: FLAGS.create,
    sessionId: "subject",
    words: "any",
    run: verbs.createVerb,
  }),
  command({
    name: "join",
    summary: "become a member of a team",
    usage: `swarm join TEAM --name NAME [--type TYPE]
The calling session becomes a member: it gets mail and tasks under that name. Suspend and cleanup never end it.
One that joined before under another name gives that up; its unread mail and open tasks come along.`,
    flags: FLAGS.join,
    sessionId: "subject",
    words: 2,
    run: verbs.joinVerb,
  }),
  command({
    name: "spawn",
    summary: "start a teammate: a real client in a pane, a window or without a screen",
    usage: `swarm spawn NAME [TYPE] [MODEL] [PROMPT] [--team TEAM] [--prompt TEXT|-] [--prompt-file FILE] [options]
Starts a real client as a teammate and waits until it is up. A PROMPT may have any length; - reads it from stdin.
--type TYPE              its role; if an agent of that name is defined, the client runs as that agent
--model MODEL            as the client takes it: sonnet, opus, a full name
--backend tmux|kitty|headless   default: where this runs, or SWARM_MULTIPLEXER
--permission-mode MODE   default: the mode its lead is in now; bypassPermissions needs --dangerously-skip-permissions
--dry-run                prints the command line and the environment, and starts nothing
--worktree [BRANCH]      in a git worktree of its own, on BRANCH or swarm/TEAM/NAME (setting: teammates.worktree)
--base REF               what that branch begins at; default: the current branch, or its remote where that is ahead
--cwd DIR  --color COLOR  --plugin-dir DIR (repeatable)  --wait SECONDS (20)
CLAUDE_CODE_TEAMMATE_COMMAND names another client to start.`,
    flags: FLAGS.spawn,
    words: 4,
    run: verbs.spawnVerb,
  }),
  command({
    name: "suspend",
    summary: "end the teammates; they can be resumed",
    usage: `swarm suspend [TEAM]
Ends the teammates that swarm started and keeps their entries, tasks, mail and conversations. Members that joined go on.
--ended SESSION          only if that session still leads (used by the lead's SessionEnd)`,
    flags: FLAGS.suspend,
    words: 1,
    run: verbs.suspendVerb,
  }),
  command({
    name: "resume",
    summary: "bring a team back, each member with its conversation, tasks and mail",
    usage: `swarm resume [TEAM] [--force] [--fresh] [--backend tmux|kitty|headless] [--wait SECONDS] [--session-id ID]
The team is active again and the calling session leads it. Every teammate that no longer runs is started again with its
model, its conversation (--fresh: a new one), its tasks and its unread count.
--force takes the lead from a session that is not proven dead, which is recorded in the journal.`,
    flags: FLAGS.resume,
    sessionId: "subject",
    words: 1,
    run: verbs.resumeVerb,
  }),
  command({
    name: "kill",
    summary: "end one teammate, or all",
    usage: `swarm kill NAME … | --all [--team TEAM]
Ends teammates now. Only a process with the start time we noted, or a window with our mark, is ended.
Exit code 1 where one still runs that you named or, with --all, that swarm started: its line says why.`,
    flags: FLAGS.kill,
    words: "any",
    run: verbs.killVerb,
  }),
  command({
    name: "stop",
    summary: "end every client that swarm started, in all teams",
    usage: `swarm stop --all [--dry-run]
Ends every client that swarm started, proven by its start time or our mark on its window. Sessions that a person started or that joined
by themselves are listed and left alone: \`swarm pause --all\` holds those too. --dry-run only lists.`,
    flags: FLAGS.stop,
    run: verbs.stopVerb,
  }),
  command({
    name: "cleanup",
    summary: "end a team and archive its files",
    usage: `swarm cleanup [TEAM] [--members [--agent NAME]] [--yes | --force]
Ends a team: shows what would happen; --yes does it, --force also ends teammates that still run. Its files and tasks move to the
archive; nothing is deleted. --members only removes members that are proven dead (--force: also those of which nothing is known).`,
    flags: FLAGS.cleanup,
    words: 1,
    run: verbs.cleanupVerb,
  }),
  command({
    name: "list-teams",
    summary: "list all teams, also the client's and archived ones",
    usage: `swarm list-teams [--all]
Lists every team with its status, lead and members; native ones belong to the client. --all adds the archived ones.`,
    flags: FLAGS.list,
    run: verbs.listTeamsVerb,
  }),
  command({
    name: "lead",
    summary: "show who leads a team; take the lead when the old lead is gone",
    usage: `swarm lead [show|take] [TEAM] [--session-id ID] [--force]
show prints who leads a team and the evidence that it is alive or gone. take gives the lead to the calling session when
the old lead is proven dead; --force takes it anyway, which is recorded in the journal.`,
    flags: FLAGS.lead,
    sessionId: "subject",
    words: { show: 1, take: 1 },
    run: verbs.leadVerb,
  }),
  command({
    name: "setup",
    summary: "swarm in a terminal, and no question for its harmless verbs",
    usage: `swarm setup [path [DIR] | permissions] [--remove]
Without a word it shows what is set up. path writes a launcher to ~/.local/bin, or DIR, that runs the newest installed version.
permissions adds allow rules for the harmless verbs (mail, tasks, status, effort, scratchpad) to your settings.json of the client.`,
    flags: FLAGS.setup,
    words: { path: 1, permissions: 0 },
    run: verbs.setupVerb,
  }),
  command({
    name: "onboard",
    summary: "first steps: two agents that talk, in five minutes",
    usage: `swarm onboard
Shows the steps with their commands; the arrow marks the next one.`,
    run: verbs.onboardVerb,
  }),
];
