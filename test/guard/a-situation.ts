// A machine that exists only in the test: project /home/dev/app, no file on disk unless the test names it.
import { expect } from "vitest";
import { judge } from "../../lib/guard/judge.ts";
import type { RuleId } from "../../lib/guard/rules.ts";
import type { Policy, Situation } from "../../lib/guard/situation.ts";

export const NO_POLICY: Policy = {
  rules: {},
  atLeast: {},
  protect: [],
  protectInside: [],
  unprotect: [],
  allowPaths: [],
  allowCommands: [],
};

/** Of the project, where a test does not say otherwise. */
const FILES = [".env", ".env.local", ".env.production", "package.json"].map(
  (name) => `/home/dev/app/${name}`,
);

type World = { links?: Record<string, string>; directories?: string[]; files?: string[] };

function follow(path: string, links: Record<string, string>): string {
  for (const [link, target] of Object.entries(links)) {
    if (path === link || path.startsWith(`${link}/`)) return target + path.slice(link.length);
  }
  return path;
}

export const aSituation = (changes: Partial<Situation> = {}, world: World = {}): Situation => ({
  cwd: "/home/dev/app",
  project: "/home/dev/app",
  home: "/home/dev",
  temp: "/tmp",
  base: "/home/dev/.claude",
  agents: () => [{ name: "alice", pid: 4242, pane: "%7", session: "swarm-atm-alice" }],
  policy: NO_POLICY,
  attendance: "attended",
  probe: {
    realPath: (path) => follow(path, world.links ?? {}),
    isDirectory: (path) => world.directories?.includes(path) ?? false,
    exists: (path) => (world.files ?? FILES).includes(path),
  },
  now: Date.parse("2026-02-20T12:00:00Z"),
  clock: () => 0,
  deadlineMs: 250,
  ...changes,
});

export const ruleFor = (command: string, situation = aSituation()): RuleId | undefined =>
  judge(command, situation)?.rule;

export const expectDenied = (command: string, situation = aSituation()) =>
  expect(judge(command, situation), command).toMatchObject({ rule: expect.any(String) });

export const expectAllowed = (command: string, situation = aSituation()) =>
  expect(judge(command, situation), command).toBeUndefined();
