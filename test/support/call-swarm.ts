// A verb in this process: what it prints and its exit code, from a clean environment. Much quicker than the built script.
import type { Caller, Printed } from "../../lib/cli/command.ts";
import { evaluateCli } from "../../lib/cli/run.ts";
import { readEnvironment } from "../../lib/hook/environment.ts";
import { COMMANDS } from "../../scripts/verbs.ts";
import type { Home } from "./a-home.ts";
import { cleanEnv } from "./run-built.ts";

interface Given {
  env?: Record<string, string>;
  cwd?: string;
  stdin?: string;
}

export async function callSwarm(
  home: Home,
  args: string[],
  { env, cwd = home.project, stdin = "" }: Given = {},
): Promise<Printed> {
  const environment = readEnvironment(cleanEnv(home, env));
  const { after, ...printed } = await evaluateCli(
    COMMANDS,
    args,
    (): Caller => ({
      environment,
      cwd,
      stdin: () => stdin,
    }),
  );
  after?.();
  return printed;
}
