// One team's part of this machine.
import type { Places } from "../store/paths.ts";

export interface Here {
  places: Places;
  team: string;
  machine: string;
  secret: string;
  /** The setting `mail.keep_read`. */
  keepRead: number;
}
