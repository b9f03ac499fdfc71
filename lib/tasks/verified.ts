// A task counts as completed only when the person's own check says so, where one is set.

import type { Paths } from "../core/paths.ts";
import type { Settings } from "../core/settings-keys.ts";
import { escapeXml } from "../core/text.ts";
import { runVerify, type Verified } from "./store/verify.ts";

export function whyUnverified(
  settings: Settings,
  paths: Paths,
  cwd: string,
  mostMs = Number.POSITIVE_INFINITY,
): string | undefined {
  const command = settings["tasks.verify"];
  if (!command) return undefined;
  const timeoutMs = Math.min(settings["tasks.verify_timeout_s"] * 1_000, mostMs);
  return wordsOf(command, runVerify(paths, command, cwd, timeoutMs));
}

export function wordsOf(command: string, { why, tail }: Verified): string | undefined {
  if (!why) return undefined;
  return [
    `The task stays in_progress: \`${command}\` ${why}. Mend what it shows, then complete the task again (setting: tasks.verify).`,
    ...(tail ? [`The end of its output:\n${escapeXml(tail)}`] : []),
  ].join("\n");
}
