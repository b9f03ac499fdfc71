// `swarm statusline`: one line below the prompt with team, mail, tasks, context and effort of this session, after the line the
// person had before. Its input is the only place where the client names the size of the context window, so it is stored for hooks.
import { byAction, type Call, command } from "../cli/command.ts";
import { speakerOf } from "../cli/speaker.ts";
import { attempt } from "../core/files.ts";
import { clientSettingsPath, whyNotSegment } from "../core/paths.ts";
import { lenient, maybe, maybeNumber, maybeText, parserOf, someText } from "../core/schema.ts";
import { plainLine } from "../core/text.ts";
import { readEffort } from "../efforts/store/efforts.ts";
import { mainAgentOf, readLink } from "../efforts/store/windows.ts";
import { countUnread } from "../mail/store/inbox.ts";
import { noteStatusLine } from "../people/store/quota.ts";
import { countTasks, overviewOf } from "../tasks/store/select.ts";
import { installLine, removeLine, runPrevious } from "./store/status-line.ts";
import { contextTokens, writeWindowReading } from "./store/window.ts";

const parseInput = parserOf(() =>
  lenient({
    session_id: someText,
    transcript_path: maybeText,
    model: maybe(lenient({ id: maybeText })),
    context_window: maybe(lenient({ context_window_size: maybeNumber, used_percentage: maybeNumber })),
  }),
);
type Input = ReturnType<typeof parseInput>;

function print(call: Call) {
  const text = call.stdin();
  // Of anything else than the client's input only the person's own line is printed.
  const input = attempt(() => parseInput(JSON.parse(text)));
  const line = input ? lineFor(call, input) : "";
  const previous = runPrevious(call.paths, text);
  const lines = [previous, plainLine(line)].filter(Boolean).join("\n");
  return { text: lines, styled: lines }; // the person's own program keeps its colours
}

/** A file of ours that cannot be read does not cost the person their own line. */
function lineFor(call: Call, input: Input): string {
  try {
    const line = statusLine(factsOf(call, input));
    noteStatusLine(call.paths, input, input.session_id, call.now);
    return line;
  } catch (error) {
    return `swarm: ${(error as Error).message}`;
  }
}

const LONGEST_NAME = 40;
const MOST_TASKS = 500;

export function statusLine({ team, agent, unread, tasks, context, effort }: Partial<Facts>): string {
  return [
    ...(team ? [`${agent ? `${short(agent)}@` : ""}${short(team)}`] : []),
    ...(unread ? [`${unread} unread`] : []),
    ...(tasks && tasks.all > 0 ? [`${tasks.done}/${tasks.all} tasks`] : []),
    ...(context === undefined ? [] : [`context ${Math.floor(context)}%`]),
    ...(effort ? [`effort ${short(effort)}`] : []),
  ].join(" · ");
}

const short = (name: string) => plainLine(name).slice(0, LONGEST_NAME);

type Facts = ReturnType<typeof factsOf>;

function factsOf(call: Call, input: Input) {
  const session = whyNotSegment(input.session_id) ? undefined : input.session_id;
  // Nobody, where session and environment contradict each other: other verbs report that.
  const speaker = session ? attempt(() => speakerOf(call, session, undefined)) : undefined;
  const { team, agent } = speaker ?? {};
  const overview = team ? overviewOf(call.paths, team, MOST_TASKS) : undefined;
  return {
    team,
    agent,
    unread: team && agent ? countUnread(call.paths, team, agent) : undefined,
    tasks: overview && countTasks(overview),
    /** In percent. */
    context: contextPercent(call, session, input),
    effort: session && effortName(call, session),
  };
}

function effortName({ paths }: Call, session: string): string | undefined {
  const link = readLink(paths, mainAgentOf(session));
  const effort = link && readEffort(paths, link.effort);
  return effort && [effort.skill, effort.phase].filter(Boolean).join(" ");
}

/** By the session's own transcript: the client's figure may be that of a teammate inside it (seen on 2.1.197). */
function contextPercent(
  call: Call,
  session: string | undefined,
  { transcript_path, context_window, model }: Input,
): number | undefined {
  const window = context_window?.context_window_size;
  const reported = context_window?.used_percentage;
  if (!window) return reported;
  const tokens = contextTokens(transcript_path);
  const percent = tokens === undefined ? reported : (100 * tokens) / window;
  const reading = { window, tokens, percent, model: model?.id, at: call.now.toISOString() };
  if (session) writeWindowReading(call.paths, session, reading);
  return percent;
}

function install({ paths, ownRoot }: Call) {
  const { previous = null, changed } = installLine(paths, ownRoot);
  const settings = clientSettingsPath(paths);
  const kept = previous ? ` Your own line goes on above it: ${previous}` : "";
  const text = `the status line ${changed ? "is now" : "was already"} in ${settings}.${kept}`;
  return { text, data: { settings, previous, changed } };
}

function remove({ paths }: Call) {
  const { previous = null, changed } = removeLine(paths);
  const settings = clientSettingsPath(paths);
  const now = previous ? ` The line is again: ${previous}` : "";
  const text = changed
    ? `the status line is gone from ${settings}.${now}`
    : `${settings} has no line of ours.`;
  return { text, data: { settings, previous, changed } };
}

export const commands = [
  command({
    name: "statusline",
    summary: "team, mail, tasks and context below the prompt",
    usage: `swarm statusline [install | remove]
Without a word: reads the client's status line input from stdin and prints team, unread mail, tasks, context and effort.
install puts it into your own settings.json, below the line you have; remove takes it out again. Nothing else is touched.`,
    words: { install: 0, remove: 0 },
    run: byAction({ print, install, remove }),
  }),
];
