import { doctorVerb } from "../lib/features/doctor.ts";
import { runCommand } from "../lib/run/command.ts";

runCommand({
  usage: `swarm doctor
Versions, events and their times, settings, files, teams and the guard: what was found, what shows it, what to do. Changes nothing.
Exit code 1 when something is bad.`,
  run: doctorVerb,
});
