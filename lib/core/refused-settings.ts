// Which refused settings of which project a person has been shown.

import { updateJson } from "./json.ts";
import { type Paths, refusedSettingsPath } from "./paths.ts";
import { someText, tableOf } from "./shape.ts";

const MOST_PROJECTS = 100;

/** True once for each project file and what is refused in it. */
export function isNewRefusal(paths: Paths, projectFile: string, refused: string): boolean {
  let isNew = false;
  updateJson(refusedSettingsPath(paths), tableOf(someText), (stored = {}) => {
    isNew = stored[projectFile] !== refused;
    if (!isNew) return undefined;
    const others = Object.entries(stored).filter(([path]) => path !== projectFile);
    return Object.fromEntries([...others.slice(1 - MOST_PROJECTS), [projectFile, refused]]);
  });
  return isNew;
}
