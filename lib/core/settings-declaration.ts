// How a setting is declared: its kind, its default, who may set it and one line of text, all in one place.

interface Kinds {
  text: string;
  flag: boolean;
  count: number;
  choice: string;
  list: readonly string[];
  numbers: readonly number[];
  table: Readonly<Record<string, unknown>>;
  /** A number from 0, not only a whole one. */
  amount: number;
  /** A name, or a program with its arguments. */
  targets: readonly (string | readonly string[])[];
}

/**
 * How a project's value is known to be at least as strict:
 * `lower`, `true` and `later-choice` compare it with the person's; `adds` joins two lists, so that neither loses an entry;
 * `weighed` keeps it apart in `projectAsks`, for the feature that knows what is stricter.
 */
type Tightening = "lower" | "true" | "later-choice" | "adds" | "weighed";

/** What a project's file may say. A key that declares no reach is the person's alone. */
type Trust =
  | { reach?: "person" }
  | { reach: "project"; items?: Limits; inside?: "paths" }
  | { reach: "project-tightens"; tightens: Tightening; min?: number; inside?: "paths" | "patterns" }
  | ({ reach: "project-within-limits"; items?: Limits } & Limits);

export interface Limits {
  min: number;
  max: number;
}

export type Declaration = Trust & {
  kind: keyof Kinds;
  default?: Kinds[keyof Kinds];
  choices?: readonly string[];
  /** What its kind alone does not check. */
  whyWrong?: (value: unknown) => string | undefined;
  about: string;
  /** What is printed of a value that is partly a secret. */
  shown?: (value: unknown) => unknown;
  /** Where the default counts, if not everywhere. */
  defaultApplies?: string;
};

type ValueOf<D extends Declaration> =
  | (D extends { choices: readonly (infer Choice)[] } ? Choice : Kinds[D["kind"]])
  | (D extends { default: unknown } ? never : undefined);

export type ValuesOf<Keys extends Record<string, Declaration>> = {
  readonly [Name in keyof Keys]: ValueOf<Keys[Name]>;
};

/** Each noun declares its own keys; settings.ts joins them. */
export const defineSettings = <const Keys extends Record<string, Declaration>>(keys: Keys): Keys => keys;
