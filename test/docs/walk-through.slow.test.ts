// The walk-through in CONTRIBUTING.md, performed in a copy of the tree: each block is put where its first line says.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aHome } from "../support/a-home.ts";
import { cleanEnv } from "../support/run-built.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PARTS = ["hooks", "lib", "scripts", "test/support", "plugin/bin", "plugin/commands"];
const FILES = ["package.json", "tsconfig.json", "vitest.config.mts", "hooks.json"];

interface Block {
  path: string;
  after?: string;
  code: string;
}

/** `// <file>, after `<line>``, `// <file>, at the end` or `// <file>, new`, then the code. */
function blocksIn(page: string): Block[] {
  const [, text = ""] = page.split("## Walk-through");
  return [...text.matchAll(/^```ts\n\/\/ (\S+), (?:after `(.+)`|at the end|new)\n([\s\S]*?)^```$/gm)].map(
    ([, path = "", after, code = ""]) => ({ path, after, code }),
  );
}

function put(root: string, { path, after, code }: Block): void {
  const file = join(root, path);
  const existing = path.startsWith("test/") ? "" : readFileSync(file, "utf8");
  if (after !== undefined) expect(existing).toContain(`${after}\n`);
  writeFileSync(
    file,
    after === undefined ? existing + code : existing.replace(`${after}\n`, (line) => line + code),
  );
}

/** Beside the toy's own test, to start one process less. */
const WRITE_PAGES = `import { writeFileSync } from "node:fs";
import { test } from "vitest";
import { referencePages } from "../../scripts/docs/reference.ts";
test("pages", () => writeFileSync("pages.json", JSON.stringify(referencePages())));
`;

test("the toy feature works, and takes five hand-written files", () => {
  const copy = mkdtempSync(join(tmpdir(), "swarm-walk-through-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const part of [...PARTS, ...FILES]) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));

  const blocks = blocksIn(readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8"));
  expect(blocks.length).toBe(5);
  execFileSync("mkdir", ["-p", join(copy, "test/scratchpad")]);
  for (const block of blocks) put(copy, block);

  const node = (args: string[]) =>
    spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8", timeout: 110_000 });
  expect(node(["scripts/build.mjs"])).toMatchObject({ status: 0, stderr: "" });
  writeFileSync(join(copy, "test/scratchpad/pages.test.ts"), WRITE_PAGES);
  const tests = node(["node_modules/vitest/vitest.mjs", "run", "test/scratchpad"]);
  expect(tests.stdout).toContain("3 passed");

  const home = aHome();
  home.write(".claude/swarm/settings.toml", '[scratchpad]\nmotto = "slowly"\n');
  const env = { ...cleanEnv(home), CLAUDE_PLUGIN_DATA: home.path("data") };
  const run = (script: string, args: string[], input: string) =>
    execFileSync(process.execPath, [join(copy, script), ...args], {
      cwd: home.project,
      env,
      input,
      encoding: "utf8",
    });
  const stop = JSON.stringify({ session_id: "s-1", cwd: home.project, hook_event_name: "Stop" });
  expect(JSON.parse(run("plugin/dist/hooks/stop.cjs", [], stop)).systemMessage).toContain("slowly");
  expect(run("plugin/bin/swarm", ["motto"], "")).toBe("slowly\n");
  expect(run("plugin/bin/swarm", ["help"], "")).toContain("your motto");

  const pages = JSON.parse(readFileSync(join(copy, "pages.json"), "utf8"));
  expect(pages["docs/reference/settings.md"]).toContain("scratchpad.motto");
  expect(pages["docs/reference/commands.md"]).toContain("swarm motto");
  expect(pages["docs/reference/events.md"]).toMatch(/\| Stop \|.*\bmotto\b/);
}, 120_000);
