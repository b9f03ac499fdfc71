// The one door to the TOML parser. It stands in a bundle of its own: most calls meet no settings file.
import { parse } from "smol-toml";

export function parseToml(text: string): { tables: Record<string, unknown>; problem?: string } {
  try {
    return { tables: parse(text) };
  } catch (error) {
    return { tables: {}, problem: (error as Error).message.split("\n")[0] ?? "not TOML" };
  }
}
