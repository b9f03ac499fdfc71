import { expect, test } from "vitest";
import { hasReported } from "../../lib/tasks/hooks.ts";

const call = (name: string, input: object) =>
  JSON.stringify({ type: "assistant", message: { content: [{ type: "tool_use", name, input }] } });
const START = call("TaskUpdate", { taskId: "1", status: "in_progress" });
const SEND = call("SendMessage", { to: "team-lead", message: "half done" });
const bash = (command: string) => call("Bash", { command });

test.each([
  ["nothing at all", [], false],
  ["a message after the start", [START, SEND], true],
  ["a message before the start", [SEND, START], false],
  ["a message without a start in sight", [SEND], true],
  ["swarm send", [START, bash("swarm send team-lead 'half done'")], true],
  ["a comment on the task", [START, bash("swarm task update 1 --comment 'half done'")], true],
  ["a release", [bash("swarm task claim"), bash("swarm task release 1")], true],
  ["a claim after a message", [SEND, bash("cd x && swarm task claim 2")], false],
  ["other work", [START, bash("npm test"), call("Edit", { file_path: "a" })], false],
  ["talk about sending", [START, JSON.stringify({ message: { content: "tool_use SendMessage" } })], false],
  ["a line cut in half", [SEND.slice(30)], false],
  ["a command that is no text", [SEND, call("Bash", { command: { toString: 1 } })], true],
  ["strange content", ['{"message":{"content":[null,{"type":"tool_use"}]},"x":"\\"tool_use\\""}'], false],
])("%s", (_, lines, reported) => expect(hasReported(lines.join("\n"))).toBe(reported));
