// The client's own teams (`session-<8 hex>`): read, never written.
import { existsSync, readdirSync } from "node:fs";
import { readForeignJson } from "../../core/json.ts";
import { type Paths, teamConfigPath, teamsDir } from "../../core/paths.ts";
import {
  later,
  listOf,
  maybe,
  maybeFlag,
  maybeText,
  object,
  someNumber,
  someText,
} from "../../core/shape.ts";
import { argvOf } from "../../system/processes.ts";

export const isNative = (team: string): boolean =>
  team.startsWith("session-") && team.length === 16 && /^[0-9a-f]+$/.test(team.slice("session-".length));

const shape = later(() =>
  object({
    name: someText,
    leadSessionId: maybeText,
    leadProcess: maybe(object({ pid: someNumber, procStart: maybeText })),
    members: listOf(
      object({
        name: someText,
        agentId: maybeText,
        agentType: maybeText,
        model: maybeText,
        tmuxPaneId: maybeText,
        backendType: maybeText,
        isActive: maybeFlag,
      }),
    ),
  }),
);
export type NativeTeam = ReturnType<typeof shape>;

export function readNativeTeams(paths: Paths): NativeTeam[] {
  return nativeTeamNames(paths).flatMap((team) => readForeignJson(teamConfigPath(paths, team), shape) ?? []);
}

function nativeTeamNames(paths: Paths): string[] {
  const directory = teamsDir(paths);
  return existsSync(directory) ? readdirSync(directory).filter(isNative) : [];
}

export interface NativeMember {
  team: string;
  agent: string;
  isLead: boolean;
  kind: "lead" | "pane";
  by: "process" | "pane" | "lead";
}

/** A pane teammate's client is started with its name and team; the pane alone is weaker, since every tmux server counts from %0. */
export function findNativeMember(
  paths: Paths,
  who: { session: string; clientPid: number; pane: string | undefined },
): NativeMember | undefined {
  const argv = argvOf(who.clientPid);
  const agent = optionOf(argv, "--agent-name");
  const team = optionOf(argv, "--team-name");
  if (agent && team && isNative(team)) return { team, agent, isLead: false, kind: "pane", by: "process" };
  const teams = readNativeTeams(paths);
  const led = teams.find(
    (one) => one.leadSessionId === who.session || one.leadProcess?.pid === who.clientPid,
  );
  if (led) return { team: led.name, agent: "team-lead", isLead: true, kind: "lead", by: "lead" };
  return who.pane && argv.length === 0 ? inPane(teams, who.pane) : undefined;
}

function inPane(teams: NativeTeam[], pane: string): NativeMember | undefined {
  for (const { name, members } of teams) {
    const member = members.find((one) => one.backendType === "tmux" && one.tmuxPaneId === pane);
    if (member) return { team: name, agent: member.name, isLead: false, kind: "pane", by: "pane" };
  }
  return undefined;
}

function optionOf(argv: string[], name: string): string | undefined {
  const at = argv.indexOf(name);
  return at < 0 ? undefined : argv[at + 1];
}
