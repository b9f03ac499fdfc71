// The settings of sessions: who works in a project, and the colour of a pane.
import { defineSettings } from "../core/settings-declaration.ts";

export const SESSION_KEYS = defineSettings({
  "core.default_team": {
    kind: "text",
    reach: "project",
    about:
      "the team of this project: announced, named in lifecycle events, required of spawns with `team_name`",
  },
  "core.identity": {
    kind: "text",
    reach: "project",
    about: "the agent named in lifecycle events when nothing else names one; gives no mailbox and no rights",
  },
  "core.welcome-message": {
    kind: "text",
    reach: "project",
    about: "shown at each session start after `Welcome: `",
  },
  "display.pane_color": {
    kind: "choice",
    default: "team",
    choices: ["team", "always", "off"],
    about: "whose tmux panes show the status: those of teams, all, none",
  },
  "display.pane_style": {
    kind: "choice",
    default: "border",
    choices: ["border", "background"],
    about: "where: as text on the pane's border, or as background colour",
  },
});
