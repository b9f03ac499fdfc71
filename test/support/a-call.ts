// A call of a verb as the runner would build it, for running one without a process.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Call } from "../../lib/cli/command.ts";
import { speakerOf } from "../../lib/cli/speaker.ts";
import { readSettings } from "../../lib/core/settings.ts";
import { readEnvironment } from "../../lib/hook/environment.ts";
import { NOON } from "./a-context.ts";
import type { Home } from "./a-home.ts";

interface Given {
  /** Without a session the speaker is a person. */
  env?: Record<string, string>;
  now?: Date;
}

export function aCall(
  home: Home,
  words: string[],
  flags: Record<string, string | boolean | string[]> = {},
  { env = {}, now = NOON }: Given = {},
): Call<Record<string, never>> {
  const environment = {
    ...readEnvironment({
      HOME: home.root,
      TMPDIR: home.path("tmp"),
      CLAUDE_PROJECT_DIR: home.project,
      ...env,
    }),
    now,
  };
  const loaded = readSettings(environment.paths, home.project, environment.projectDir);
  return {
    ...environment,
    cwd: home.project,
    words,
    flags: flags as never,
    session: environment.sessionId,
    loaded,
    get identity() {
      return speakerOf(environment, environment.sessionId, loaded.values["core.default_team"]);
    },
    get subject() {
      return speakerOf(environment, environment.sessionId, loaded.values["core.default_team"]);
    },
    stdin: () => "",
    readInput: (path) => readFileSync(resolve(home.project, path), "utf8"),
  };
}
