// Two agents in two trees of one repository, and the forecast of their merge.
import { renewForecast } from "../../lib/worktrees/forecast-news.ts";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import { aCheckout, type Checkout, checkoutAt } from "../support/a-checkout.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aTeam, TEAM } from "../support/a-team.ts";

export const BASE = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n" };

export interface Pair {
  home: Home;
  ada: Checkout;
  bob: Checkout;
  repository: Tree;
  forecast: (now?: Date) => ReturnType<typeof renewForecast>;
}

/** ada in the main checkout, bob in a worktree of it; both alive. */
export function aPair(files: Record<string, string> = BASE, { team = true, home = aHome() } = {}): Pair {
  const ada = aCheckout(home.project, files);
  ada.git("worktree", "add", "-q", "-b", "bob", home.path("bob's tree ü"));
  const bob = checkoutAt(home.path("bob's tree ü"));
  if (team) aTeam(home, ["team-lead", "ada", "bob"]);
  for (const [session, agent, tree] of [
    ["s-1", "ada", ada],
    ["s-2", "bob", bob],
  ] as const) {
    arrive(home, session, team ? agent : undefined, tree.path);
  }
  const repository = treeOf(ada.path) as Tree;
  const env = { PATH: process.env["PATH"], HOME: home.root };
  return {
    home,
    ada,
    bob,
    repository,
    forecast: (now = NOON) => renewForecast({ paths: home.paths, env, now }, repository),
  };
}

export function arrive(home: Home, session: string, agent: string | undefined, path: string) {
  home.write(`.claude/swarm/sessions/${session}/session.json`, {
    ...{ session, agent, team: agent && TEAM, state: "active", status: "working", pid: process.pid },
    ...{ startedAt: NOON.toISOString(), lastSeen: NOON.toISOString() },
  });
  writePresence(home.paths, treeOf(path) as Tree, { session }, NOON);
}

export const conflictsOf = ({ forecast }: ReturnType<typeof renewForecast>) =>
  forecast.conflicts.map(({ files }) => files.map(({ file }) => file));
