// Emptying source files: `truncate -s 0 *.ts`, `sed -i d src/*`, `> src/index.ts`.
import { locationOf } from "../locations.ts";
import { baseName, isGlob } from "../paths.ts";
import { locate } from "../shell/file-effects.ts";
import { hasUnknown, report, type Shell, SOME_NAME } from "../shell/state.ts";

const SOURCE =
  /\.(tsx?|jsx?|[cm][jt]s|py|pyi|rs|go|c|h|cc|cpp|hpp|cs|java|kt|scala|swift|rb|php|ex|exs|css|scss|html|vue|svelte|sql|proto|sh|ya?ml|toml|json|md|ipynb)$|^(Makefile|Dockerfile)$/;

const isMany = (path: string) => isGlob(path) || path.includes(SOME_NAME);

/** Many files at once, or one source file of the project that exists. */
export function emptyFiles(paths: readonly string[], shell: Shell): void {
  const { situation } = shell.run;
  const lost = paths.find((path) => {
    const target = locate(path, shell);
    if (target.remote || locationOf(target.path, situation, false) !== "inside") return false;
    const isSource = SOURCE.test(baseName(target.path));
    if (isMany(path)) return isSource || !/\.(log|tmp|out)$/.test(path);
    return isSource && !hasUnknown(target.path) && situation.probe.exists(target.path);
  });
  if (lost !== undefined) report(shell, "sources", locate(lost, shell).path);
}
