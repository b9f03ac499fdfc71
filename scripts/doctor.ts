import { DOCTOR_FLAGS } from "../lib/features/doctor/repairs.ts";
import { doctorVerb } from "../lib/features/doctor.ts";
import { runCommand } from "../lib/run/command.ts";

runCommand({
  usage: `swarm doctor [--fix [--yes]]
Versions, events and their times, settings, files, teams and the guard: what was found, what shows it, what to do.
--fix shows which left locks, damaged and half-written files it would take away, and asks; --yes answers for you. Exit code 1 when something is bad.`,
  flags: DOCTOR_FLAGS,
  run: doctorVerb,
});
