// The `swarm task` line for what a Task tool was asked to do. A person or an agent runs it as it stands.
type Input = Record<string, unknown>;

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
const ids = (value: unknown) =>
  Array.isArray(value) && value.length > 0 ? value.map(String).join(",") : undefined;

/** Nothing for a change that is no change. */
export function insteadOf(tool: string, input: Input): string | undefined {
  return tool === "TaskCreate" ? create(input) : update(input);
}

function create(input: Input): string {
  const words = ["swarm task create", quoted(text(input["subject"]) ?? "SUBJECT")];
  return [
    ...words,
    ...option("--description", text(input["description"])),
    ...option("--active-form", text(input["activeForm"])),
  ].join(" ");
}

function update(input: Input): string | undefined {
  const id = String(input["taskId"] ?? "ID").replace(/[^0-9A-Za-z]/g, "");
  const [status, owner] = [text(input["status"]), text(input["owner"])];
  if (status === "deleted") return `swarm task delete ${id}`;
  const more = [
    ...option("--subject", text(input["subject"])),
    ...option("--description", text(input["description"])),
    ...option("--active-form", text(input["activeForm"])),
    ...option("--blocked-by", ids(input["addBlockedBy"])),
    ...option("--blocks", ids(input["addBlocks"])),
  ];
  if (status === "in_progress" && !owner && more.length === 0) return `swarm task claim ${id}`;
  if (status === "completed" && !owner && more.length === 0) return `swarm task done ${id}`;
  const options = [...option("--status", status), ...option("--owner", owner), ...more];
  return options.length > 0 ? [`swarm task update ${id}`, ...options].join(" ") : undefined;
}

const option = (name: string, value: string | undefined) =>
  value === undefined ? [] : [name, quoted(value)];
