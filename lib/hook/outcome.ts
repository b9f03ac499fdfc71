// What a handler returns, and how the outcomes of several become one.
import { escapeLine } from "../core/text.ts";

export interface Section {
  text: string;
  /** What it is, for the line that says it was left out. */
  name: string;
  /** Where the whole of it can be read: a path or a command. */
  where?: string;
  /** The higher, the later it is cut. Default 50. */
  priority?: number;
  /** Sections with the same heading here stand together in one `<system-reminder>` below it. */
  under?: string;
}

export interface Outcome {
  /** Stops what the event announces; the text is the reason, for the model. */
  deny?: string;
  /** PreToolUse, beside `deny`: ends the turn as well where the client does that (2.1.325; 2.1.197 goes on). Shown to the person. */
  endsTurn?: string;
  /** Leaves it to the person; only PreToolUse knows this. */
  ask?: string;
  /** Deny by exit code 2 as well, where a source document promises that. */
  loud?: boolean;
  /** The rule behind `deny` or `ask`, for the journal. */
  rule?: string;
  /** Facts for the model. */
  context?: string | Section;
  /** A line for the person at the screen. */
  notice?: string;
  /** SessionStart, FileChanged: files whose change shall fire FileChanged, all of them: the new list replaces the old. */
  watch?: string[];
  /** FileChanged: wakes the session with this text. */
  wake?: string;
  /** PreToolUse: the tool's whole new input. */
  updatedInput?: Record<string, unknown>;
  /** Lines for the journal beyond a denial, which is always recorded. */
  journal?: JournalNote[];
  /** Work that may outlast the answer by a moment, with its own time limit. */
  after?: () => void;
}

export interface JournalNote {
  what: string;
  [detail: string]: unknown;
}

export interface NamedOutcome extends Outcome {
  feature: string;
}

/** Something for the client, not only for the journal. */
export const hasOutput = ({ feature, journal, after, ...words }: NamedOutcome): boolean =>
  Object.values(words).some((word) => word !== undefined);

export interface Merged {
  deny?: string;
  endsTurn?: string;
  ask?: string;
  loud: boolean;
  sections: Section[];
  notice?: string;
  watch: string[];
  wake?: string;
  updatedInput?: Record<string, unknown>;
}

export function merge(outcomes: NamedOutcome[]): Merged {
  const denial = outcomes.find((one) => one.deny !== undefined);
  return {
    deny: denial?.deny,
    endsTurn: denial?.endsTurn,
    ask: denial ? undefined : outcomes.find((one) => one.ask !== undefined)?.ask,
    loud: denial?.loud === true,
    sections: outcomes.flatMap(sectionsOf),
    notice: joinOrNothing(outcomes.flatMap((one) => one.notice ?? [])),
    watch: outcomes.flatMap((one) => one.watch ?? []),
    wake: joinOrNothing(outcomes.flatMap((one) => one.wake ?? [])),
    updatedInput: denial ? undefined : outcomes.findLast((one) => one.updatedInput)?.updatedInput,
  };
}

const joinOrNothing = (texts: string[]) => (texts.length > 0 ? texts.join("\n") : undefined);

function sectionsOf({ context, feature }: NamedOutcome): Section[] {
  if (!context) return [];
  return [typeof context === "string" ? { text: context, name: feature } : context];
}

// The wrapper that Claude Swarm hooks prescribe for team news.
export const teamUpdates = (agent: string): string => `Team Updates for ${escapeLine(agent)}`;

export const reminder = (heading: string, parts: string[]): string =>
  `<system-reminder>\n# ${heading}\n\n${parts.join("\n\n")}\n\n</system-reminder>`;
