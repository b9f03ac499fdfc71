// `npm run walk -- <payload.json> [--home DIR | --team]`: which files of lib/ a payload passes through, in order, and how many.
// The hook runs from source, so that what is printed are the files one reads. What modules declare while they are loaded is not part of
// it: the walk begins with `runHook`. Without --home an empty home is used, with --team one of a team whose lead has mail.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { identityIn, teamHome } from "./bench/homes.ts";

const ROOT = join(import.meta.dirname ?? __dirname, "..");

/** `PreToolUse` is `pre-tool-use`. */
const scriptOf = (event: string) => event.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

function walk(
  payload: { hook_event_name: string },
  ownHome: string | undefined,
  withTeam: boolean,
): string[] {
  const scratch = mkdtempSync(join(tmpdir(), "swarm-walk-"));
  try {
    const out = join(scratch, "files");
    const home = ownHome ?? join(scratch, "home");
    if (withTeam) teamHome(home, { unread: 2 });
    else mkdirSync(home, { recursive: true });
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        "--require",
        "tsx/cjs",
        "--require",
        join(ROOT, "scripts", "walk-record.cjs"),
        join(ROOT, "hooks", `${scriptOf(payload.hook_event_name)}.ts`),
      ],
      {
        cwd: ROOT,
        input: JSON.stringify(payload),
        encoding: "utf8",
        env: {
          PATH: process.env["PATH"],
          HOME: home,
          ...identityIn(home),
          SWARM_WALK_ROOT: ROOT,
          SWARM_WALK_OUT: out,
        },
      },
    );
    if (status !== 0 && status !== 2) throw new Error(`the hook ended with ${status}: ${stderr}`);
    return readFileSync(out, "utf8").trim().split("\n");
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function main(): void {
  const { values, positionals } = parseArgs({
    options: { home: { type: "string" }, team: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (!file) {
    console.error("usage: npm run walk -- <payload.json> [--home DIR | --team]");
    process.exitCode = 2;
    return;
  }
  const files = walk(JSON.parse(readFileSync(file, "utf8")), values.home, values.team);
  console.log([...files, `${files.length} files`].join("\n"));
}

if (require.main === module) main();
