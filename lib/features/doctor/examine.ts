// Everything the doctor looks at, in one go: the verb shows it, the bug report takes it along.
import * as events from "../../run/events.ts";
import { readClientSettings } from "../../store/client-settings.ts";
import { type Fired, readFired } from "../../store/fired.ts";
import { type ErrorLine, readErrors } from "../../store/journal.ts";
import { readSessions } from "../../store/sessions.ts";
import { readStateFiles, type StateFile } from "../../store/state-files.ts";
import { eventFindings } from "./events.ts";
import { fileFindings } from "./files.ts";
import { type Finding, type Level, ok, warn } from "./finding.ts";
import { errorFindings, guardFindings } from "./guard.ts";
import { machineFindings } from "./machine.ts";
import { relayFindings } from "./relay.ts";
import type { Looking } from "./repairs.ts";
import { teamFindings } from "./teams.ts";

export interface Examined {
  /** The worst first. */
  findings: Finding[];
  fired: Fired[];
  errors: ErrorLine[];
  clients: string[];
  files: StateFile[];
}

const WORST_FIRST: readonly Level[] = ["bad", "warn", "ok"];

export function examine(call: Looking): Examined {
  const { places, now, loaded, disabled } = call;
  const wired = Object.values(events).map((event) => event.name);
  const fired = wired.flatMap((event) => readFired(places, event) ?? []);
  const errors = readErrors(places);
  const clients = readSessions(places).flatMap((record) => record.client ?? []);
  const files = readStateFiles(places);
  const findings = [
    ...machineFindings({
      node: call.nodeVersion,
      clients,
      settings: readClientSettings(places),
      hasFired: fired.length > 0,
      flags: call.clientFlags,
      extraCertificates: call.extraCertificates,
    }),
    ...guardFindings({ loaded, disabled, fired, errors, now }),
    ...settingsFindings(call),
    ...fileFindings(files, now, call.knowsModes),
    ...teamFindings(places),
    ...relayFindings(places, now),
    ...errorFindings(errors, now),
    ...eventFindings(wired, fired, now),
  ];
  findings.sort((a, b) => WORST_FIRST.indexOf(a.level) - WORST_FIRST.indexOf(b.level));
  return { findings, fired, errors, clients, files };
}

function settingsFindings({ loaded }: Looking): Finding[] {
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
