// A hook's input and output as a person reads them: the fields that matter, not the JSON around them.

const LONGEST_VALUE = 100;

export function shownInput(input: Record<string, unknown>): string {
  return Object.entries(input)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .map((text) => (text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text))
    .join("  ");
}

export function shownOutput({
  stdout,
  stderr,
  status,
}: {
  stdout: string;
  stderr: string;
  status: number | null;
}): string[] {
  const said = outcomes(stdout);
  // A loud denial says the same on stderr.
  const failed =
    said.length > 0 ? [`exit code ${status}`] : [`exit code ${status}`, ...stderr.trim().split("\n")];
  const lines = [...said, ...(status === 0 ? [] : failed)];
  return lines.length > 0 ? lines : ["(silence)"];
}

function outcomes(stdout: string): string[] {
  if (stdout.trim() === "") return [];
  if (!stdout.startsWith("{")) return stdout.trimEnd().split("\n");
  const { hookSpecificOutput: own = {}, decision, reason, systemMessage } = JSON.parse(stdout);
  return [
    ...(own.permissionDecision ? [`${own.permissionDecision}: ${own.permissionDecisionReason}`] : []),
    ...(decision ? [`${decision}: ${reason}`] : []),
    ...(own.additionalContext ? [own.additionalContext] : []),
    ...(own.watchPaths ? [`watches ${own.watchPaths.join(", ")}`] : []),
    ...(systemMessage ? [`to the person: ${systemMessage}`] : []),
  ].flatMap((text: string) => text.split("\n"));
}
