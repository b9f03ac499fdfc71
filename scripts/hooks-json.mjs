// hooks.json, from one table: which script runs at which event, how long the client waits for it, and whether it waits at all.

/** Each saves a tenth of a start; `swarm doctor` checks that the installed node accepts them. */
const NODE_FLAGS = ["--no-rehash-snapshot", "--v8-pool-size=0"];

const ASYNC = { async: true };
const WAKES = { asyncRewake: true };
const WATCH_FILE = "^(.*/)?seat$";

/** They ask nobody, end at once and touch no file: after them there is nothing to record (`ASKS_NOTHING` in lib/sessions). */
const NOTHING_AFTER = ["TaskGet", "TaskList", "TodoWrite", "ToolSearch"];

/** Event, seconds until the client gives up, and what else the entry says. `entry` is an argument of the script. */
const TABLE = [
  ["SessionStart", 15],
  ["SessionStart", 60, { ...ASYNC, entry: "beside-turn" }],
  ["SessionEnd", 2],
  ["UserPromptSubmit", 10],
  ["PreToolUse", 60],
  ["PostToolUse", 10, { matcher: "ExitPlanMode" }],
  ["PostToolUse", 10, { matcher: `^(?!(ExitPlanMode|${NOTHING_AFTER.join("|")})$)`, ...ASYNC }],
  ["PostToolUseFailure", 10, ASYNC],
  ["PermissionRequest", 10, ASYNC],
  ["Notification", 10, ASYNC],
  ["SubagentStart", 10],
  ["SubagentStop", 10],
  ["Stop", 10],
  ["StopFailure", 10, ASYNC],
  ["TeammateIdle", 10],
  ["TaskCreated", 10],
  ["TaskCompleted", 600],
  ["PreCompact", 10],
  ["PostCompact", 10, ASYNC],
  ["ConfigChange", 10, ASYNC],
  ["FileChanged", 15, { matcher: "^(?!(.*/)?seat$).*", ...WAKES }],
  ["FileChanged", 10, { matcher: WATCH_FILE }],
  ["FileChanged", 15, { matcher: WATCH_FILE, ...WAKES, entry: "then-look" }],
];

const scriptOf = (event) => event.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

export function hooksJson() {
  const hooks = {};
  for (const [event, timeout, { matcher, entry, ...more } = {}] of TABLE) {
    const script = `\${CLAUDE_PLUGIN_ROOT}/dist/hooks/${scriptOf(event)}.cjs`;
    const args = [...NODE_FLAGS, script, ...(entry ? [entry] : [])];
    hooks[event] ??= [];
    const blocks = hooks[event];
    if (blocks.at(-1)?.matcher !== matcher || blocks.length === 0)
      blocks.push({ ...(matcher ? { matcher } : {}), hooks: [] });
    blocks.at(-1).hooks.push({ type: "command", command: "node", args, ...more, timeout });
  }
  const description = "One self-contained script per lifecycle event; see README.md for what each does.";
  return `${JSON.stringify({ description, hooks }, null, 2)}\n`;
}
