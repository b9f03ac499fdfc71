// What a team's lead was last told about each member's state, so that it is told once, whoever notices it first.

import { noticesPath, type Paths } from "../../core/paths.ts";
import { readJson } from "../../core/read-json.ts";
import { object, someText, tableOf } from "../../core/shape.ts";
import { updateJson } from "../../core/update-json.ts";

const shape = tableOf(object({ state: someText, sign: someText }));

export interface Notice {
  state: string;
  /** What the state is known by: the same sign is the same change. */
  sign: string;
}

const isSame = (a: Notice | undefined, b: Notice) => a?.state === b.state && a.sign === b.sign;

/** True for exactly one caller a member, state and sign. */
export function claimNotice(paths: Paths, team: string, member: string, notice: Notice): boolean {
  const path = noticesPath(paths, team);
  if (isSame(new Map(Object.entries(readJson(path, shape) ?? {})).get(member), notice)) return false;
  let isNew = false;
  updateJson(path, shape, (stored = {}) => {
    isNew = !isSame(new Map(Object.entries(stored)).get(member), notice);
    const { state, sign } = notice;
    return isNew ? { ...stored, [member]: { state, sign } } : undefined;
  });
  return isNew;
}
