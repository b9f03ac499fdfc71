// The rule of each pack; the rows of a pack say more exactly what a call does and what to do instead.
import type { Rule } from "../situation.ts";

/** What the source document does not name: a question where a person can answer in this session, a denial elsewhere. */
export const ASK = { attended: "ask", unattended: "deny" } as const;

export const PACK_RULES = {
  databases: {
    title: "Databases: dropping, truncating, unbounded deletes, migrations reset",
    verdict: ASK,
    why: "deletes data for good",
    instead: "look first what would go, and ask the user",
  },
  infrastructure: {
    title: "Infrastructure: destroying, deleting many, removing volumes, unpublishing",
    verdict: ASK,
    why: "destroys infrastructure that others may use",
    instead: "show the user what would go and let them run it",
  },
  sources: {
    title: "Emptying source files: truncate -s 0 *.ts, sed -i d src/*, > src/index.ts",
    verdict: ASK,
    why: "empties source files whose latest state may not be committed",
    instead: "commit first: `git commit -am wip`, or change the file with the Edit tool",
  },
  "remote-delete": {
    title: "Recursive deletes on another machine: ssh host 'rm -rf …'",
    verdict: ASK,
    why: "deletes a tree on another machine, where nothing brings it back",
    instead: "look with `ssh host 'ls -la /srv/app/releases'` and ask the user to delete it",
  },
  "git-global": {
    title: "Changing git's settings for every repository: git config --global",
    verdict: ASK,
    why: "changes the git settings of every repository of this user",
    instead: "set it for this repository only: `git config user.name`",
  },
  schedules: {
    title: "Deleting scheduled jobs: crontab -r",
    verdict: ASK,
    why: "deletes scheduled jobs",
    instead: "look with `crontab -l` and ask the user",
  },
  services: {
    title: "Stopping services: systemctl stop, brew services stop, pm2 kill",
    verdict: ASK,
    why: "stops a service that others may use",
    instead: "look with `systemctl status nginx` and ask the user to stop it",
  },
} as const satisfies Record<string, Rule>;
