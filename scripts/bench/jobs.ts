// What a person would otherwise have: the same jobs as small scripts, written for this comparison and no longer than they need
// to be. Ours is the whole hook each time, with everything else it does.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { teamHome } from "./homes.ts";
import { call, hook, ROOT } from "./hooks.ts";
import { type Case, programOf } from "./measure.ts";

interface Job {
  name: string;
  event: string;
  payload: object;
  bash: string;
  python: string;
}

const JOBS: Job[] = [
  {
    name: "announce the session",
    event: "SessionStart",
    payload: { source: "startup" },
    bash: `
id=$(jq -r .session_id <<< "$input"); src=$(jq -r .source <<< "$input"); cwd=$(jq -r .cwd <<< "$input")
echo "SESSION_ID=$id ($([ "$src" = compact ] && echo returning from compact || echo starting fresh))"
[ -f "$cwd/.atm.toml" ] && sed -n 's/^default_team = "\\(.*\\)"/ATM team: \\1/p' "$cwd/.atm.toml"
mkdir -p "$HOME/other"; jq '{session: .session_id, state: "active"}' <<< "$input" > "$HOME/other/$id.tmp"
mv "$HOME/other/$id.tmp" "$HOME/other/$id.json"`,
    python: `
fresh = "returning from compact" if p["source"] == "compact" else "starting fresh"
print("SESSION_ID=%s (%s)" % (p["session_id"], fresh))
toml = pathlib.Path(p["cwd"], ".atm.toml")
m = re.search(r'default_team = "(.*)"', toml.read_text()) if toml.exists() else None
if m: print("ATM team:", m.group(1))
d = home / "other"; d.mkdir(parents=True, exist_ok=True)
t = d / "t.tmp"; t.write_text(json.dumps({"session": p["session_id"], "state": "active"})); t.rename(d / "s.json")`,
  },
  {
    name: "deny `sudo` and `rm -rf /` by a pattern",
    event: "PreToolUse",
    payload: call("Bash", { command: "sudo true" }),
    bash: `
command=$(jq -r .tool_input.command <<< "$input")
if grep -Eq '(^|[;&| ])(sudo|rm -rf /)( |$)' <<< "$command"; then
  jq -n '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "no"}}'
fi`,
    python: `
if re.search(r'(^|[;&| ])(sudo|rm -rf /)( |$)', p["tool_input"]["command"]):
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
      "permissionDecisionReason": "no"}}))`,
  },
  {
    name: "show unread mail before stopping",
    event: "Stop",
    payload: { last_assistant_message: "done" },
    bash: `
inbox="$HOME/.claude/teams/bench/inboxes/team-lead.json"
if [ "$(jq '[.[] | select(.read == false)] | length' "$inbox")" -gt 0 ]; then
  jq -r '.[] | select(.read == false) | "\\(.from): \\(.text)"' "$inbox"
fi`,
    python: `
inbox = home / ".claude/teams/bench/inboxes/team-lead.json"
for m in json.loads(inbox.read_text()):
    if not m["read"]: print("%s: %s" % (m["from"], m["text"]))`,
  },
];

const PYTHON_HEAD = `import json, os, pathlib, re, sys
p = json.load(sys.stdin); home = pathlib.Path(os.environ["HOME"])`;

export function jobCases(root: string): { job: string; cases: Case[] }[] {
  const python = programOf("python3", ["-c", "import sys; print(sys.executable)"]);
  const jq = programOf("jq", ["--version"]);
  const tsx = join(ROOT, "node_modules", ".bin", "tsx");
  return JOBS.map((job, n) => {
    const ours = hook(teamHome(join(root, `job-${n}`)), job.event, "Swarm, the whole hook", 0, job.payload);
    const { input, env } = ours;
    const write = (file: string, text: string) => {
      writeFileSync(join(root, `${n}-${file}`), `${text}\n`);
      return join(root, `${n}-${file}`);
    };
    const cases: Case[] = [ours];
    if (jq) {
      const script = write("job.sh", `input=$(cat)${job.bash}`);
      cases.push({ name: `bash and ${jq}`, argv: ["bash", script], input, env });
    }
    if (python) {
      const script = write("job.py", `${PYTHON_HEAD}${job.python}`);
      cases.push({ name: "Python", argv: [python, script], input, env });
    }
    const source = join(ROOT, "hooks", `${(ours.argv.at(-1) ?? "").replace(/^.*[\\/]|\.cjs$/g, "")}.ts`);
    if (existsSync(tsx)) cases.push({ name: "Swarm's source by tsx", argv: [tsx, source], input, env });
    return { job: job.name, cases };
  });
}
