// Everything the doctor looks at, in one go: the verb shows it, the bug report takes it along.

import { type ErrorLine, readErrors } from "../../core/journal.ts";
import { unusedIn } from "../../core/settings.ts";
import * as events from "../../hook/events.ts";
import { unanswered } from "../../hook/guarded-calls.ts";
import { readSessions } from "../../sessions/store/sessions.ts";
import { readClientSettings } from "../store/client-settings.ts";
import { type Fired, readFired } from "../store/fired.ts";
import { readStateFiles, type StateFile } from "../store/state-files.ts";
import { eventFindings } from "./events.ts";
import { fileFindings } from "./files.ts";
import { type Finding, type Level, ok, warn } from "./finding.ts";
import { errorFindings, guardFindings } from "./guard.ts";
import { machineFindings } from "./machine.ts";
import type { Looking } from "./repairs.ts";
import { startFindings } from "./start-path.ts";
import { teamFindings } from "./teams.ts";

export interface Examined {
  /** The worst first. */
  findings: Finding[];
  fired: Fired[];
  errors: ErrorLine[];
  clients: string[];
  files: StateFile[];
}

/** The client's limit for PreToolUse in hooks.json, and a little. */
const STILL_RUNNING_MS = 65_000;
const WORST_FIRST: readonly Level[] = ["bad", "warn", "ok"];

export function examine(call: Looking): Examined {
  const { paths, now, loaded, disabled } = call;
  const wired = Object.values(events).map((event) => event.name);
  const fired = wired.flatMap((event) => readFired(paths, event) ?? []);
  const errors = readErrors(paths);
  const clients = readSessions(paths).flatMap((record) => record.client ?? []);
  const files = readStateFiles(paths);
  const findings = [
    ...machineFindings({
      node: call.nodeVersion,
      clients,
      settings: readClientSettings(paths),
      hasFired: fired.length > 0,
      flags: call.clientFlags,
      extraCertificates: call.extraCertificates,
    }),
    ...startFindings(call.ownRoot, paths.base),
    ...guardFindings({
      loaded,
      disabled,
      fired,
      errors,
      unanswered: unanswered(paths, now, STILL_RUNNING_MS),
      now,
    }),
    ...settingsFindings(call),
    ...fileFindings(files, now, call.knowsModes),
    ...teamFindings(paths),
    ...errorFindings(errors, now),
    ...eventFindings(wired, fired, now),
  ];
  findings.sort((a, b) => WORST_FIRST.indexOf(a.level) - WORST_FIRST.indexOf(b.level));
  return { findings, fired, errors, clients, files };
}

function settingsFindings({ loaded }: Looking): Finding[] {
  const from = (source: string) => Object.values(loaded.sources).filter((one) => one === source).length;
  const unused = unusedIn(loaded);
  if (unused.length === 0)
    return [ok("the settings are in order", `${from("person")} of yours, ${from("project")} of the project`)];
  return [
    warn(
      "some settings are not used",
      unused,
      "`swarm config` shows every setting, its value and where it comes from",
    ),
  ];
}
