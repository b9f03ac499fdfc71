// The house keeps itself in order: whatever was forgotten when a feature, an event or a command was added is named here.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { withTables } from "../dev/readme/tables.ts";
import { VERBS } from "../lib/features/help.ts";
import * as events from "../lib/run/events.ts";
import { allKeys } from "../lib/store/settings-keys.ts";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const stems = (folder: string, ending: string) =>
  readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith(ending) ? basename(name, ending) : []));
const sources = (...folders: string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, name)),
  );
const scriptOf = (event: string) => event.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

const README = read("README.md");
const EVENTS = Object.values(events).map((event) => event.name);
const HOOKS: Record<
  string,
  { matcher?: string; hooks: { command: string; args: string[]; async?: boolean }[] }[]
> = JSON.parse(read("hooks.json")).hooks;
/** Known to 2.1.197: a name beyond these would make that client drop the whole file. */
const OLD_EVENTS = new Set(
  "SessionStart Setup InstructionsLoaded UserPromptSubmit UserPromptExpansion PreToolUse PermissionRequest PermissionDenied PostToolUse PostToolUseFailure PostToolBatch Notification MessageDisplay SubagentStart SubagentStop TaskCreated TaskCompleted TeammateIdle Stop StopFailure PreCompact PostCompact ConfigChange CwdChanged FileChanged WorktreeCreate WorktreeRemove Elicitation ElicitationResult SessionEnd".split(
    " ",
  ),
);

