// A context as the runner would build it, for calling a handler without a process.

import { elapsedMs } from "../../lib/core/process.ts";
import { type Base, type Context, makeContext } from "../../lib/hook/context.ts";
import { readEnvironment } from "../../lib/hook/environment.ts";
import type { AnyEvent, InputOf } from "../../lib/hook/events.ts";
import type { Home } from "./a-home.ts";

export const NOON = new Date("2026-02-20T12:00:00Z");

interface Given {
  env?: Record<string, string>;
  now?: Date;
}

export function aContext<E extends AnyEvent>(
  home: Home,
  event: E,
  input: Record<string, unknown> = {},
  { env = {}, now = NOON }: Given = {},
): Context<InputOf<E> & Base> {
  const payload = event.parse({ session_id: "s-1", cwd: home.project, ...input }) as InputOf<E> & Base;
  const environment = {
    ...readEnvironment({
      HOME: home.root,
      TMPDIR: home.path("tmp"),
      CLAUDE_PROJECT_DIR: home.project,
      ...env,
    }),
    now,
  };
  return makeContext(event.name, payload, environment, elapsedMs() + event.deadlineMs);
}
