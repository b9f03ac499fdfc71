// The lines a session reads first (seed 000), to the letter.
import { plainLine, withoutTags } from "../core/text.ts";

export interface Announcement {
  session: string;
  wrapper: string | undefined;
  source: string;
  /** Only where `.atm.toml` is present. */
  team: string | undefined;
  welcome: string | undefined;
}

const LONGEST_LINE = 1_000;

export function announce({ session, wrapper, source, team, welcome }: Announcement): string {
  const way = source === "compact" ? "returning from compact" : "starting fresh";
  return [
    ...(session ? [`SESSION_ID=${plain(session)} (${way})`] : []),
    ...(wrapper ? [`CLAUDE_SESSION_ID=${plain(wrapper)} (from the spawn wrapper)`] : []),
    ...(team ? [`ATM team: ${plain(team)}`] : []),
    ...(welcome ? [`Welcome: ${plain(welcome)}`] : []),
  ].join("\n");
}

/** A project's words come from others: one line each, and no tag. */
const plain = (text: string) => withoutTags(plainLine(text)).slice(0, LONGEST_LINE);

/** Lines for `CLAUDE_ENV_FILE`: later Bash calls know their session, team and name (seed 000's very problem). */
export function exports(known: Record<string, string | undefined>): string {
  return Object.entries(known)
    .flatMap(([name, value]) => (value === undefined ? [] : `export ${name}=${quoted(value)}\n`))
    .join("");
}

const quoted = (value: string) => `'${value.replaceAll("'", "'\\''")}'`;