describe("events, entries, hooks.json, payloads and README agree", () => {
  test("every event has its entry", () =>
    expect(stems("hooks", ".ts").sort()).toEqual(EVENTS.map(scriptOf).sort()));
  test("every event is wired", () => expect(Object.keys(HOOKS).sort()).toEqual([...EVENTS].sort()));
  test("only events the oldest client knows", () =>
    expect(Object.keys(HOOKS).filter((name) => !OLD_EVENTS.has(name))).toEqual([]));
  test.each(EVENTS)("%s is in README's table", (event) =>
    expect(README).toMatch(new RegExp(`\\| \`?${event}\`? \\|`)),
  );
  test.each(Object.entries(HOOKS))("%s runs its own built script in exec form", (event, blocks) => {
    for (const { hooks } of blocks)
      for (const { command, args } of hooks) {
        expect(command).toBe("node");
        expect(args.find((word) => !word.startsWith("--"))).toBe(
          `\${CLAUDE_PLUGIN_ROOT}/dist/hooks/${scriptOf(event)}.cjs`,
        );
      }
  });
  test("node understands every option", () => {
    const all = Object.values(HOOKS).flatMap((blocks) => blocks.flatMap(({ hooks }) => hooks));
    const options = new Set(all.flatMap(({ args }) => args.filter((word) => word.startsWith("--"))));
    const { status, stderr } = spawnSync(process.execPath, [...options, "--eval", "0"], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(options.size).toBeGreaterThan(0);
  });
  test("one blocking process a tool call", () => {
    const blocking = ["PreToolUse", "PostToolUse", "PermissionRequest", "PostToolUseFailure"].flatMap(
      (event) =>
        (HOOKS[event] ?? [])
          .filter((block) => !block.matcher && block.hooks.some((hook) => !hook.async))
          .map(() => event),
    );
    expect(blocking).toEqual(["PreToolUse"]);
  });
});

describe("the import law", () => {
  const MAY: Record<string, string[]> = {
    hooks: ["lib/features", "lib/machines", "lib/run"],
    scripts: ["lib/features", "lib/machines", "lib/run", "package.json"],
    "lib/features": ["lib/run", "lib/store", "lib/machines/store", "lib/parse"],
    "lib/machines": ["lib/machines", "lib/run", "lib/store", "lib/parse"],
    "lib/store": ["lib/store", "lib/parse"],
    "lib/run": ["lib/run", "lib/store", "lib/parse"],
    "lib/parse": ["lib/parse"],
  };
  const roomOf = (file: string) => Object.keys(MAY).find((room) => file.startsWith(`${room}/`)) ?? "";
  const importsOf = (file: string) =>
    [...read(file).matchAll(/(?:from|import|require\() ?"(\.[^"]+)"/g)].map((found) =>
      relative(ROOT, resolve(dirname(join(ROOT, file)), found[1] ?? "")),
    );
  /** lib/features/x.ts and lib/features/x/… are one feature. */
  const featureOf = (file: string) => file.split("/")[2]?.replace(/\.ts$/, "");

  test.each(sources("hooks", "scripts", "lib"))("%s", (file) => {
    const room = roomOf(file);
    const strangers = importsOf(file).filter((target) => {
      if (room === "lib/features" && target.startsWith("lib/features/"))
        return featureOf(target) !== featureOf(file);
      return !(MAY[room] ?? []).some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
    });
    expect(strangers).toEqual([]);
  });
});

describe("laws of the text", () => {
  const lib = sources("lib", "hooks", "scripts");
  const having = (pattern: RegExp, files: string[], ...but: string[]) =>
    files.filter((file) => !but.includes(file) && pattern.test(read(file)));

  const STREAMS = /console\.|process\.(stdin|stdout|stderr)|readFileSync\(0|writeSync\([012],/;
  test("one mouth: only stdio.ts touches the streams", () =>
    expect(having(STREAMS, lib, "lib/run/stdio.ts")).toEqual([]));
  const QUOTED = "lib/features/command-guard/code/values.ts"; // looks for it in other people's code
  test("one ear: only surroundings.ts reads the environment", () =>
    expect(having(/process\.env/, lib, "lib/run/surroundings.ts", QUOTED)).toEqual([]));
  test("exit codes are set in run/ only", () =>
    expect(
      having(/process\.exit/, lib, "lib/run/say.ts", "lib/run/command.ts", "lib/run/start-hook.ts"),
    ).toEqual([]));
  test("zod is zod/mini", () => expect(having(/from "zod"/, lib)).toEqual([]));
  test("the TOML parser has one door", () =>
    expect(having(/smol-toml/, lib, "lib/parse/toml.ts")).toEqual([]));
  test("no default exports, no classes, no promises to finish later", () =>
    expect(having(/export default|^(export )?class |\b(TODO|FIXME|XXX)\b/m, lib)).toEqual([]));
  test("no file outgrows a head", () =>
    expect(lib.filter((file) => read(file).split("\n").length > 251)).toEqual([]));
  test("an entry is a sentence", () =>
    expect(sources("hooks").filter((file) => read(file).split("\n").length > 34)).toEqual([]));
  test("every feature opens with its promise", () =>
    expect(sources("lib").filter((file) => !read(file).startsWith("// "))).toEqual([]));
});

describe("what ships", () => {
  const sizeOf = (path: string) => statSync(join(ROOT, path)).size;
  const HOT = ["pre-tool-use", "post-tool-use", "user-prompt-submit", "stop"];

  test.each(HOT)("the bundle of %s stays within 60 KB", (name) =>
    expect(sizeOf(`dist/body/${name}.cjs`)).toBeLessThanOrEqual(60 * 1024),
  );
  test.each(stems("hooks", ".ts"))("the bundle of %s stays within 100 KB", (name) =>
    expect(sizeOf(`dist/body/${name}.cjs`)).toBeLessThanOrEqual(100 * 1024),
  );
  test("a hook that leaves at once leaves nothing unfinished", () => {
    const seen = new Set(["body/pre-tool-use.cjs"]);
    for (const file of seen)
      for (const [, part] of read(`dist/${file}`).matchAll(/"\.\.\/(lazy\/[\w-]+\.cjs)"/g))
        seen.add(String(part));
    expect(seen.size).toBeGreaterThan(8);
    const waits = [...seen].filter((file) =>
      /node:(net|timers)|\bset(Timeout|Interval|Immediate)\(|nextTick/.test(read(`dist/${file}`)),
    );
    expect(waits).toEqual([]);
  });
  test("what a user installs is small and brings no packages", () => {
    const shipped = execFileSync("sh", ["-c", "tar -chf - plugin | wc -c"], { cwd: ROOT, encoding: "utf8" });
    expect(Number(shipped)).toBeLessThan(3 * 1024 * 1024);
    for (const name of ["package.json", "package-lock.json", "node_modules"])
      expect(existsSync(join(ROOT, "plugin", name))).toBe(false);
  });
  test("the version is the same everywhere", () => {
    const { version } = JSON.parse(read("package.json"));
    expect(JSON.parse(read(".claude-plugin/plugin.json")).version).toBe(version);
    expect(read("CHANGELOG.md")).toContain(`## ${version}`);
  });
  test("the lock names no download address", () =>
    expect(read("package-lock.json")).not.toContain('"resolved": "http'));
});

describe("commands and settings are documented", () => {
  test("README's tables are as `npm run readme` writes them", () => expect(withTables(README)).toBe(README));
  test("every verb has a line in help, and every line a verb", () =>
    expect(VERBS.map(([verb]) => verb).sort()).toEqual(stems("scripts", ".ts").sort()));
  test.each(VERBS.map(([verb]) => verb))("swarm %s is in README", (verb) =>
    expect(README).toContain(`swarm ${verb}`),
  );
  test.each(allKeys())("%s means something", (_, key) => expect(key?.about).toBeTruthy());
  test.each(allKeys())("%s is in README with its default", (key) =>
    expect(README).toContain(`| \`${key}\` |`),
  );
  test.each(stems("commands", ".md"))("/%s has its bare name and is in README", (name) => {
    expect(read(`commands/${name}.md`)).toMatch(
      new RegExp(`^---\\n[\\s\\S]*?^name: ${name}$[\\s\\S]*?^---$`, "m"),
    );
    expect(README).toContain(`/${name}`);
  });
});

describe("every claim of SECURITY.md names its test", () => {
  const text = read("SECURITY.md").replace(/\s+/g, " ");
  const cited = [...text.matchAll(/((?:"[^"]+"[^"()]*)+)\((test\/[\w./-]+\.test\.ts)\)/g)].flatMap(
    ([, names = "", file = ""]) =>
      [...names.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => [name, file] as const),
  );
  test("there are many", () => expect(cited.length).toBeGreaterThan(25));
  test.each(cited)("%j in %s", (name, file) => expect(read(file)).toContain(`"${name}"`));
  test("no file is named without a test in it", () =>
    expect(text.match(/\(test\/[^)]*\)/g)?.length).toBe(
      new Set(text.match(/"[^"]*"[^"()]* ?\(test\/[^)]*\)/g)).size,
    ));
});
