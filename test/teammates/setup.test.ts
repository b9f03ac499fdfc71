// `swarm setup`: allow rules in the person's settings, and a launcher on the PATH that survives an update.
import { spawnSync } from "node:child_process";
import { chmodSync, statSync, truncateSync } from "node:fs";
import { expect, test } from "vitest";
import { ALLOW_RULES, terminalProgram } from "../../lib/teammates/store/setup.ts";
import { aHome } from "../support/a-home.ts";
import { callSwarm } from "../support/call-swarm.ts";

const SETTINGS = ".claude/settings.json";
const OWN =
  '{\n  // mine\n  "model": "opus",\n  "permissions": { "deny": ["Read(./.env)"], "allow": ["Bash(ls:*)"] }\n}\n';

test("permissions: the rules are added beside the person's own, and taken out again", async () => {
  const home = aHome();
  home.write(SETTINGS, OWN);
  const added = await callSwarm(home, ["setup", "permissions"]);
  expect(added.stdout).toContain(
    `added ${ALLOW_RULES.length} rules to permissions.allow in ${home.path(SETTINGS)}`,
  );
  const { permissions } = JSON.parse(home.read(SETTINGS).replace("// mine", ""));
  expect(permissions).toEqual({ deny: ["Read(./.env)"], allow: ["Bash(ls:*)", ...ALLOW_RULES] });
  expect(home.read(SETTINGS)).toContain("// mine");
  expect((await callSwarm(home, ["setup", "permissions"])).stdout).toContain(
    "allows the harmless verbs already",
  );
  await callSwarm(home, ["setup", "permissions", "--remove"]);
  const left = JSON.parse(home.read(SETTINGS).replace("// mine", ""));
  expect(left).toEqual(JSON.parse(OWN.replace("// mine", "")));
});

test.each([["Bash(swarm:*)"], ["Bash"]])("permissions: %s allows every verb already", async (rule) => {
  const home = aHome();
  home.write(SETTINGS, { permissions: { allow: [rule] } });
  const { stdout } = await callSwarm(home, ["setup", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ missingRules: [] });
});

test("without a part it says what there is and what is missing", async () => {
  const home = aHome();
  const before = (await callSwarm(home, ["setup"], { env: { PATH: "/usr/bin" } })).stdout;
  expect(before).toContain("path         no `swarm` in a terminal");
  expect(before).toMatch(/permissions {2}the client asks before (\d+) of \1 harmless verbs/);
  await callSwarm(home, ["setup", "path"]);
  await callSwarm(home, ["setup", "permissions"]);
  const env = { PATH: `${home.path(".local/bin")}:/usr/bin` };
  expect((await callSwarm(home, ["setup"], { env })).stdout.trim()).toBe(
    `path         ${home.path(".local/bin/swarm")}\npermissions  the harmless verbs are allowed`,
  );
});

