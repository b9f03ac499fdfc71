// Where the claims of a repository are. Apart from the rest: every write in a shared repository asks whether there are any.
import { existsSync } from "node:fs";
import type { Paths } from "../../core/paths.ts";
import { repositoryPath, type Tree } from "./repository.ts";

export const claimsFile = (paths: Paths, tree: Pick<Tree, "common">): string =>
  repositoryPath(paths, tree, "claims.json");

export const hasClaims = (paths: Paths, tree: Pick<Tree, "common">): boolean =>
  existsSync(claimsFile(paths, tree));
