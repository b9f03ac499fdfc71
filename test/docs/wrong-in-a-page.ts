import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agrees, normalised, runPage, type Step } from "../../scripts/docs/console.ts";

const ROOT = join(import.meta.dirname, "..", "..");
export const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** A whole day: the slow ring runs it. */
export const isDemo = ({ command }: Step): boolean => command === "npm start";

/** The commands of a page that print something else than it shows, or end otherwise. */
export const wrongIn = (path: string, isWanted: (step: Step) => boolean) =>
  runPage(read(path), isWanted)
    .filter(({ expected, printed, exitCode, status }) => exitCode !== status || !agrees(expected, printed))
    .map(({ from, command, exitCode, status, expected, printed }) => ({
      at: `${path}:${from}`,
      command,
      exitCode: status === exitCode ? undefined : status,
      expected: normalised(expected),
      printed: normalised(printed),
    }));
