// What hooks say in a relayed team: the `swarm task` line in place of a Task tool, and one line while the relay is out of reach.
import type { Paths } from "../core/paths.ts";
import { cutAt, escapeLine, shellQuoted, withoutTags } from "../core/text.ts";
import { lastRelayError } from "./store/paths.ts";

const LONGEST_REASON = 300;

export function relayProblem(paths: Paths, team: string): string | undefined {
  const error = lastRelayError(paths, team);
  if (!error) return undefined;
  const why = cutAt(escapeLine(error), LONGEST_REASON);
  return `The relay of team ${team} was not reachable when last tried: ${why}. Mail to other machines waits here.`;
}

type Input = Record<string, unknown>;

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
/** Empty: what is there is removed. */
const textOrEmpty = (value: unknown) => (typeof value === "string" ? value : undefined);
const ids = (value: unknown) =>
  Array.isArray(value) && value.length > 0 ? value.map(String).join(",") : undefined;

/** Why a Task tool may not do this to the shared list of `team`; nothing for a change that changes nothing. */
export function whyDenied(team: string, tool: string, input: Input): string | undefined {
  const shared = `The tasks of ${team} are shared by several machines and decided on its relay.`;
  const command = commandFor(tool, input);
  if (command) return `${shared} Use: ${command} (feature: machines)`;
  if (input["metadata"] === undefined) return undefined;
  return `${shared} What is written into their metadata here does not last (feature: machines)`;
}

/** The line an agent can run as it stands; nothing where there is none. */
export function commandFor(tool: string, input: Input): string | undefined {
  const line = tool === "TaskCreate" ? create(input) : update(input);
  return line && withoutTags(line);
}

function create(input: Input): string {
  const words = ["swarm task create", shellQuoted(text(input["subject"]) ?? "SUBJECT")];
  return [
    ...words,
    ...option("--description", text(input["description"])),
    ...option("--active-form", text(input["activeForm"])),
  ].join(" ");
}

function update(input: Input): string | undefined {
  const id = String(input["taskId"] ?? "").replace(/[^0-9A-Za-z]/g, "") || "ID";
  const [status, owner] = [text(input["status"]), textOrEmpty(input["owner"])];
  if (status === "deleted") return `swarm task delete ${id}`;
  const more = [
    ...option("--subject", text(input["subject"])),
    ...option("--description", textOrEmpty(input["description"])),
    ...option("--active-form", textOrEmpty(input["activeForm"])),
    ...option("--blocked-by", ids(input["addBlockedBy"])),
    ...option("--blocks", ids(input["addBlocks"])),
  ];
  if (status === "in_progress" && !owner && more.length === 0) return `swarm task claim ${id}`;
  if (status === "completed" && !owner && more.length === 0) return `swarm task done ${id}`;
  const options = [...option("--status", status), ...option("--owner", owner), ...more];
  return options.length > 0 ? [`swarm task update ${id}`, ...options].join(" ") : undefined;
}

const option = (name: string, value: string | undefined) =>
  value === undefined ? [] : [name, shellQuoted(value)];
