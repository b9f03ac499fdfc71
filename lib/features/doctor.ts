// `swarm doctor`: is everything in order, and if not, what shows it and what to do. It only looks, unless told to --fix.
import { badCall } from "../run/command.ts";
import * as events from "../run/events.ts";
import { readClientSettings } from "../store/client-settings.ts";
import { readFired } from "../store/fired.ts";
import { readErrors } from "../store/journal.ts";
import { readSessions } from "../store/sessions.ts";
import { readStateFiles } from "../store/state-files.ts";
import { eventFindings } from "./doctor/events.ts";
import { fileFindings } from "./doctor/files.ts";
import type { Finding, Level } from "./doctor/finding.ts";
import { ok, warn } from "./doctor/finding.ts";
import { errorFindings, guardFindings } from "./doctor/guard.ts";
import { machineFindings } from "./doctor/machine.ts";
import { type DoctorCall, fix } from "./doctor/repairs.ts";
import { teamFindings } from "./doctor/teams.ts";

const WORST_FIRST: readonly Level[] = ["bad", "warn", "ok"];

/** The exit code is 1 when something is bad, so that a script can ask. */
export function doctorVerb(call: DoctorCall) {
  if (call.flags.yes && !call.flags.fix) throw badCall("--yes goes with --fix");
  if (call.flags.fix) return fix(call);
  const findings = examine(call).sort((a, b) => WORST_FIRST.indexOf(a.level) - WORST_FIRST.indexOf(b.level));
  const count = (level: Level) => findings.filter((one) => one.level === level).length;
  const sum = `${count("bad")} bad, ${count("warn")} to look at, ${count("ok")} in order`;
  return {
    text: [...findings.map(inWords), sum].join("\n"),
    data: { findings },
    exitCode: count("bad") > 0 ? 1 : 0,
  };
}

function examine(call: DoctorCall): Finding[] {
  const { places, now, loaded, disabled } = call;
  const wired = Object.values(events).map((event) => event.name);
  const fired = wired.flatMap((event) => readFired(places, event) ?? []);
  const errors = readErrors(places);
  return [
    ...machineFindings({
      node: call.nodeVersion,
      clients: readSessions(places).flatMap((record) => record.client ?? []),
      settings: readClientSettings(places),
      hasFired: fired.length > 0,
      flags: call.clientFlags,
      extraCertificates: call.extraCertificates,
    }),
    ...guardFindings({ loaded, disabled, fired, errors, now }),
    ...settingsFindings(call),
    ...fileFindings(readStateFiles(places), now, call.knowsModes),
    ...teamFindings(places),
    ...errorFindings(errors, now),
    ...eventFindings(wired, fired, now),
  ];
}

function settingsFindings({ loaded }: DoctorCall): Finding[] {
  const from = (source: string) => Object.values(loaded.sources).filter((one) => one === source).length;
  if (loaded.problems.length === 0)
    return [ok("the settings are in order", `${from("person")} of yours, ${from("project")} of the project`)];
  return [
    warn(
      "some settings are not used",
      loaded.problems,
      "`swarm config` shows every setting, its value and where it comes from",
    ),
  ];
}

const INDENT = " ".repeat(6);

const inWords = ({ level, what, evidence, advice }: Finding): string =>
  [
    `${level.padEnd(4)}  ${what}`,
    ...evidence.map((line) => `${INDENT}${line}`),
    ...(advice ? [`${INDENT}-> ${advice}`] : []),
  ].join("\n");
