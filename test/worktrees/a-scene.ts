// Two agents who work in one checkout.
import { aRepository, type Repository } from "../support/a-repository.ts";
import { type Actor, anActor } from "../support/agents-in-a-checkout.ts";

export const FILES = {
  "a.ts": "a\n",
  "b.ts": "b\n",
  "src/c.ts": "c\n",
  "with space ü.ts": "x\n",
  "[id].ts": "y\n",
};

export interface Scene extends Repository {
  ada: Actor;
  bob: Actor;
}

/** ada and bob work in one checkout; bob has uncommitted files, one of them new. */
export function aScene(): Scene {
  const repository = aRepository(FILES);
  repository.git(["branch", "topic"]);
  const [ada, bob] = [anActor(repository, "ada"), anActor(repository, "bob")];
  ada.edit("a.ts");
  bob.edit("b.ts");
  bob.edit("new by bob.ts");
  return { ...repository, ada, bob };
}

/** The command between backticks behind "Take only your own:". */
export const spelledIn = ({ deny = "" }: { deny?: string }): string =>
  /Take only your own: `([^`]+)`/.exec(deny)?.[1] ?? `no command in: ${deny}`;
