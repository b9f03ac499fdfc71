// The TOML parser, loaded only where there is a file to read.
import { parse } from "smol-toml";

export function parseToml(text: string): { tables: Record<string, unknown>; problem?: string } {
  try {
    return { tables: parse(text) };
  } catch (error) {
    return { tables: {}, problem: (error as Error).message.split("\n")[0] ?? "not TOML" };
  }
}
