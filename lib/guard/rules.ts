// Every rule of the guard. `catastrophic` rules have no off switch. Commands in backticks inside `instead`
// pass the guard themselves; a test holds them to it.
import { ASK, PACK_RULES } from "./packs/rules.ts";
import type { Rule } from "./situation.ts";

const OWN_PID =
  'end only what you started, by its id: `kill $!`, `kill 12345`, or `kill "$(cat server.pid)"`';

/** What the source document names: denied everywhere. */
const DENY = { attended: "deny", unattended: "deny" } as const;

export const RULES = {
  "delete-root": {
    title: "Deleting the root or a system tree",
    verdict: DENY,
    catastrophic: true,
    why: "would delete the root directory or a system tree",
    instead: "name the one directory inside the project that should go, such as `rm -rf ./build`",
  },
  "delete-home": {
    title: "Deleting a home directory",
    verdict: DENY,
    catastrophic: true,
    why: "would delete a home directory or everything in it",
    instead: "name the one directory inside the project that should go, such as `rm -rf ./build`",
  },
  disk: {
    title: "Formatting, wiping or overwriting a disk",
    verdict: DENY,
    catastrophic: true,
    why: "writes to a disk device or its partitions",
    instead:
      "look with `lsblk` or `df -h` and leave the change to the user; an image file inside the project is fine",
  },
  "fork-bomb": {
    title: "Fork bombs",
    verdict: DENY,
    catastrophic: true,
    why: "starts copies of itself without end",
    instead: "start a known number of jobs: `for i in 1 2 3; do ./work.sh $i; done`",
  },
  "permissions-system": {
    title: "Changing permissions or owners of the root, a system tree or a home directory",
    verdict: DENY,
    catastrophic: true,
    why: "would change permissions or owners of a whole system or home tree",
    instead: "change one file of the project: `chmod 755 ./script.sh`",
  },
  elevate: {
    title: "Becoming another user: sudo, su, doas",
    verdict: DENY,
    why: "asks for another user's rights",
    instead: "run it without, install into the project or your home, or tell the user which command to run",
  },
  "kill-by-name": {
    title: "Killing processes by name: pkill, killall",
    verdict: DENY,
    why: "kills every process that happens to match, other agents and their servers included",
    instead: OWN_PID,
  },
  "kill-by-search": {
    title: "Killing everything a search lists: lsof | xargs kill",
    verdict: DENY,
    why: "kills whatever a search found, which may belong to another agent or to the user",
    instead: `look with \`lsof -i :3000\`, then ${OWN_PID}`,
  },
  "kill-found": {
    title: "Killing what a search for a process or port found: kill $(lsof -ti:3000), fuser -k",
    verdict: ASK,
    follows: "kill-by-search",
    why: "kills whatever a search found, which may belong to another agent or to the user",
    instead: `look with \`lsof -i :3000\`, then ${OWN_PID}`,
  },
  "kill-everything": {
    title: "Signalling every process or process 1",
    verdict: DENY,
    why: "signals every process of this user, or the first one",
    instead: OWN_PID,
  },
  "kill-agent": {
    title: "Ending another agent's process, pane or session",
    verdict: ASK,
    why: "would end or interrupt another agent or the client itself",
    instead: "send it a message and let it finish: `swarm send <agent> 'please stop after this task'`",
  },
  "protect-system": {
    title: "Writing to /etc and other system directories",
    verdict: DENY,
    why: "changes a file of the operating system",
    instead: "keep settings inside the project, or show the user the change to make",
  },
  "protect-shared": {
    title: "Writing to /usr/local and /var/log",
    verdict: ASK,
    follows: "protect-system",
    why: "changes files that every user of this machine shares",
    instead: "install into the project or your home, as in `npm install --prefix ./tools`",
  },
  "protect-keys": {
    title: "Writing SSH keys and SSH settings",
    verdict: DENY,
    why: "changes SSH keys or SSH settings",
    instead:
      "leave keys to the user; for a test, make one elsewhere: `ssh-keygen -t ed25519 -N '' -f /tmp/test-key`",
  },
  "protect-env": {
    title: "Writing .env files",
    verdict: DENY,
    why: "changes a .env file, which holds the user's secrets",
    instead: "write the key with an empty value to `.env.example` and tell the user what to fill in",
  },
  "create-env": {
    title: "Creating a .env file that does not exist",
    verdict: ASK,
    follows: "protect-env",
    why: "creates a .env file, which will hold the user's secrets",
    instead: "write the key with an empty value to `.env.example` and tell the user what to fill in",
  },
  "protect-credentials": {
    title: "Writing credential stores of other tools",
    verdict: ASK,
    why: "changes stored credentials",
    instead: "tell the user which login or setting is needed",
  },
  "protect-git": {
    title: "Writing into .git",
    verdict: ASK,
    why: "changes git's own files behind git's back",
    instead:
      "use the git command for it, such as `git config user.name`, `git switch -c topic` or `git commit`",
  },
  "protect-swarm": {
    title: "Writing Swarm's settings: `.atm.toml` and the person's own file",
    verdict: ASK,
    why: "changes the settings that only the person should change",
    instead: "tell the user which setting you would like and why",
  },
  "protect-client": {
    title: "Writing the client's settings, hooks and plugins, the project's and the person's",
    verdict: ASK,
    why: "changes the client's settings, hooks or plugins, which decide what agents may do",
    instead: "tell the user what to change and why",
  },
  "protect-startup": {
    title: "Writing shell start-up files: .bashrc, .zshrc, .profile and the like",
    verdict: ASK,
    why: "changes what runs at the start of every shell of the user",
    instead: "set it for one command, as in `PATH=$PATH:./bin ./run.sh`, or tell the user which line to add",
  },
  "git-hooks": {
    title: "Changing where git finds hooks: core.hooksPath, the person's git configuration",
    verdict: ASK,
    why: "changes git's configuration so that other programs may run at git commands",
    instead: "tell the user which setting you would like, and why",
  },
  "protect-custom": {
    title: "Writing to paths listed in guard.protect",
    verdict: DENY,
    why: "changes a path that the settings protect",
    instead: "write elsewhere, or ask the user",
  },
  "delete-project": {
    title: "Deleting the whole project or its git history",
    verdict: ASK,
    why: "would delete the whole project, its history or a directory above it",
    instead:
      "name what should go: `rm -rf ./dist ./node_modules`; for untracked files look first: `git clean -nd`",
  },
  "delete-outside": {
    title: "Recursive deletes outside the project and temporary directories",
    verdict: ASK,
    why: "deletes a whole tree outside the project",
    instead: "stay inside the project or a directory made by `mktemp -d`, or ask the user to delete it",
  },
  "delete-unknown": {
    title: "Recursive deletes whose target cannot be known",
    verdict: ASK,
    why: "deletes a tree whose path cannot be known before it runs",
    instead: 'write the path out, or stop on an empty variable: `rm -rf "${BUILD_DIR:?}/out"`',
  },
  "git-discard": {
    title: "Discarding uncommitted work: reset --hard, checkout --, restore",
    verdict: ASK,
    why: "throws away uncommitted work that cannot be brought back",
    instead: "put it aside with `git stash push -u -m wip`, or commit it on a branch: `git switch -c wip`",
  },
  "git-clean": {
    title: "git clean -f",
    verdict: ASK,
    why: "deletes untracked files that git cannot bring back",
    instead: "look with `git clean -nd`, then remove what you made by name, such as `rm -rf ./tmp-output`",
  },
  "git-force-push": {
    title: "Force push without a lease",
    verdict: ASK,
    why: "overwrites commits on the remote that others may have pushed",
    instead: "use `git push --force-with-lease origin topic`",
  },
  "git-delete-remote": {
    title: "Deleting remote branches, tags or repositories",
    verdict: ASK,
    why: "deletes a branch, tag or repository for everyone",
    instead: "ask the user to delete it",
  },
  "git-delete-branch": {
    title: "Deleting a branch that may not be merged: branch -D",
    verdict: ASK,
    why: "deletes a branch even if its commits are nowhere else",
    instead: "use `git branch -d topic`, which refuses when work would be lost",
  },
  "git-stash-drop": {
    title: "Dropping stashed work",
    verdict: ASK,
    why: "deletes stashed work",
    instead: "keep it; `git stash list` shows what is there and `git stash pop` brings it back",
  },
  "git-rewrite": {
    title: "Rewriting or pruning history: filter-branch, reflog expire, gc --prune=now",
    verdict: ASK,
    why: "rewrites history or removes the means to recover it",
    instead: "add a commit that undoes the change: `git revert HEAD`",
  },
  ...PACK_RULES,
  power: {
    title: "Shutting down, restarting or suspending the machine",
    verdict: ASK,
    why: "stops the machine everyone works on",
    instead: "tell the user that a restart is needed",
  },
  "remote-code": {
    title: "Running code straight from the network",
    verdict: ASK,
    why: "runs code from the network that nobody has read",
    instead:
      "save it with `curl -fsSL https://example.com/install.sh -o /tmp/install.sh`, read it, then run it in a call of its own",
  },
  "encoded-payload": {
    title: "Running decoded or scrambled text as code",
    verdict: ASK,
    why: "runs text as code that cannot be read in the command",
    instead: "write the command in plain text",
  },
  "permissions-open": {
    title: "Opening permissions to everyone, setuid bits",
    verdict: ASK,
    why: "opens files to every user, locks a whole tree, or gives a program its owner's rights",
    instead: "give only what is needed: `chmod 755 ./script.sh` or `chmod -R u+rwX ./storage`",
  },
  "hide-traces": {
    title: "Erasing the shell history",
    verdict: ASK,
    why: "erases the record of what was run",
    instead: "leave the history as it is",
  },
  "hidden-command": {
    title: "A command name that cannot be known, with dangerous arguments",
    verdict: ASK,
    why: "hides which program runs, while its arguments would be dangerous",
    instead: "write the program's name out",
  },
  unverifiable: {
    title: "Commands too long, too deep or too slow to check",
    verdict: DENY,
    why: "could not be verified",
    instead: "split it into smaller commands, or put long text into a file with the Write tool",
  },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof RULES;
export const ruleOf = (id: RuleId): Rule => RULES[id];
export const isCatastrophic = (id: RuleId) => ruleOf(id).catastrophic === true;
