// What a machine does when it leaves a team. Its courier does it too: what that had under way may have brought something back.
import type { Paths } from "../core/paths.ts";
import { isRemote, readTeam, updateTeam } from "../teams/store/config.ts";
import { localMembers } from "./addresses.ts";
import { type Engine, readAll } from "./engine.ts";
import { ownOn, seenIn } from "./mirror.ts";
import { KEYS } from "./names.ts";
import { LEFT } from "./wire.ts";

/** For the other machines: also who was a member here only when the courier last ran. */
export async function farewell(engine: Engine, paths: Paths): Promise<void> {
  const { kv, team, machine } = engine;
  const seen = seenIn((await readAll(engine)).changes);
  const here = localMembers(readTeam(paths, team)).map(({ name }) => name);
  for (const agent of new Set([...here, ...ownOn(seen, machine)]))
    await kv.put(KEYS.member({ machine, agent }), LEFT);
  await kv.put(KEYS.machine(machine), LEFT);
}

/** Before the relay's files: until those are gone the machine can leave again. */
export function forgetOthers(paths: Paths, team: string): void {
  if (readTeam(paths, team)?.members.some(isRemote))
    updateTeam(paths, team, (stored) => ({
      ...stored,
      members: stored.members.filter((one) => !isRemote(one)),
    }));
}
