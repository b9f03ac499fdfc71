// `swarm demo`: the plugin at work with nothing installed but node. Each step runs the same script the client would run.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Call } from "../../cli/command.ts";
import { hasCode, writeWhole } from "../../core/files.ts";
import { sleepSync } from "../../core/process.ts";
import { shortened, toText } from "../../core/text.ts";
import { print } from "../../hook/environment.ts";
import type { DEMO_FLAGS } from "../commands.ts";
import { STORY, type Step, type Who } from "./story.ts";

interface Stage extends Pick<Call, "path" | "ownRoot"> {
  home: string;
  project: string;
  /** Stand-ins for the three client processes, since liveness is decided by the process. */
  clients: Record<Who, ChildProcess>;
}

type Show = (text: string) => void;

export function demo(
  call: Call<typeof DEMO_FLAGS>,
  story: readonly (string | Step)[] = STORY,
  tell: Show = (text) => print(1, text),
) {
  const { path, ownRoot } = call;
  const show = call.flags.json ? () => {} : tell;
  const home = mkdtempSync(join(call.paths.tmp, "swarm-demo-"));
  const project = join(home, "project");
  const clients = { lead: aClient(), alice: aClient(), bob: aClient() };
  mkdirSync(project);
  show(`A day with Swarm, in ${home}: real hook scripts, a home of their own.\n`);
  let [steps, failed] = [0, 0];
  for (const scene of story)
    if (typeof scene === "string") show(`\n${scene}\n`);
    else {
      steps++;
      if (!play(scene, { home, project, path, ownRoot, clients }, show)) failed++;
    }
  for (const client of Object.values(clients)) client.kill();
  if (!call.flags.keep) removeHome(home);
  const text =
    failed > 0 ? `\n${failed} steps did not end as they should.` : `\n${steps} steps, all as they should be.`;
  return { text, data: { steps, failed }, exitCode: failed > 0 ? 1 : 0 };
}

const TRIES = 20;
const PAUSE_MS = 100;

/** A helper that the last hook has started may still be writing there. Node's own retries do not look for new files. */
function removeHome(home: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      rmSync(home, { recursive: true });
      return;
    } catch (error) {
      if (attempt === TRIES || !hasCode(error, "ENOTEMPTY")) throw error;
      sleepSync(PAUSE_MS);
    }
  }
}

const aClient = () => spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });

/** True when the step's script ended with the exit code the story tells. */
function play(step: Step, stage: Stage, show: Show): boolean {
  for (const [name, text] of Object.entries(step.files ?? {})) writeWhole(join(stage.home, name), text);
  const before = performance.now();
  const ran = run(step, stage);
  const ms = `${(performance.now() - before).toFixed(0)} ms`;
  show(`\n  ${step.who.padEnd(6)} ${title(step)}  ${ms}\n`);
  if (step.hook) show(`    in:  ${shownInput(step.input ?? {})}\n`);
  for (const line of shownOutput(ran)) show(`    out: ${line}\n`);
  return ran.status === (step.exitCode ?? 0);
}

const title = ({ hook, verb }: Step) =>
  hook ?? `$ swarm ${(verb ?? []).map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(" ")}`;

function run({ who, hook, input, verb = [] }: Step, { ownRoot, home, project, path, clients }: Stage) {
  const session = `${who}-session`;
  const script = hook ? join(ownRoot, "dist", "hooks", `${fileOf(hook)}.cjs`) : join(ownRoot, "bin", "swarm");
  const payload = { session_id: session, cwd: project, hook_event_name: hook, ...input };
  return spawnSync(process.execPath, [script, ...verb], {
    input: hook ? JSON.stringify(payload) : "",
    cwd: project,
    env: {
      // The lead is known by its session once it has created the team; teammates by the variables set for them.
      ...(who === "lead" ? {} : { ...TEAMMATE, CLAUDE_CODE_AGENT_NAME: who }),
      CLAUDE_CODE_SESSION_ID: session,
      CLAUDE_PID: String(clients[who].pid),
      CLAUDE_PROJECT_DIR: project,
      PATH: path,
      HOME: home,
      TMPDIR: home,
    },
    encoding: "utf8",
  });
}

const fileOf = (event: string) => event.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

const TEAMMATE = { CLAUDE_CODE_TEAM_NAME: "harbour", CLAUDE_CODE_AGENT_TYPE: "developer" };

// A hook's input and output for a reader: the fields that matter, not the JSON around them.
const LONGEST_VALUE = 100;

function shownInput(input: Record<string, unknown>): string {
  return Object.entries(input)
    .map(([name, value]) => shortened(`${name}=${toText(value)}`, LONGEST_VALUE))
    .join("  ");
}

function shownOutput({ stdout, stderr, status }: ReturnType<typeof run>): string[] {
  const said = outcomes(stdout);
  if (status === 0) return said.length > 0 ? said : ["(no output)"];
  // A loud denial says the same on stderr.
  return [...said, `exit code ${status}`, ...(said.length > 0 ? [] : stderr.trim().split("\n"))];
}

function outcomes(stdout: string): string[] {
  if (stdout.trim() === "") return [];
  if (!stdout.startsWith("{")) return stdout.trimEnd().split("\n");
  const { hookSpecificOutput: own = {}, decision, reason, systemMessage } = JSON.parse(stdout);
  return [
    ...(own.permissionDecision ? [`${own.permissionDecision}: ${own.permissionDecisionReason}`] : []),
    ...(decision ? [`${decision}: ${reason}`] : []),
    ...(own.additionalContext ? [own.additionalContext] : []),
    ...(own.watchPaths ? [`watches ${own.watchPaths.join(", ")}`] : []),
    ...(systemMessage ? [`to the person: ${systemMessage}`] : []),
  ].flatMap((text: string) => text.split("\n"));
}
