// Which files of lib/ a payload passes through. The hook runs from source, in a home and a temporary directory of its own.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identityIn, teamHome } from "../bench/homes.ts";

const ROOT = join(import.meta.dirname ?? __dirname, "..", "..");

/** `PreToolUse` is `pre-tool-use`. */
const scriptOf = (event: string) => event.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

interface Where {
  /** An empty one by default. */
  home?: string;
  /** The home of a team whose lead has mail. */
  team?: boolean;
}

/** In the order in which they are first called. */
export function filesWalked(payloadFile: string, { home: ownHome, team = false }: Where): string[] {
  const payload = JSON.parse(readFileSync(payloadFile, "utf8")) as { hook_event_name: string };
  const scratch = mkdtempSync(join(tmpdir(), "swarm-walk-"));
  try {
    const out = join(scratch, "files");
    const home = ownHome ?? join(scratch, "home");
    if (team) teamHome(home, { unread: 2 });
    else mkdirSync(home, { recursive: true });
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        "--require",
        "tsx/cjs",
        "--require",
        join(ROOT, "scripts", "walk", "record.cjs"),
        join(ROOT, "hooks", `${scriptOf(payload.hook_event_name)}.ts`),
      ],
      {
        cwd: ROOT,
        input: JSON.stringify(payload),
        encoding: "utf8",
        env: {
          PATH: process.env["PATH"],
          HOME: home,
          TMPDIR: scratch, // heartbeat marks lie there: those of an earlier walk would throttle this one
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
