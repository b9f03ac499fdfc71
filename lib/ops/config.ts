// `swarm config`: the effective settings and where each comes from.

import { type Call, didYouMean, refused } from "../cli/command.ts";
import { allKeys, keyOf, unusedIn } from "../core/settings.ts";
import { plainLines } from "../core/text.ts";

export function configVerb({ words, loaded }: Call) {
  const wanted = words[0];
  if (wanted !== undefined && !keyOf(wanted)) {
    const names = allKeys().map(([name]) => name);
    throw refused(`there is no setting ${wanted}${didYouMean(wanted, names)}`, "swarm config lists them all");
  }
  const rows = allKeys()
    .filter(([name]) => wanted === undefined || name === wanted)
    .map(([name, key]) => ({
      name,
      value: key.shown ? key.shown(loaded.values[name]) : loaded.values[name],
      source: loaded.sources[name] ?? "default",
      ...(loaded.sources[name] === undefined && key.defaultApplies ? { applies: key.defaultApplies } : {}),
      ...(name in loaded.projectAsks ? { project: loaded.projectAsks[name] } : {}),
      reach: key.reach ?? "person",
      about: key.about,
    }));
  const { personFile: person, projectFile: project } = loaded;
  const lines = rows.map((row) => {
    const more = row.project === undefined ? "" : `, and the project's ${shown(row.project)}`;
    const where = row.applies === undefined ? "" : `, ${row.applies}`;
    return `${row.name} = ${shown(row.value)}  (${row.source}${where}${more})  ${row.about}`;
  });
  const files = [`person:  ${person}`, `project: ${project ?? "no .atm.toml here"}`];
  const problems = unusedIn(loaded);
  const wrong = problems.length > 0 ? ["", ...problems.map((problem) => `! ${problem}`)] : [];
  return {
    text: plainLines([...files, "", ...lines, ...wrong]),
    data: { files: { person, project }, settings: rows, problems },
  };
}

const shown = (value: unknown) => (value === undefined ? "unset" : JSON.stringify(value));
