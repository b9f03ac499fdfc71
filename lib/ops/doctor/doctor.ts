// `swarm doctor`: is everything in order, and if not, what shows it and what to do. It only looks, unless told to --fix.
import { badCall } from "../../cli/command.ts";
import { examine } from "./examine.ts";
import { inWords, type Level } from "./finding.ts";
import { type DoctorCall, fix } from "./repairs.ts";

/** The exit code is 1 when something is bad, so that a script can ask. */
export function doctorVerb(call: DoctorCall) {
  if (call.flags.yes && !call.flags.fix) throw badCall("--yes goes with --fix");
  if (call.flags.fix) return fix(call);
  const { findings } = examine(call);
  const count = (level: Level) => findings.filter((one) => one.level === level).length;
  const sum = `${count("bad")} bad, ${count("warn")} to look at, ${count("ok")} in order`;
  return {
    text: [...findings.map(inWords), sum].join("\n"),
    data: { findings },
    exitCode: count("bad") > 0 ? 1 : 0,
  };
}
