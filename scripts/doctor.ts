import { runCommand } from "../lib/cli/command.ts";
import { doctorVerb } from "../lib/ops/doctor/doctor.ts";
import { DOCTOR_FLAGS } from "../lib/ops/doctor/repairs.ts";

runCommand({
  usage: `swarm doctor [--fix [--yes]]
Versions, events and their times, settings, files, teams and the guard: what was found, what shows it, what to do.
--fix shows which left locks, damaged and half-written files it would take away, and asks; --yes answers for you. Exit code 1 when something is bad.`,
  flags: DOCTOR_FLAGS,
  run: doctorVerb,
});
