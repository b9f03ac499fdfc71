// The house keeps itself in order: whatever was forgotten when a feature, an event or a command was added is named here.
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { allKeys } from "../lib/core/settings.ts";
import * as events from "../lib/hook/events.ts";
import { ASKS_NOTHING } from "../lib/sessions/store/sessions.ts";
import { hooksJson } from "../scripts/hooks-json.mjs";
import { replaceFiles } from "../scripts/replace-files.mjs";
import { aHome } from "./support/a-home.ts";

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

describe("events, entries, hooks.json and payloads agree", () => {
  test("every event has its entry", () =>
    expect(stems("hooks", ".ts").sort()).toEqual(EVENTS.map(scriptOf).sort()));
  test("every event is wired", () => expect(Object.keys(HOOKS).sort()).toEqual([...EVENTS].sort()));
  test("only events the oldest client knows", () =>
    expect(Object.keys(HOOKS).filter((name) => !OLD_EVENTS.has(name))).toEqual([]));
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

describe("laws of the text", () => {
  const lib = sources("lib", "hooks");
  const having = (pattern: RegExp, files: string[], ...but: string[]) =>
    files.filter((file) => !but.includes(file) && pattern.test(read(file)));

  const STREAMS = /console\.|process\.(stdin|stdout|stderr)|readFileSync\(0|writeSync\([012],/;
  test("only environment.ts touches the streams", () =>
    expect(having(STREAMS, lib, "lib/hook/environment.ts")).toEqual([]));
  const QUOTED = "lib/guard/code/values.ts"; // looks for it in other people's code
  test("only environment.ts reads the environment", () =>
    expect(having(/process\.env/, lib, "lib/hook/environment.ts", QUOTED)).toEqual([]));
  const OPENS =
    /\b(readFileSync|openSync|appendFileSync|writeFileSync|truncateSync|copyFileSync|cpSync|createReadStream|createWriteStream)\(/;
  /** Without the text of scripts that we write, and with what only goes to an open file. */
  const opening = (file: string) =>
    read(file)
      .replace(/`\/\/ Written by Swarm[^`]*`/g, "")
      .replace(/(read|write)FileSync\(fd\b/g, "");
  test("files are opened in one place", () =>
    expect(lib.filter((file) => OPENS.test(opening(file)) && !file.startsWith("lib/guard/"))).toEqual([
      "lib/core/files.ts",
      "lib/hook/bytecode-keep.ts",
      "lib/hook/bytecode.ts",
      "lib/hook/loader.ts", // the build's own files
      "lib/people/notify/targets.ts", // a terminal
    ]));
  test("git is started in one place", () =>
    expect(having(/(spawn|spawnSync|execFile\w*|exec)\(\s*"git"/, lib, "lib/system/git.ts")).toEqual([]));
  test("patterns from outside never become regular expressions", () =>
    expect(having(/new RegExp\(|[^.\w]RegExp\(/, lib).sort()).toEqual([
      "lib/guard/code/sinks.ts", // our own words, nothing that repeats
      "lib/guard/commands/npm.ts", // a script's name without its special characters
      "lib/guard/packs/infrastructure.ts", // our own words
      "lib/ops/file-kinds.ts", // our own declarations
      "lib/teammates/approved-plan.ts", // our own words
      "lib/teammates/names.ts",
    ]));
  test("exit codes are set in two places", () =>
    expect(having(/process\.exit/, lib, "lib/hook/run.ts", "lib/cli/command.ts", "lib/cli/run.ts")).toEqual(
      [],
    ));
  test("zod is zod/mini", () => expect(having(/from "zod"/, lib)).toEqual([]));
  test("no undocumented calls and no tricks with prototypes", () =>
    expect(having(/reallyExit|latin1Slice|__proto__/, lib)).toEqual([]));
  test("the TOML parser has one door", () =>
    expect(having(/smol-toml/, lib, "lib/core/toml.ts")).toEqual([]));
  test("no default exports, no classes, no promises to finish later", () =>
    expect(having(/export default|^(export )?class |\b(TODO|FIXME|XXX)\b/m, lib)).toEqual([]));
  const DIALECT =
    /\b(whoever|glances?|bells?|told|seats?|sits on|stands (beside|there|yet)|in a crowd|to the letter|nobody's|lineage|sign-on|among)\b/i;
  test("names and comments use the words of AGENTS.md", () =>
    expect(having(DIALECT, [...lib, ...sources("scripts")]).sort()).toEqual([
      "lib/mail/store/session-files.ts", // names of files that stay
      "lib/mail/store/wake-triggers.ts",
    ]));
  const IN_TESTS =
    /\b(whoever|glances?|bells?|told|seats?|sits on|stands beside|in a crowd|to the letter|nobody's|sign-on|voices|seed 00\d)\b/i;
  const LISTS_THE_WORDS = [
    "test/architecture.test.ts",
    "test/house.test.ts",
    "test/plugin.test.ts",
    "test/docs/facts.test.ts",
  ];
  /** Names of files that stay, and what a mock model says. */
  const withoutNames = (text: string) =>
    text.replace(
      /\b(bells|seats|voices)\b(?=[/\\"])|\btold\.jsonl|\bseat\b(?=["`$])|text: "told"|\/told\//g,
      "",
    );
  test("so do the tests", () =>
    expect(
      sources("test").filter(
        (file) => !LISTS_THE_WORDS.includes(file) && IN_TESTS.test(withoutNames(read(file))),
      ),
    ).toEqual([]));
  test("an entry is a sentence", () =>
    expect(sources("hooks").filter((file) => read(file).split("\n").length > 40)).toEqual([]));
});

describe("what ships", () => {
  const sourcesBuilt = () =>
    ["body", "lazy"].flatMap((folder) =>
      readdirSync(join(ROOT, "plugin/dist", folder)).map((name) => `plugin/dist/${folder}/${name}`),
    );
  test("no hook and no verb loads node:crypto or the width library before it needs them", () => {
    const eager = /[\w$]=require\("node:crypto"\)|Intl\.Segmenter/;
    expect(sourcesBuilt().filter((path) => path.includes("/body/") && eager.test(read(path)))).toEqual([]);
  });
  const sizeOf = (path: string) => statSync(join(ROOT, path)).size;
  test.each(stems("hooks", ".ts"))("the bundle of %s stays within 124 KB", (name) =>
    expect(sizeOf(`plugin/dist/body/${name}.cjs`)).toBeLessThanOrEqual(124 * 1024),
  );
  test("a tool call starts one process beside the turn, and none where nothing is recorded after it", () => {
    const beside = (tool: string) =>
      (HOOKS["PostToolUse"] ?? [])
        .filter(({ matcher }) => new RegExp(`^(?:${matcher})`).test(tool))
        .flatMap(({ hooks }) => hooks);
    for (const tool of ["Bash", "Read", "Grep", "TaskUpdate", "ExitPlanMode", "mcp__a__TaskGet"])
      expect(beside(tool), tool).toHaveLength(1);
    for (const tool of ASKS_NOTHING) expect(beside(tool), tool).toEqual([]);
  });

  test("hooks.json is what its table says", () => expect(read("hooks.json")).toBe(hooksJson()));
  test("a lazy import names functions only: it gets wrappers", () => {
    // A part of the guard is a function of a module's variables, any other a plain module.
    const script = `const lazy = process.cwd() + "/plugin/dist/lazy/";
      const read = (name) => require("node:fs").readFileSync(lazy + name, "utf8");
      function exportsOf(name) {
        if (!read(name).startsWith("(function (exports")) return require(lazy + name);
        const module = { exports: {} };
        eval(read(name))(module.exports, (id) => (id.startsWith(".") ? {} : require(id)), module);
        return module.exports;
      }
      let count = 0;
      for (const name of require("node:fs").readdirSync(lazy))
        for (const [key, value] of Object.entries(exportsOf(name)))
          if (typeof value !== "function") console.log(key);
          else count++;
      if (count < 60) console.log("only " + count + " functions")`;
    const others = execFileSync(process.execPath, ["--eval", script], { cwd: ROOT, encoding: "utf8" });
    const LAZY = /import ([^;]+) from "[^"]+" with \{\s*loading: "lazy",?\s*\}/g;
    const imports = sources("lib").flatMap((file) => [...read(file).matchAll(LAZY)].map(([, what]) => what));
    expect(imports.length).toBeGreaterThan(20);
    for (const name of others.split("\n").filter(Boolean))
      expect(imports.filter((what) => new RegExp(`\\b${name}\\b`).test(what ?? ""))).toEqual([]);
  });
  test("every lazy part that is asked for is there", () => {
    const built = sourcesBuilt();
    const asked = built.flatMap((path) =>
      [...read(path).matchAll(/"\.\.\/(lazy\/[\w-]+\.cjs)"/g)].map(([, name]) => name),
    );
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((name) => !built.includes(`plugin/dist/${name}`))).toEqual([]);
  });
  test("sources are required by lazy imports only", () =>
    expect(sources("lib").filter((file) => /require\("[^"]+\.ts"\)/.test(read(file)))).toEqual([]));
  test("what a user installs is small and brings no packages", () => {
    const shipped = execFileSync("sh", ["-c", "tar -chf - plugin | wc -c"], { cwd: ROOT, encoding: "utf8" });
    expect(Number(shipped)).toBeLessThan(4.25 * 1024 * 1024);
    for (const name of ["package.json", "package-lock.json", "node_modules"])
      expect(existsSync(join(ROOT, "plugin", name))).toBe(false);
  });
  test("a build changes only what differs, whole at once: sessions run from the same files", () => {
    const folder = aHome().path("built");
    const built = (changed: string) =>
      ["kept", "changed"].map((name) => ({
        path: join(folder, "body", `${name}.cjs`),
        text: name === "kept" ? "as before" : changed,
      }));
    const inodes = () => built("").map(({ path }) => statSync(path).ino);
    replaceFiles(folder, [...built("old"), { path: join(folder, "gone.cjs"), text: "" }]);
    const before = inodes();
    const reader = openSync(join(folder, "body", "changed.cjs"), "r");
    onTestFinished(() => closeSync(reader));
    replaceFiles(folder, built("new"));
    expect(inodes()).toEqual([before[0], expect.not.toBeOneOf([before[1]])]);
    expect(readFileSync(reader, "utf8")).toBe("old");
    expect(readFileSync(join(folder, "body", "changed.cjs"), "utf8")).toBe("new");
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
      "body",
      "body/changed.cjs",
      "body/kept.cjs",
    ]);
  });
  test("the lock names no download address", () =>
    expect(read("package-lock.json")).not.toContain('"resolved": "http'));
});

describe("commands and settings are documented", () => {
  test.each(allKeys())("%s means something", (_, key) => expect(key?.about).toBeTruthy());
  test.each(stems("plugin/commands", ".md"))("/%s has its bare name", (name) =>
    expect(read(`plugin/commands/${name}.md`)).toMatch(
      new RegExp(`^---\\n[\\s\\S]*?^name: ${name}$[\\s\\S]*?^---$`, "m"),
    ),
  );
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
