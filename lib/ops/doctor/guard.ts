// Whether the command guard is active, and every way in which it may not be.

import { type ErrorLine, type Fired, unanswered } from "../../core/journal.ts";
import { fieldsOf } from "../../core/json.ts";
import { counted, plainLine, toText } from "../../core/text.ts";
import { ago, DAY_MS } from "../../core/time.ts";
import { isCatastrophic, RULES, type RuleId } from "../../guard/rules.ts";
import { DECISIONS } from "../../guard/situation.ts";
import { bad, type Finding, type Looking, ok, some, warn, warnIfAny } from "./finding.ts";

type Guarding = Pick<Looking, "loaded" | "disabled" | "paths" | "now">;

const RECENT_MS = DAY_MS;
/** The client's limit for PreToolUse in hooks.json, and a little. */
const STILL_RUNNING_MS = 65_000;
const FEATURE = "command-guard";

export function guardFindings(
  call: Guarding,
  fired: readonly Fired[],
  errors: readonly ErrorLine[],
): Finding[] {
  const { loaded, paths, now } = call;
  const off = whyOff(call);
  if (off) return bad("the command guard does not protect", [off[0]], off[1]);
  const failures = errors.filter((one) => isOfGuard(one) && isRecent(one.at, now));
  if (failures.length > 0)
    return bad(
      `the command guard let ${counted(failures.length, "call")} pass unchecked in the last day`,
      some(failures.map(({ at, error }) => `${at}: ${plainLine(toText(error))}`).reverse()),
      "the error log in the state directory has the places in the code; please report it",
    );
  const killed = unanswered(paths, now, STILL_RUNNING_MS).filter((began) => isRecent(began, now));
  if (killed.length > 0)
    return bad(
      `the command guard never answered ${counted(killed.length, "call")} in the last day`,
      some(killed.map((began) => began.toISOString()).reverse()),
      "the client runs a tool whose hook it had to kill at its time limit, or the machine stopped meanwhile; please report it",
    );
  const stamp = fired.find((one) => one.event === "PreToolUse");
  if (!stamp)
    return warn("the command guard has not been asked yet", ["PreToolUse never fired"], "run a tool once");
  const loosened = Object.entries(loaded.values["guard.rules"]).flatMap(([rule, say]) =>
    say === "off" && !whyNoEffect(rule, say) ? [`guard.rules: ${rule} is off`] : [],
  );
  return [
    ...ok("the command guard protects", `PreToolUse last fired ${ago(stamp.last, now)}`, ...loosened),
    ...ruleFindings(loaded),
  ];
}

function ruleFindings({ values, projectAsks, personFile, projectFile }: Looking["loaded"]): Finding[] {
  const wrongIn = (file: string | undefined, rules: unknown, isProject: boolean) =>
    Object.entries(fieldsOf(rules)).flatMap(([rule, say]) => {
      const wrong = whyNoEffect(rule, say, isProject);
      return wrong ? plainLine(`${file}: ${wrong}`) : [];
    });
  const wrong = [
    ...wrongIn(personFile, values["guard.rules"], false),
    ...wrongIn(projectFile, projectAsks["guard.rules"], true),
  ];
  return warnIfAny(
    wrong,
    `${counted(wrong.length, "entry", "entries")} of guard.rules ${wrong.length === 1 ? "has" : "have"} no effect`,
    "`swarm guard rules` lists the rules",
  );
}

function whyNoEffect(rule: string, say: unknown, isProject = false): string | undefined {
  if (!Object.hasOwn(RULES, rule)) return `no rule is called ${rule}`;
  if (!DECISIONS.some((one) => one === say))
    return `${rule} is ${JSON.stringify(say)}, not one of ${DECISIONS.toReversed().join(", ")}`;
  if (isCatastrophic(rule as RuleId) && say !== "deny") return `${rule} is always denied`;
  return isProject && say === "off" ? `${rule} is "off", and a project can only be stricter` : undefined;
}

/** The evidence and the advice. */
function whyOff({ loaded: { values, personFile }, disabled }: Guarding): [string, string] | undefined {
  const variable = ["all", FEATURE].find((name) => disabled.has(name));
  if (variable)
    return [
      `SWARM_DISABLE of this shell names ${variable}`,
      `start clients without ${variable} in SWARM_DISABLE`,
    ];
  if (values.features[FEATURE] === false)
    return [`features.${FEATURE} is false`, `take it out of ${personFile}`];
  if (!values["guard.enabled"])
    return ["guard.enabled is false", `set guard.enabled = true in ${personFile}`];
  return undefined;
}

export const isGuardOn = (call: Guarding): boolean => whyOff(call) === undefined;

/** A failure of the whole PreToolUse run names no feature; the guard did not check that call either. */
const isOfGuard = ({ event, feature }: ErrorLine) =>
  feature === FEATURE || (event === "PreToolUse" && !feature);

const isRecent = (at: string | Date, now: Date) => now.getTime() - new Date(at).getTime() < RECENT_MS;

/** The rest of the error log: what fell open elsewhere. */
export function errorFindings(errors: readonly ErrorLine[], now: Date): Finding[] {
  const recent = errors.filter(({ at }) => isRecent(at, now));
  if (recent.length === 0) return ok("no error in the last day");
  const nameOf = ({ feature, event }: ErrorLine) => feature ?? event;
  const last = new Map(recent.map((one) => [nameOf(one), one.error]));
  return warnIfAny(
    [...last].map(([name, error]) => {
      const count = recent.filter((one) => nameOf(one) === name).length;
      return `${plainLine(name)}: ${count}, the last: ${plainLine(toText(error))}`;
    }),
    `${counted(recent.length, "error")} in the last day`,
    "each fell open: the client went on without that feature; the error log in the state directory has the rest",
  );
}
