// One stand-in for a client: a process of its own, as hooks identify a session by its client. Starts what hooks.json says at each
// event, waits where the client waits, and ends a hook at the client's limit. argv: a JSON file (`SessionJob` in crowd.ts). It waits
// for a line on stdin, and writes one JSON line for each process that ended.
const { spawn } = require("node:child_process");
const { readFileSync, writeSync } = require("node:fs");
const { join } = require("node:path");

const job = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { hooks } = JSON.parse(readFileSync(job.hooks, "utf8"));
/** The client gives all hooks of a session's end 1.5 s together, whatever hooks.json says, and what is still there dies with it. */
const END_LIMIT_MS = 1_500;
const CLIENT_GONE_MS = 1_400;
/** In one of so many sessions the tests are run, after which the tree is looked at by git. */
const RUNS_TESTS = 4;

const pending = new Set();

function run(name, program, args, { input = "", limitMs, env, words, tool } = {}) {
  const id = session();
  const began = Date.now();
  const from = performance.now();
  const child = spawn(program, args, { env: { ...job.env, ...env }, cwd: job.project, stdio: "pipe" });
  let stdout = "";
  let stderr = "";
  let isCut = false;
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const timers = limitMs
    ? [
        setTimeout(() => child.kill("SIGTERM"), limitMs),
        setTimeout(() => (isCut = child.kill("SIGKILL")), limitMs + CLIENT_GONE_MS),
      ]
    : [];
  const done = new Promise((resolve) => {
    child.on("close", (code, signal) => {
      for (const timer of timers) clearTimeout(timer);
      const ms = performance.now() - from;
      const ran = {
        name,
        tool,
        agent: job.agent,
        session: id,
        words,
        began,
        ended: Date.now(),
        ms,
        code,
        isCut: isCut || signal !== null,
        stdout,
        stderr,
      };
      writeSync(1, `${JSON.stringify(ran)}\n`);
      resolve(ran);
    });
  });
  pending.add(done);
  void done.then(() => pending.delete(done));
  return done;
}

const empty = () => run("empty script", process.execPath, [job.empty], { input: "{}" });
const swarm = (...words) =>
  run(`swarm ${words[0]}`, process.execPath, [join(job.plugin, "bin", "swarm"), ...words], {
    env: { CLAUDE_CODE_SESSION_ID: session() },
    words,
  });

let cycle = 0;
const session = () => `${job.agent}-${job.phase}-${cycle}`;

function isMeant(matcher, tool) {
  return matcher === undefined || tool === undefined || new RegExp(`^(?:${matcher})`).test(tool);
}

/** Resolves when the entries that the client waits for have ended; the others go on. */
function event(name, fields) {
  const payload = {
    hook_event_name: name,
    session_id: session(),
    transcript_path: job.transcript,
    cwd: job.project,
    permission_mode: "default",
    ...fields,
  };
  const waited = [];
  for (const block of hooks[name].filter(({ matcher }) => isMeant(matcher, fields.tool_name)))
    for (const { args, timeout, async: isBeside } of block.hooks) {
      const words = args.map((arg) => arg.replace("${CLAUDE_PLUGIN_ROOT}", job.plugin));
      const entry = words.at(-1).endsWith(".cjs") ? "" : ` (${words.at(-1)})`;
      const limitMs = name === "SessionEnd" ? END_LIMIT_MS : timeout * 1000;
      const ran = run(`${name}${entry}${isBeside ? ", beside the turn" : ""}`, process.execPath, words, {
        input: JSON.stringify(payload),
        limitMs,
        tool: fields.tool_name,
      });
      if (!isBeside) waited.push(ran);
    }
  return Promise.all(waited);
}

async function tool(n, tool_name, tool_input, work) {
  const call = { tool_name, tool_input, tool_use_id: `toolu_${session()}_${n}` };
  const [before] = await event("PreToolUse", call);
  if (before?.stdout.includes('"deny"')) return;
  await work?.();
  await event("PostToolUse", { ...call, tool_response: {} });
}

async function turn() {
  await event("SessionStart", { source: "startup" });
  await empty();
  await event("UserPromptSubmit", { prompt: "go on" });
  await empty();
  const file = (name) => ({ file_path: join(job.project, "src", name) });
  await tool(1, "Read", file("shared.ts"));
  await empty();
  await tool(2, "Bash", {
    command: cycle % RUNS_TESTS === 0 ? "npm test -- --run && git status" : "ls src && git status",
  });
  const to = job.others[Math.floor(Math.random() * job.others.length)];
  const send = ["send", to, `${session()} to ${to}`];
  await tool(3, "Bash", { command: `swarm ${send.slice(0, 2).join(" ")} hello` }, () => swarm(...send));
  await empty();
  await tool(4, "Edit", file(`${job.agent}.ts`));
  await tool(5, "Grep", { pattern: "x" });
  await empty();
  let [stop] = await event("Stop", { last_assistant_message: `done ${session()}` });
  for (let again = 0; again < 3 && stop?.stdout.includes("additionalContext"); again++)
    [stop] = await event("Stop", { last_assistant_message: `done ${session()}`, stop_hook_active: true });
  await event("SessionEnd", { reason: "other" });
}

async function main() {
  await new Promise((resolve) => process.stdin.once("data", resolve));
  process.stdin.unref();
  await new Promise((resolve) => setTimeout(resolve, job.waitMs));
  const until = Date.now() + job.ms - job.waitMs;
  do {
    await turn();
    cycle++;
  } while (Date.now() < until);
  await Promise.all(pending);
}

void main();
