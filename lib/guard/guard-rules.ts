// The guard's policy from the settings files: the person's word first, a project's only where it is stricter.
import type { GuardSettings } from "./settings.ts";
import type { AllowedCommand, Decision, Policy } from "./situation.ts";

const ORDER: readonly Decision[] = ["off", "once", "ask", "deny"];

const isDecision = (value: unknown): value is Decision => ORDER.includes(value as Decision);

function decisions(table: unknown): Record<string, Decision> {
  const entries = Object.entries((table ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.filter((entry): entry is [string, Decision] => isDecision(entry[1])));
}

const texts = (list: unknown) => (list ?? []) as readonly string[];

/** Any of these and the quick look at plain paths is not enough. */
export const protectsMore = ({ values, projectAsks }: GuardRules): boolean =>
  values["guard.protect"].length > 0 || texts(projectAsks["guard.protect"]).length > 0;

/** An entry without a reason is no permission. */
function allowedCommands(table: Record<string, unknown>): AllowedCommand[] {
  return Object.values(table).flatMap((entry) => {
    const { match, reason, expires } = (entry ?? {}) as Record<string, unknown>;
    if (typeof match !== "string" || typeof reason !== "string" || match === "" || reason === "") return [];
    return [{ match, reason, ...(expires === undefined ? {} : { expires: String(expires) }) }];
  });
}

/** Of the settings, what concerns the guard. */
export interface GuardRules {
  values: GuardSettings;
  projectAsks: Readonly<Record<string, unknown>>;
}

export function policyOf({ values, projectAsks }: GuardRules): Policy {
  return {
    rules: decisions(values["guard.rules"]),
    atLeast: decisions(projectAsks["guard.rules"]),
    protect: values["guard.protect"],
    protectInside: texts(projectAsks["guard.protect"]),
    unprotect: values["guard.unprotect"],
    allowPaths: values["guard.allow_paths"],
    allowCommands: allowedCommands(values["guard.allow_commands"]),
  };
}
