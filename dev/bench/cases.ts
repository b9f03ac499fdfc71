// What is measured: each built hook as the client runs it, and the same jobs done another way.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boardCase } from "./board.ts";

export const ROOT = join(import.meta.dirname ?? __dirname, "..", "..");

export interface Case {
  name: string;
  /** What it is compared with in the table's second part. */
  job?: string;
  argv: string[];
  input: string;
  env?: Record<string, string>;
  /** Highest ratio to an empty script, where there is a target. */
  target?: number;
  /** Milliseconds of its own beyond that. */
  extraMs?: number;
}

const flags = (event: string): string[] => {
  const { hooks } = JSON.parse(readFileSync(join(ROOT, "hooks.json"), "utf8"));
  return hooks[event][0].hooks[0].args.slice(0, -1);
};
const script = (event: string) => event.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

export function hookCase(
  home: string,
  event: string,
  name: string,
  payload: object,
  extra: Partial<Case> = {},
): Case {
  const input = {
    session_id: "bench-1",
    cwd: join(home, "project"),
    hook_event_name: event,
    transcript_path: "",
    ...payload,
  };
  return {
    name,
    argv: [process.execPath, ...flags(event), join(ROOT, "dist", "hooks", `${script(event)}.cjs`)],
    input: `${JSON.stringify(input)}\n`,
    ...extra,
  };
}

export function makeHomes(root: string): { quiet: string; team: string } {
  const quiet = join(root, "quiet");
  const team = join(root, "team");
  for (const home of [quiet, team]) mkdirSync(join(home, "project"), { recursive: true });
  writeFileSync(
    join(team, "project", ".atm.toml"),
    '[core]\ndefault_team = "bench"\nidentity = "team-lead"\n',
  );
  const members = Array.from({ length: 8 }, (_, n) => ({
    name: `m${n}`,
    agentId: `m${n}@bench`,
    model: "m",
    status: "active",
  }));
  mkdirSync(join(team, ".claude", "teams", "bench", "inboxes"), { recursive: true });
  writeFileSync(
    join(team, ".claude", "teams", "bench", "config.json"),
    JSON.stringify({ name: "bench", leadSessionId: "bench-1", members }),
  );
  writeFileSync(join(team, ".claude", "teams", "bench", "inboxes", "team-lead.json"), "[]");
  return { quiet, team };
}

export function cases(root: string): Case[] {
  const { quiet, team } = makeHomes(root);
  const empty = join(root, "empty.cjs");
  writeFileSync(empty, "");
  const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command }, tool_use_id: "t" });
  const read = {
    tool_name: "Read",
    tool_input: { file_path: join(quiet, "project", "x") },
    tool_use_id: "t",
  };
  return [
    { name: "empty node script", argv: [process.execPath, empty], input: "{}\n" },
    hookCase(quiet, "PreToolUse", "PreToolUse, not concerned (Read, no team)", read, { target: 0.95 }),
    hookCase(team, "PreToolUse", "PreToolUse, typical (Read, settings, team)", read, {
      target: 1.1,
      env: { HOME: team },
    }),
    hookCase(quiet, "PreToolUse", "PreToolUse, guarded Bash", bash("npm test -- --run && git status"), {
      target: 1.25,
    }),
    hookCase(
      team,
      "PostToolUse",
      "PostToolUse (async)",
      { ...read, tool_response: {} },
      { target: 1.25, env: { HOME: team } },
    ),
    hookCase(
      team,
      "UserPromptSubmit",
      "UserPromptSubmit, team and mail check",
      { prompt: "go on" },
      { target: 1.25, env: { HOME: team } },
    ),
    hookCase(
      team,
      "Stop",
      "Stop, team and mail check",
      { last_assistant_message: "done" },
      { target: 1.25, env: { HOME: team } },
    ),
    hookCase(
      team,
      "SubagentStart",
      "SubagentStart",
      { agent_id: "a1", agent_type: "Explore" },
      { target: 1.6, env: { HOME: team } },
    ),
    hookCase(
      team,
      "SessionStart",
      "SessionStart, full team",
      { source: "startup" },
      { target: 1.6, job: "announce", env: { HOME: team } },
    ),
    hookCase(team, "SessionEnd", "SessionEnd", { reason: "clear" }, { target: 1.6, env: { HOME: team } }),
    boardCase(root),
    ...others(root),
  ];
}

/** The announcement of seed 000 as people write it without us: written for this comparison, no more than it needs. */
function others(root: string): Case[] {
  const sh = join(root, "announce.sh");
  const py = join(root, "announce.py");
  writeFileSync(
    sh,
    `input=$(cat)
id=$(printf '%s' "$input" | jq -r .session_id)
src=$(printf '%s' "$input" | jq -r .source)
cwd=$(printf '%s' "$input" | jq -r .cwd)
echo "SESSION_ID=$id ($([ "$src" = compact ] && echo returning from compact || echo starting fresh))"
[ -f "$cwd/.atm.toml" ] && sed -n 's/^default_team = "\\(.*\\)"/ATM team: \\1/p' "$cwd/.atm.toml"
mkdir -p "$HOME/.claude/swarm/sessions"
printf '%s' "$input" | jq '{session: .session_id, state: "active"}' > "$HOME/.claude/swarm/sessions/$id.tmp"
mv "$HOME/.claude/swarm/sessions/$id.tmp" "$HOME/.claude/swarm/sessions/$id.sh.json"
`,
  );
  writeFileSync(
    py,
    `import json, os, pathlib, re, sys
p = json.load(sys.stdin)
print("SESSION_ID=%s (%s)" % (p["session_id"], "returning from compact" if p["source"] == "compact" else "starting fresh"))
toml = pathlib.Path(p["cwd"], ".atm.toml")
if toml.exists():
    m = re.search(r'default_team = "(.*)"', toml.read_text())
    if m: print("ATM team:", m.group(1))
d = pathlib.Path(os.environ["HOME"], ".claude/swarm/sessions"); d.mkdir(parents=True, exist_ok=True)
t = d / "t.tmp"; t.write_text(json.dumps({"session": p["session_id"], "state": "active"})); t.rename(d / "x.py.json")
`,
  );
  const team = join(root, "team");
  const input = JSON.stringify({ session_id: "bench-1", cwd: join(team, "project"), source: "startup" });
  const env = { HOME: team };
  const tsx = join(ROOT, "node_modules", ".bin", "tsx");
  return [
    { name: "the announcement alone in bash + jq", job: "announce", argv: ["bash", sh], input, env },
    { name: "the announcement alone in Python", job: "announce", argv: ["python3", py], input, env },
    ...(existsSync(tsx)
      ? [
          {
            name: "our SessionStart through tsx, unbundled",
            job: "announce",
            argv: [tsx, join(ROOT, "hooks", "session-start.ts")],
            input,
            env,
          },
        ]
      : []),
  ];
}
