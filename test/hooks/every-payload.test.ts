// Black box: what the real client sent, and what nobody should ever send, into every built script.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { aHome } from "../support/a-home.ts";
import { cleanEnv, payload, type Ran, ROOT, runHook, runHookProcess } from "../support/run-built.ts";

const SCRIPTS = readdirSync(join(ROOT, "hooks")).map((name) => basename(name, ".ts"));
const PAYLOADS = readdirSync(join(ROOT, "test", "payloads")).map((name) => basename(name, ".json"));
const ERRORS = ".claude/swarm/errors.jsonl";

const asText = JSON.stringify;
const scriptOf = (event: string) => event.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

test("there is a payload for every event we listen to", () => {
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(126);
  const heard = new Set(PAYLOADS.map((name) => scriptOf(payload(name).hook_event_name)));
  expect(SCRIPTS.filter((script) => !heard.has(script))).toEqual([]);
});

/** Events we do not listen to must not hurt either, should a client ever send them here. */
const scriptFor = (name: string) => {
  const script = scriptOf(payload(name).hook_event_name);
  return SCRIPTS.includes(script) ? script : "config-change";
};
const isFine = ({ exitCode, stdout, reply }: Ran) =>
  exitCode === 0 && (stdout === "" || typeof reply === "object");

test("every real payload goes through without an error", () => {
  const home = aHome();
  const wrong = PAYLOADS.filter((name) => !isFine(runHook(home, scriptFor(name), asText(payload(name)))));
  expect(wrong).toEqual([]);
  expect(home.lines(ERRORS)).toEqual([]);
}, 60_000);

/** `npm run test:nodes` starts each of them: they differ in their body alone, which the test above runs. */
test("scripts answer a real payload as a process of their own", () => {
  const home = aHome();
  const wrong = ["session-start", "pre-tool-use", "stop"].filter((script) => {
    const name = PAYLOADS.find((one) => scriptFor(one) === script) ?? "";
    return !isFine(runHookProcess(home, script, asText(payload(name))));
  });
  const loaders = SCRIPTS.map((name) => readFileSync(join(ROOT, "plugin/dist/hooks", `${name}.cjs`), "utf8"));
  expect(new Set(loaders).size).toBe(1);
  expect(wrong).toEqual([]);
  expect(home.lines(ERRORS)).toEqual([]);
}, 60_000);

const BAD: [string, unknown][] = [
  ["nothing", ""],
  ["half an object", "{"],
  ["a list", "[]"],
  ["a number", "7"],
  ["null", "null"],
  ["wrong types", '{"session_id":7,"cwd":[]}'],
  ["invalid UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x22])],
];

test.each(SCRIPTS)("%s: bad input is silence, exit 0 and one line in the error log", (script) => {
  const home = aHome();
  for (const [what, input] of BAD) {
    const { exitCode, stdout, stderr } = runHook(home, script, input);
    expect({ what, exitCode, stdout, stderr }).toEqual({ what, exitCode: 0, stdout: "", stderr: "" });
  }
  expect(home.lines(ERRORS).length).toBe(BAD.length);
  expect(existsSync(home.path(".claude/swarm/sessions"))).toBe(false);
});

test.each(["session-start", "pre-tool-use", "stop"])("%s: an empty object is enough", (script) => {
  const home = aHome();
  expect(runHook(home, script, "{}")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(home.lines(ERRORS)).toEqual([]);
});

test("ten megabytes are read and answered", () => {
  const home = aHome();
  const ran = runHook(home, "post-tool-use", {
    tool_name: "Bash",
    tool_use_id: "t",
    tool_response: "x".repeat(10_000_000),
  });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect(home.lines(ERRORS)).toEqual([]);
});

test("a directory that vanished is no reason to fail", () => {
  const home = aHome();
  expect(runHook(home, "session-start", { cwd: home.path("gone"), source: "startup" }).stdout).toContain(
    "SESSION_ID=s-1",
  );
  mkdirSync(home.path("doomed"));
  const command = `rmdir ../doomed && exec '${process.execPath}' '${join(ROOT, "plugin/dist/hooks/session-start.cjs")}'`;
  const ran = spawnSync("sh", ["-c", command], {
    cwd: home.path("doomed"),
    env: cleanEnv(home),
    input: '{"session_id":"s-2"}',
  });
  expect(ran.status).toBe(0);
  expect(ran.stdout.toString()).toContain("SESSION_ID=s-2");
});

test("names in a payload never become paths outside our directory", () => {
  const home = aHome();
  const before = readdirSync(home.root).sort();
  for (const session_id of ["../../evil", "/etc/evil", "a\0b", "..", "x".repeat(300)])
    for (const script of ["session-start", "pre-tool-use", "stop", "session-end"])
      expect(runHook(home, script, { session_id }).exitCode).toBe(0);
  expect(readdirSync(home.root).sort()).toEqual([...before, ".claude"].sort());
  expect(readdirSync(home.path(".claude/swarm")).sort()).toEqual(["errors.jsonl", "fired", "upkeep"]);
});

test("no input at all is distinguished from half an event", () => {
  const home = aHome();
  runHook(home, "stop", "");
  runHook(home, "stop", '{"session_id":');
  expect(home.lines(ERRORS)).toMatchObject([
    { error: "no input: the client ended before it wrote the event" },
    { error: expect.stringContaining("JSON") },
  ]);
});

test("SWARM_DISABLE=all does nothing at all", () => {
  const home = aHome();
  const ran = runHook(home, "session-start", { source: "startup" }, { env: { SWARM_DISABLE: "all" } });
  expect(ran).toMatchObject({ exitCode: 0, stdout: "" });
  expect(home.has(".claude")).toBe(false);
});

test("without HOME the script still answers", () => {
  const home = aHome();
  const script = join(ROOT, "plugin/dist/hooks/session-start.cjs");
  const env = { PATH: process.env["PATH"] ?? "", CLAUDE_CONFIG_DIR: home.path(".claude") };
  const ran = spawnSync(process.execPath, [script], {
    env,
    cwd: home.project,
    input: '{"session_id":"s-1"}',
  });
  expect(ran.status).toBe(0);
  expect(ran.stdout.toString()).toContain("SESSION_ID=s-1");
});

test("a home that cannot be written: the session still learns who it is, nothing else happens", () => {
  const home = aHome();
  mkdirSync(home.path(".claude"));
  chmodSync(home.path(".claude"), 0o500);
  chmodSync(home.root, 0o755);
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  cpSync(join(ROOT, "plugin/dist"), home.path("dist"), { recursive: true }); // a copy that another user can read
  const script = home.path("dist/hooks/session-start.cjs");
  const input = JSON.stringify({ session_id: "s-1", cwd: home.project, source: "startup" });
  const ran = spawnSync(process.execPath, [script], { env: cleanEnv(home), cwd: "/", input, ...asNobody });
  expect(ran.status).toBe(0);
  expect(ran.stdout.toString()).toContain("SESSION_ID=s-1 (starting fresh)");
  expect(readdirSync(home.path(".claude"))).toEqual([]);
});

test("a feature switched off says nothing", () => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", "[features]\nannouncement = false");
  expect(runHook(home, "session-start", { source: "startup" }).stdout).toBe("");
  expect(home.has(".claude/swarm/sessions/s-1/session.json")).toBe(true);
});
