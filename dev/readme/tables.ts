// The tables of README that the code already knows: written from it, and checked against it by test/house.test.ts.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { VERBS } from "../../lib/features/help.ts";
import type { Declaration } from "../../lib/store/settings-declaration.ts";
import { allKeys, DEFAULTS } from "../../lib/store/settings-keys.ts";

const ROOT = join(import.meta.dirname ?? __dirname, "..", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const scriptOf = (event: string) => event.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
const row = (...cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

function whose(key: Declaration): string {
  switch (key.reach) {
    case "project":
      return "both";
    case "project-tightens":
      return `both; a project only stricter${key.min ? `, from ${key.min}` : ""}`;
    case "project-within-limits":
      return `both; a project from ${key.min} to ${key.max}`;
    default:
      return "yours only";
  }
}

function settings(): string {
  const rows = allKeys().map(([name, key]) =>
    row(
      `\`${name}\``,
      DEFAULTS[name] === undefined ? "unset" : `\`${JSON.stringify(DEFAULTS[name])}\``,
      whose(key),
      key.about,
    ),
  );
  return [row("key", "default", "whose file", "what it does"), "|---|---|---|---|", ...rows].join("\n");
}

interface Handler {
  async?: boolean;
  asyncRewake?: boolean;
}

function events(): string {
  const { hooks } = JSON.parse(read("hooks.json")) as { hooks: Record<string, { hooks: Handler[] }[]> };
  const rows = Object.entries(hooks).map(([event, blocks]) => {
    const entry = read(`hooks/${scriptOf(event)}.ts`);
    const features = [...entry.matchAll(/^ {2}"?([a-z-]+)"?: /gm)].map((found) => found[1] ?? "");
    const handlers = blocks.flatMap((block) => block.hooks);
    const waits = handlers.every((one) => one.async)
      ? "no"
      : handlers.some((one) => one.asyncRewake)
        ? "no, may wake"
        : "yes";
    return row(event, features.join(", ") || "(keeps its stamp)", waits);
  });
  return [row("event", "features, in order", "the turn waits"), "|---|---|---|", ...rows].join("\n");
}

const verbs = () =>
  [
    row("verb", "what it does"),
    "|---|---|",
    ...VERBS.map(([verb, about]) => row(`\`swarm ${verb}\``, about)),
  ].join("\n");

function commands(): string {
  const rows = readdirSync(join(ROOT, "commands"))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => {
      const text = read(`commands/${name}`);
      const about = text.match(/^description: (.*)$/m)?.[1] ?? "";
      const hint = text.match(/^argument-hint: (.*)$/m)?.[1] ?? "";
      return row(
        `\`/${name.replace(/\.md$/, "")}${hint ? ` ${hint.replace(/^["']|["']$/g, "")}` : ""}\``,
        about.replace(/^["']|["']$/g, ""),
      );
    });
  return [row("command", "what it does"), "|---|---|", ...rows].join("\n");
}

const TABLES: Record<string, () => string> = { settings, events, verbs, commands };

/** `text` between the comments that bear the block's name. */
export const withBlock = (readme: string, name: string, text: string): string =>
  readme.replace(
    new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n<!-- /${name} -->)`),
    (_, open, close) => `${open}${text}${close}`,
  );

export const withTables = (readme: string): string =>
  Object.entries(TABLES).reduce((text, [name, make]) => withBlock(text, name, make()), readme);
