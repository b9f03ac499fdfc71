// Is this tool call one of the engine's own? Those are neither counted nor held back: they are how an agent gets free.

export interface EngineCall {
  /** `log`, `phase`, …; empty for the bare word. */
  verb: string;
  /** The command begins with it. */
  leads: boolean;
  /** Nothing else runs beside it, so guard rules have nothing to look at. */
  alone: boolean;
}

const SHELLS = new Set(["Bash", "PowerShell"]);
// After a place where a command may begin. No two parts can match the same character, so a long input costs its length.
const OURS =
  /(?:^|[;&|\n(])[ \t]*(?:node[ \t]+)?(?:"[^"\n]*[\\/]swarm"|[^\s"';&|(]*[\\/]swarm|swarm)[ \t]+effort\b[ \t]*([a-z]*)/;
const HEREDOC = /<<-?\s*(["']?)(\w+)\1[ \t]*\n[\s\S]*\n\2\s*$/;
const LONGEST_LOOKED_AT = 16 * 1024;

export function engineCallOf(tool: string, input: Record<string, unknown>): EngineCall | undefined {
  if (tool === "Skill")
    return typeof input["skill"] === "string" && /(^|:)swarm-effort$/.test(input["skill"])
      ? { verb: "", leads: true, alone: true }
      : undefined;
  const command = input["command"];
  if (!SHELLS.has(tool) || typeof command !== "string") return undefined;
  const found = command.trim().match(OURS);
  if (!found) return undefined;
  return { verb: found[1] ?? "", leads: found.index === 0, alone: found.index === 0 && isAlone(command) };
}

/** Outside quotes nothing that starts another command; a here-document that ends with the command is just input. */
function isAlone(command: string): boolean {
  if (command.length > LONGEST_LOOKED_AT) return false;
  const bare = command
    .trim()
    .replace(HEREDOC, "")
    .replace(/'[^']*'/g, "")
    .replace(/\\./g, "");
  return !/[`]|\$\(/.test(bare) && !/[;&|\n<>]/.test(bare.replace(/"[^"]*"/g, ""));
}