test.each([7, null, "x"])("permissions: %j instead of an object is left alone", async (permissions) => {
  const home = aHome();
  home.write(SETTINGS, { permissions });
  expect(await callSwarm(home, ["setup", "permissions"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("permissions must be an object"),
  });
  expect(home.json(SETTINGS)).toEqual({ permissions });
});

test("permissions: settings that are no JSON are left alone", async () => {
  const home = aHome();
  home.write(SETTINGS, "{ broken");
  expect(await callSwarm(home, ["setup", "permissions"])).toMatchObject({ exitCode: 1 });
  expect(home.read(SETTINGS)).toBe("{ broken");
});

test("path: the launcher runs the newest installed version, and only ours is removed", async () => {
  const home = aHome();
  const bin = home.path(".local/bin");
  const first = await callSwarm(home, ["setup", "path"]);
  expect(first.stdout).toContain(`${bin} is not on your PATH`);
  expect(statSync(`${bin}/swarm`).mode & 0o777).toBe(0o700);
  for (const version of ["0.1.0", "0.2.0"]) {
    const program = home.write(
      `.claude/plugins/cache/some/swarm/${version}/bin/swarm`,
      `#!/bin/sh\necho ${version} "$@"\n`,
    );
    chmodSync(program, 0o755);
    const at = new Date(version === "0.1.0" ? 1_000_000 : 2_000_000);
    spawnSync("touch", ["-d", at.toISOString(), program]);
  }
  const ran = spawnSync(`${bin}/swarm`, ["task", "list"], { encoding: "utf8" });
  expect(ran.stdout).toBe("0.2.0 task list\n");
  const env = { PATH: `${bin}:/usr/bin` };
  expect((await callSwarm(home, ["setup", "path"], { env })).stdout).toContain("swarm runs in a terminal");
  expect(JSON.parse((await callSwarm(home, ["setup", "--json"], { env })).stdout)).toMatchObject({
    path: `${bin}/swarm`,
  });
  await callSwarm(home, ["setup", "path", "--remove"]);
  expect(home.has(".local/bin/swarm")).toBe(false);
  home.write(".local/bin/swarm", "#!/bin/sh\n# another program\n");
  expect(await callSwarm(home, ["setup", "path"])).toMatchObject({ exitCode: 1 });
  expect((await callSwarm(home, ["setup", "path", "--remove"])).stdout).toContain("no launcher of ours");
  expect(home.read(".local/bin/swarm")).toContain("another program");
  truncateSync(`${bin}/swarm`, 17 * 1024 * 1024);
  expect((await callSwarm(home, ["setup", "path", "--remove"])).stdout).toContain("no launcher of ours");
  expect(await callSwarm(home, ["gc", "--all", "--yes"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(home.has(".local/bin/swarm")).toBe(true);
});

test("path: into a directory of one's choice; what to remove must be said", async () => {
  const home = aHome();
  await callSwarm(home, ["setup", "path", "tools"]);
  expect([home.has("project/tools/swarm"), home.has(".local/bin/swarm")]).toEqual([true, false]);
  expect(await callSwarm(home, ["setup", "--remove"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("remove what? path or permissions"),
  });
});

test("path: the plugin's own directories are not a terminal's", async () => {
  const home = aHome();
  const at = (place: string) => chmodSync(home.write(`${place}/swarm`, "#!/bin/sh\n"), 0o755);
  for (const place of ["plugins/cache/x/bin", "own/bin", "usual"]) at(place);
  const found = (...places: string[]) =>
    terminalProgram(places.map((place) => place && home.path(place)).join(":"), home.path("own"));
  expect(found("plugins/cache/x/bin")).toBeUndefined();
  expect(found("own/bin", "")).toBeUndefined();
  expect(found("own/bin", "plugins/cache/x/bin", "usual")).toBe(home.path("usual/swarm"));
});

test("the doctor checks PATH, rules and windows", async () => {
  const home = aHome();
  const usual = {
    session: "s-1",
    state: "idle",
    status: "idle",
    startedAt: "2026-02-20T11:00:00Z",
    lastSeen: "2026-02-20T11:00:00Z",
  };
  const line = { type: "assistant", message: { model: "another-model", usage: { input_tokens: 190_000 } } };
  home.write("t.jsonl", `${JSON.stringify(line)}\n`);
  home.write(".claude/swarm/sessions/s-1/session.json", {
    ...usual,
    model: "another-model",
    transcript: home.path("t.jsonl"),
  });
  const findings = async (env = {}) => {
    const { stdout } = await callSwarm(home, ["doctor", "--json"], { env: { PATH: "/usr/bin", ...env } });
    return (JSON.parse(stdout).findings as { level: string; what: string }[]).map(
      ({ level, what }) => `${level} ${what}`,
    );
  };
  const bad = await findings();
  expect(bad).toContain("warn `swarm` is not on a terminal's PATH");
  expect(bad).toContain("warn the client asks before harmless verbs of `swarm`");
  expect(bad).toContain("warn the context window of 1 session is not known: no warning before it is full");
  await callSwarm(home, ["setup", "path"]);
  await callSwarm(home, ["setup", "permissions"]);
  home.write(".claude/swarm/settings.toml", "[context]\nwindow = 200000\n");
  const good = await findings({ PATH: `${home.path(".local/bin")}:/usr/bin` });
  expect(good).toContain("ok `swarm` runs in a terminal");
  expect(good).toContain("ok the client runs the harmless verbs without asking");
  expect(good.filter((one) => one.includes("context window"))).toEqual([]);
});
