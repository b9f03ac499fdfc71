// `swarm doctor`: what was found, the evidence, and what to do. It changes nothing without --fix.

import { badCall, unconfirmed } from "../../cli/command.ts";
import { removeFile } from "../../core/files.ts";
import { appendJournal, readErrors, readFired } from "../../core/journal.ts";
import { plainLines } from "../../core/text.ts";
import { PERSON } from "../../hook/context.ts";
import * as events from "../../hook/events.ts";
import { readSessions } from "../../sessions/store/sessions.ts";
import { readStateFiles, releaseLock } from "../store/state-files.ts";
import { eventFindings } from "./events.ts";
import { fileFindings, isDamaged, isLeftLock, isLeftTemp } from "./files.ts";
import { bad, type DoctorCall, type Finding, inWords, type Level, type Looking } from "./finding.ts";
import { errorFindings, guardFindings, isGuardOn } from "./guard.ts";
import {
  machineFindings,
  notifyFindings,
  settingsFindings,
  setupFindings,
  startFindings,
} from "./machine.ts";
import { pauseFindings, relayFindings, sharedFindings, teamFindings, treeFindings } from "./teams.ts";

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

const WORST_FIRST: readonly Level[] = ["bad", "warn", "ok"];

export function examine(call: Looking) {
  const { paths, now } = call;
  const wired = Object.values(events).map((event) => event.name);
  const fired = wired.flatMap((event) => readFired(paths, event) ?? []);
  const errors = readErrors(paths);
  const clients = readSessions(paths).flatMap((record) => record.client ?? []);
  const files = readStateFiles(paths);
  const findings = [
    () => machineFindings(call, clients, fired.length > 0),
    () => startFindings(call.ownRoot, paths.base),
    () => setupFindings(call),
    () => guardFindings(call, fired, errors),
    () => settingsFindings(call),
    () => fileFindings(files, now, call.knowsModes),
    () => teamFindings(paths),
    () => treeFindings(paths, call.env),
    () => sharedFindings(paths, now, isGuardOn(call)),
    () => relayFindings(paths, now),
    () => pauseFindings(paths),
    () => notifyFindings(call),
    () => errorFindings(errors, now),
    () => eventFindings(wired, fired, now),
  ].flatMap(found);
  findings.sort((a, b) => WORST_FIRST.indexOf(a.level) - WORST_FIRST.indexOf(b.level));
  return { findings, fired, errors, clients, files };
}

/** What a check cannot read is a finding, and hides none of the others. */
function found(check: () => Finding[]): Finding[] {
  try {
    return check();
  } catch (error) {
    const advice = "mend or move away the file that is named; if none is, please report it";
    return bad("a check of the doctor broke off", [(error as Error).message], advice);
  }
}

// `swarm doctor --fix`: lists what it would remove, asks at the terminal (or takes --yes), and writes each repair to the journal.
interface Repair {
  what: "release" | "delete";
  path: string;
}

function fix(call: DoctorCall) {
  const repairs = readStateFiles(call.paths).flatMap((file): Repair[] => {
    if (isLeftLock(file, call.now)) return [{ what: "release", path: file.path }];
    const isLeft = !file.isDirectory && (isDamaged(file) || isLeftTemp(file, call.now));
    return isLeft ? [{ what: "delete", path: file.path }] : [];
  });
  if (repairs.length === 0) return { text: "Nothing to repair.", data: { repairs, done: [] } };
  const lines = repairs.map(({ what, path }) => `would ${what} ${path}`);
  const refusal = "Nothing was repaired; `swarm doctor --fix --yes` does it.";
  const text = unconfirmed(call.flags, lines, "Do it?", refusal);
  if (text) return { text, data: { repairs, done: [] } };
  const done = repairs.filter((repair) => repaired(call, repair));
  const results = repairs.map((repair) =>
    done.includes(repair) ? `${repair.what}d ${repair.path}` : `left ${repair.path}: it is in use again`,
  );
  return { text: plainLines(results), data: { repairs, done } };
}

function repaired({ paths, now, session = "" }: DoctorCall, { what, path }: Repair): boolean {
  if (what === "delete") removeFile(path);
  else if (!releaseLock(path)) return false;
  const agent = session ? "main" : PERSON;
  appendJournal(paths, now, { event: "doctor", session, agent, feature: "doctor", what: `${what}d`, path });
  return true;
}
