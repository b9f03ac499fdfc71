// An outcome in the client's words: stdout JSON, stderr and exit code, as each event understands them
// (observed on 2.1.197 and 2.1.325).
import { plainText } from "../core/text.ts";
import { fitSections, LONGEST_TEXT } from "./fit.ts";
import { type Merged, merge, type NamedOutcome } from "./outcome.ts";

export interface Reply {
  stdout: string;
  stderr: string;
  exitCode: 0 | 2;
}

type Body = Record<string, unknown>;

/** How an event holds something back; events that are not listed cannot. */
const DENIALS: Record<string, (reason: string) => Body> = {
  PreToolUse: (reason) => specific({ permissionDecision: "deny", permissionDecisionReason: reason }),
  PermissionRequest: (reason) => specific({ decision: { behavior: "deny", message: reason } }),
  UserPromptSubmit: block,
  PostToolUse: block,
  Stop: block,
  SubagentStop: block,
  TeammateIdle: block,
  TaskCreated: block,
  TaskCompleted: block,
  PreCompact: block,
  ConfigChange: block,
};

const TAKES_CONTEXT = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "SubagentStart",
  "SubagentStop",
  "Stop",
]);

function block(reason: string): Body {
  return { decision: "block", reason };
}

function specific(fields: Body): Body {
  return { hookSpecificOutput: fields };
}

const SILENCE: Reply = { stdout: "", stderr: "", exitCode: 0 };

export function encode(event: string, outcomes: NamedOutcome[]): Reply {
  const outcome = merge(outcomes);
  if (outcome.wake !== undefined) return { ...SILENCE, stderr: shown(outcome.wake), exitCode: 2 };
  const parts = [verdict(event, outcome), words(event, outcome), extras(event, outcome)];
  const details: Body = Object.assign({}, ...parts.map((part) => part["hookSpecificOutput"]));
  const body: Body = Object.assign({}, ...parts);
  delete body["hookSpecificOutput"];
  if (Object.keys(details).length > 0) body["hookSpecificOutput"] = { hookEventName: event, ...details };
  const stdout = Object.keys(body).length > 0 ? JSON.stringify(body) : "";
  if (!outcome.loud || outcome.deny === undefined) return { ...SILENCE, stdout };
  return { stdout, stderr: shown(outcome.deny), exitCode: 2 };
}

/** Whatever a handler quoted without cleaning it, nothing hidden leaves a hook. */
const shown = (text: string) => plainText(text).slice(0, LONGEST_TEXT);

function verdict(event: string, { deny, endsTurn, ask }: Merged): Body {
  if (deny !== undefined) {
    const ending = endsTurn === undefined ? {} : { continue: false, stopReason: shown(endsTurn) };
    return { ...DENIALS[event]?.(shown(deny)), ...ending };
  }
  if (ask !== undefined && event === "PreToolUse")
    return specific({ permissionDecision: "ask", permissionDecisionReason: shown(ask) });
  return {};
}

function words(event: string, { sections }: Merged): Body {
  if (sections.length === 0 || !TAKES_CONTEXT.has(event)) return {};
  return specific({ additionalContext: shown(fitSections(sections)) });
}

function extras(event: string, { notice, watch, updatedInput }: Merged): Body {
  const details: Body = {};
  if ((event === "SessionStart" || event === "FileChanged") && watch.length > 0)
    details["watchPaths"] = watch;
  if (event === "PreToolUse" && updatedInput) details["updatedInput"] = updatedInput;
  return { ...(notice ? { systemMessage: shown(notice) } : {}), ...specific(details) };
}
