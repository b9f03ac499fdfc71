// The settings of agents that share a repository.
import { defineSettings } from "../core/settings-declaration.ts";

export const WORKTREE_KEYS = defineSettings({
  "worktrees.collisions": {
    kind: "choice",
    choices: ["notice", "ask", "deny"],
    default: "notice",
    reach: "project-tightens",
    tightens: "later-choice",
    about: "a write to a file that another live agent has changed since this one read it",
  },
  "worktrees.shared_checkout": {
    kind: "choice",
    choices: ["off", "ask", "deny"],
    default: "deny",
    reach: "project-tightens",
    tightens: "later-choice",
    about: "git commands that would take or move another live agent's uncommitted work",
  },
  "worktrees.runs": {
    kind: "list",
    default: [
      "{npm,pnpm,yarn,bun} {test,t,build,lint,check,typecheck}",
      "{npm,pnpm,yarn,bun} {run,run-script} {test,build,lint,check,typecheck,verify,ci}*",
      "{vitest,jest,mocha,ava,playwright,cypress,tsc,eslint,biome,bats}",
      "node --test",
      "deno {test,check,lint}",
      "{pytest,py.test,tox,nox,mypy,ruff}",
      "python* -m {pytest,unittest,mypy}",
      "cargo {test,build,check,clippy,nextest}",
      "go {test,build,vet}",
      "{make,gmake,ninja,just,ctest,bazel,xcodebuild}",
      "cmake --build",
      "{mvn,mvnw,gradle,gradlew} {test,verify,package,install,build,check}*",
      "{dotnet,swift,mix} {test,build,compile}",
      "{rspec,rake,phpunit}",
    ],
    reach: "project-tightens",
    tightens: "adds",
    about: "commands that are test or build runs, word by word with `*` and `{a,b}`; a project's are added",
  },
});
