// What a person sets up once: `swarm` in a terminal, allow rules for the harmless verbs, and a context window of known size.

import { contextOfSession, contextTokens, type Measuring } from "../../context/store/window.ts";
import { clientSettingsPath, type Paths } from "../../core/paths.ts";
import { counted } from "../../core/text.ts";
import { isOpenSession, readSessions, type SessionRecord } from "../../sessions/store/sessions.ts";
import { missingRules, terminalProgram } from "../../teammates/store/setup.ts";
import { type Finding, ok, warn, warnIfAny } from "./finding.ts";

interface Setup extends Measuring {
  path: string;
  ownRoot: string;
}

export const setupFindings = (setup: Setup): Finding[] => [
  pathFinding(terminalProgram(setup.path, setup.ownRoot)),
  ruleFinding(setup.paths),
  ...windowFindings(setup),
];

const pathFinding = (program: string | undefined): Finding =>
  program
    ? ok("`swarm` runs in a terminal", program)
    : warn(
        "`swarm` is not on a terminal's PATH",
        ["the client adds it for the Bash tool only"],
        "`! swarm setup path` in a session writes a launcher to ~/.local/bin",
      );

function ruleFinding(paths: Paths): Finding {
  try {
    const missing = missingRules(paths);
    return missing.length === 0
      ? ok("the client runs the harmless verbs without asking", clientSettingsPath(paths))
      : warn(
          "the client asks before harmless verbs of `swarm`",
          [`${clientSettingsPath(paths)} allows ${missing.length} of them not yet`],
          "`swarm setup permissions` adds the rules, if you want that",
        );
  } catch (error) {
    return warn("the client's settings cannot be read", [(error as Error).message], "mend the file by hand");
  }
}

/** Open sessions that use something of a window whose size nothing tells: they get no warning. */
function windowFindings(setup: Setup): Finding[] {
  const open = readSessions(setup.paths).filter(isOpenSession);
  const isUnknown = ({ session, transcript = "" }: SessionRecord) =>
    contextTokens(transcript) !== undefined && !contextOfSession(setup, { session, transcript });
  const unknown = open.filter(isUnknown);
  return warnIfAny(
    unknown.map(({ session, model }) => `session ${session}, model ${model ?? "not named"}`),
    `the context window of ${counted(unknown.length, "session")} is not known: no warning before it is full`,
    "`swarm statusline install`, or [context] window = N in your settings.toml",
  );
}
