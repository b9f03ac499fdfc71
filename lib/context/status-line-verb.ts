// `swarm statusline`: where this session stands, on one line below the prompt, after whatever line was there before.
// It is also the only one to be told the size of the context window, and leaves that for the hooks.

import { badCall, type Call } from "../cli/command.ts";
import { speakerOf } from "../cli/speaker.ts";
import { whyNotSegment } from "../core/paths.ts";
import { maybe, maybeNumber, maybeText, object, someText } from "../core/shape.ts";
import { plainLine } from "../core/text.ts";
import { countUnread } from "../mail/store/inbox.ts";
import { countTasks } from "../tasks/store.ts";
import { type Facts, statusLine } from "./status-line.ts";
import { installLine, readInstalled, removeLine, runPrevious } from "./store/status-line.ts";
import { effortName } from "./store/status-line-facts.ts";
import { contextTokens } from "./store/transcript.ts";
import { writeBridge } from "./store/window.ts";

type Plain = Call<Record<never, never>>;

export function statuslineVerb(call: Plain) {
  const [action] = call.words;
  if (action === undefined) return drawn(call);
  if (action === "install") return installed(call);
  if (action === "remove") return removed(call);
  throw badCall(`install or remove, not ${JSON.stringify(action)}`);
}

const inputShape = object({
  session_id: someText,
  transcript_path: maybeText,
  model: maybe(object({ id: maybeText })),
  context_window: maybe(object({ context_window_size: maybeNumber, used_percentage: maybeNumber })),
});
type Input = ReturnType<typeof inputShape>;

function drawn(call: Plain) {
  const text = call.stdin();
  const input = inputOf(text);
  const line = input ? statusLine(factsOf(call, input)) : "";
  const before = runPrevious(readInstalled(call.paths) ?? { root: "" }, text);
  const drawn = [before, plainLine(line)].filter(Boolean).join("\n");
  return { text: drawn, styled: drawn }; // what the person's own program prints keeps its colours
}

/** Something else on stdin still leaves the person's own line. */
function inputOf(text: string): Input | undefined {
  try {
    return inputShape(JSON.parse(text), "");
  } catch {
    return undefined;
  }
}

const MOST_TASKS = 500;

function factsOf(call: Plain, input: Input): Facts {
  const { team, agent } = ownerOf(call, input.session_id);
  return {
    team,
    agent,
    unread: team && agent ? countUnread(call.paths, team, agent) : undefined,
    tasks: team ? countTasks(call.paths, team, MOST_TASKS) : undefined,
    context: contextOf(call, input),
    effort: whyNotSegment(input.session_id) ? undefined : effortName(call.paths, input.session_id),
  };
}

/** The client names the session on stdin. A contradiction is the verbs' to refuse: here it shows no team. */
function ownerOf(call: Plain, session: string): { team?: string; agent?: string } {
  try {
    return whyNotSegment(session) ? {} : speakerOf(call, session, undefined);
  } catch {
    return {};
  }
}

/** By the session's own transcript: the client's figure may be that of a teammate inside it (seen on 2.1.197). */
function contextOf(
  call: Plain,
  { session_id, transcript_path, context_window, model }: Input,
): number | undefined {
  const window = context_window?.context_window_size;
  const percent = context_window?.used_percentage ?? undefined;
  if (!window) return percent;
  const tokens = contextTokens(transcript_path);
  const share = tokens === undefined ? percent : (100 * tokens) / window;
  if (!whyNotSegment(session_id))
    writeBridge(call.paths, session_id, {
      window,
      tokens,
      percent: share,
      model: model?.id,
      at: call.now.toISOString(),
    });
  return share;
}

function installed(call: Plain) {
  const { settings, previous, changed } = installLine(call.paths, call.ownRoot);
  const kept = previous ? ` Your own line goes on above it: ${previous}` : "";
  return {
    text: `the status line ${changed ? "is now" : "was already"} in ${settings}.${kept}`,
    data: { settings, previous: previous ?? null, changed },
  };
}

function removed(call: Plain) {
  const { settings, previous, changed } = removeLine(call.paths);
  const now = previous ? ` The line is again: ${previous}` : "";
  return {
    text: changed ? `the status line is gone from ${settings}.${now}` : `${settings} has no line of ours.`,
    data: { settings, previous: previous ?? null, changed },
  };
}
