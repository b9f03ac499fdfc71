// Which refused settings of which project a person has been told about.
import { someText, tableOf } from "../parse/shape.ts";
import { type Places, refusedSettingsPath } from "./paths.ts";
import { updateJson } from "./update-json.ts";

const MOST_PROJECTS = 100;

/** True once for each project file and what is refused in it. */
export function isNewRefusal(places: Places, projectFile: string, refused: string): boolean {
  let isNew = false;
  updateJson(refusedSettingsPath(places), tableOf(someText), (stored = {}) => {
    isNew = stored[projectFile] !== refused;
    if (!isNew) return undefined;
    const others = Object.entries(stored).filter(([path]) => path !== projectFile);
    return Object.fromEntries([...others.slice(1 - MOST_PROJECTS), [projectFile, refused]]);
  });
  return isNew;
}
