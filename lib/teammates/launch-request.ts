// Does an approved plan ask for a team? A line of its own in the plan says so: `launchSwarm: true`, and beside it,
// if wanted, `teammateCount: 4` and `teamName: name`.

export interface LaunchRequest {
  teammates: number;
  /** Nobody said how many. */
  guessed: boolean;
  teamName?: string;
}

const USUAL_TEAMMATES = 3;
const MOST_TEAMMATES = 32;

/** Older clients handed fields over; today's hands over the plan's text. */
export function launchRequest(fields: Record<string, unknown>, plan: string): LaunchRequest | undefined {
  const asked = fields["launchSwarm"] === true || lineOf(plan, "launchSwarm")?.toLowerCase() === "true";
  if (!asked) return undefined;
  const count = Number(fields["teammateCount"] ?? lineOf(plan, "teammateCount"));
  const isCount = Number.isInteger(count) && count >= 1;
  return {
    teammates: isCount ? Math.min(count, MOST_TEAMMATES) : USUAL_TEAMMATES,
    guessed: !isCount,
    teamName: text(fields["teamName"]) ?? lineOf(plan, "teamName"),
  };
}

const text = (value: unknown) => (typeof value === "string" && value ? value : undefined);

/** `key: value` alone on its line, as YAML, JSON or a list item would have it; in a sentence it is only mentioned. */
function lineOf(plan: string, key: string): string | undefined {
  const line = new RegExp(`^[\\s>*\`-]{0,8}"?${key}"?\\s*[:=]\\s*"?([\\w-]+)"?[\\s,\`*]*$`, "m");
  return plan.match(line)?.[1];
}

/** From the plan's first heading, in the letters a team's name may have. */
export function nameFor(plan: string): string {
  const title = plan.match(/^#+\s+(.+)$/m)?.[1] ?? "";
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^(the-)?plan-(for-|to-)?|^-+|-+$/g, "");
  return words.slice(0, 40).replace(/-+$/, "") || "swarm";
}
