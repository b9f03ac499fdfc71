// The effort of a session, for the status line.
import { join } from "node:path";
import { readForeignJson } from "../../core/json.ts";
import { type Paths, segment } from "../../core/paths.ts";
import { maybeText, object, someNumber } from "../../core/shape.ts";

/** Skill and phase of the effort the session works on. */
export function effortName(paths: Paths, session: string): string | undefined {
  const efforts = join(paths.base, "swarm", "efforts");
  const link = readForeignJson(join(efforts, "windows", segment(session), "main", "link.json"), linkShape);
  const effort = link && readForeignJson(join(efforts, String(link.effort), "effort.json"), effortShape);
  return effort && [effort.skill, effort.phase].filter(Boolean).join(" ");
}

const linkShape = object({ effort: someNumber });
const effortShape = object({ skill: maybeText, phase: maybeText });
